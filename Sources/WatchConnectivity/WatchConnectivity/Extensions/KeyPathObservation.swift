import Platform

#if !canImport(ObjectiveC)
    import Foundation

    /// An observation of one property by one observer.
    // Unchecked: the object is a class of a client or of Foundation, held weakly; the rest is immutable or locked.
    final class KeyPathObservation<Object: AnyObject, Value>: PropertyObservation, @unchecked Sendable {
        private weak let object: Object?
        private let property: KeyPath<Object, Value>
        private let options: NSKeyValueObservingOptions
        private let handler: @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
        private let state: Lock<State>

        /// Whether the observer is being called.
        ///
        ///     calling ──every value was delivered──▶ idle
        ///      │ ▲                                    │ │
        ///      │ └─────────────a change───────────────┘ │
        ///      └────────end────▶ ended ◀────end─────────┘
        private enum Phase {
            /// A thread is calling the observer; it also delivers what other threads add meanwhile, so that the order
            /// stays.
            case calling
            /// Nothing waits for the observer.
            case idle
            /// The observer gets nothing more.
            case ended
        }

        // Unchecked: see above.
        private struct State: @unchecked Sendable {
            /// The last value that was read.
            var last: Value
            /// The values that the observer has not received yet, oldest first.
            var undelivered: [Change] = []
            var phase = Phase.calling
            /// The number of reads of the property that have begun, and the newest of them that saw a change.
            var readCount: UInt64 = 0
            var newestRead: UInt64 = 0
        }

        /// A value, and the one before it; nil before the first.
        private struct Change {
            var value: Value
            var old: Value?
        }

        init(
            _ object: Object, _ property: KeyPath<Object, Value>, _ options: NSKeyValueObservingOptions,
            _ handler: @escaping @Sendable (Object, NSKeyValueObservedChange<Value>) -> Void
        ) {
            self.object = object
            self.property = property
            self.options = options
            self.handler = handler
            state = Lock(State(last: object[keyPath: property]))
        }

        var keyPath: AnyKeyPath { property }

        /// Delivers the present value, if the observer wants it, and the changes since; call it once, when changes
        /// are reported.
        func begin() {
            if options.contains(.initial) {
                state.withLock { state in
                    let first = state.undelivered.first.map { $0.old ?? $0.value } ?? state.last
                    state.undelivered.insert(Change(value: first), at: 0)
                }
            }
            deliverPending()
            // The value may have changed between the first read and the moment from which changes are reported.
            reread()
        }

        func reread() {
            guard let object else { return }
            let read = beginRead()
            record(object[keyPath: property], in: read)
        }

        func changed(from old: Any, to new: Any) {
            guard !SessionProperty.isSame(old, new), let new = new as? Value else { return }
            record(new, in: beginRead())
        }

        func end() {
            state.withLock { $0.phase = .ended }
        }

        private func beginRead() -> UInt64 {
            state.withLock { state in
                state.readCount += 1
                return state.readCount
            }
        }

        /// Handles the result of a read; ignores it if a read that began later has already seen another value.
        private func record(_ value: Value, in read: UInt64) {
            let seen = Unlocked(value)
            let mustCall = state.withLock { state in
                guard state.phase != .ended, read > state.newestRead, !SessionProperty.isSame(state.last, seen.value)
                else {
                    return false
                }
                state.newestRead = read
                state.undelivered.append(Change(value: seen.value, old: state.last))
                state.last = seen.value
                defer { state.phase = .calling }
                return state.phase == .idle
            }
            if mustCall { deliverPending() }
        }

        /// Calls the observer outside the lock, because its handler may call back.
        private func deliverPending() {
            while true {
                let change = state.withLock { state -> Unlocked<Change>? in
                    switch state.phase {
                    case .ended:
                        state.undelivered = []
                        return nil
                    case .calling, .idle:
                        guard !state.undelivered.isEmpty else {
                            state.phase = .idle
                            return nil
                        }
                        return Unlocked(state.undelivered.removeFirst())
                    }
                }
                guard let change = change?.value else { return }
                guard let object else { continue }
                if options.contains(.prior), let old = change.old {
                    callHandler(object, new: nil, old: old, isPrior: true)
                }
                callHandler(object, new: change.value, old: change.old, isPrior: false)
            }
        }

        private func callHandler(_ object: Object, new: Value?, old: Value?, isPrior: Bool) {
            handler(
                object,
                NSKeyValueObservedChange(
                    kind: .setting, newValue: options.contains(.new) ? new : nil,
                    oldValue: options.contains(.old) ? old : nil, indexes: nil, isPrior: isPrior))
        }
    }
#endif
