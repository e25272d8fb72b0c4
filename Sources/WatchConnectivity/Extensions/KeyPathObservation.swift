#if !canImport(ObjectiveC)
    import Foundation
    import Synchronization

    /// One observer of one property.
    // Unchecked: the object is a class of a client or of Foundation, held weakly; the rest is immutable or locked.
    final class KeyPathObservation<Object: AnyObject, Value>: PropertyObservation, @unchecked Sendable {
        private weak let object: Object?
        private let property: KeyPath<Object, Value>
        private let options: NSKeyValueObservingOptions
        private let handler: @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
        private let state: Mutex<State>

        // Unchecked: see above.
        private struct State: @unchecked Sendable {
            var last: Value
            var isEnded = false
        }

        init(
            _ object: Object, _ property: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
            _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
        ) {
            self.object = object
            self.property = property
            self.options = options
            self.handler = handler
            state = Mutex(State(last: object[keyPath: property]))
        }

        var keyPath: AnyKeyPath { property }

        /// Tells the value as it is, if that is wanted.
        func begin() {
            guard options.contains(.initial), let object else { return }
            let value = state.withLock { Unlocked($0.last) }.value
            tell(object, new: value, old: nil, isPrior: false)
        }

        func reread() {
            guard let object else { return }
            set(to: object[keyPath: property])
        }

        func changed(from old: Any, to new: Any) {
            guard !SessionProperty.isSame(old, new), let new = new as? Value else { return }
            set(to: new)
        }

        func end() {
            state.withLock { $0.isEnded = true }
        }

        private func set(to value: Value) {
            guard let object else { return }
            let new = Unlocked(value)
            let last = state.withLock { state -> Unlocked<Value>? in
                guard !state.isEnded, !SessionProperty.isSame(state.last, new.value) else { return nil }
                defer { state.last = new.value }
                return Unlocked(state.last)
            }
            guard let last else { return }
            if options.contains(.prior) { tell(object, new: nil, old: last.value, isPrior: true) }
            tell(object, new: value, old: last.value, isPrior: false)
        }

        private func tell(_ object: Object, new: Value?, old: Value?, isPrior: Bool) {
            handler(
                object,
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) ? new : nil,
                    oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior))
        }
    }
#endif
