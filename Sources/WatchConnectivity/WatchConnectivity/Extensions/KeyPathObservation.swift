import Platform

#if !canImport(ObjectiveC)
    import Foundation
    import Synchronization

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
            var untold: [News] = []
            var phase = Phase.calling
            /// The number of reads of the property that have begun, and the newest of them that saw a change.
            var lookCount: UInt64 = 0
            var newestLook: UInt64 = 0
        }

        /// A value, and the one before it; nil before the first.
        private struct News {
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
                    let first = state.untold.first.map { $0.old ?? $0.value } ?? state.last
                    state.untold.insert(News(value: first), at: 0)
                }
            }
            tellUntold()
            // The value may have changed between the first read and the moment from which changes are reported.
            reread()
        }

        func reread() {
            guard let object else { return }
            let look = beginLook()
            see(object[keyPath: property], in: look)
        }

        func changed(from old: Any, to new: Any) {
            guard !SessionProperty.isSame(old, new), let new = new as? Value else { return }
            see(new, in: beginLook())
        }

        func end() {
            state.withLock { $0.phase = .ended }
        }

        private func beginLook() -> UInt64 {
            state.withLock { state in
                state.lookCount += 1
                return state.lookCount
            }
        }

        /// Handles the result of a read; ignores it if a read that began later has already seen another value.
        private func see(_ value: Value, in look: UInt64) {
            let seen = Unlocked(value)
            let mustCall = state.withLock { state in
                guard state.phase != .ended, look > state.newestLook, !SessionProperty.isSame(state.last, seen.value)
                else {
                    return false
                }
                state.newestLook = look
                state.untold.append(News(value: seen.value, old: state.last))
                state.last = seen.value
                defer { state.phase = .calling }
                return state.phase == .idle
            }
            if mustCall { tellUntold() }
        }

        /// Calls the observer outside the lock, because its handler may call back.
        private func tellUntold() {
            while true {
                let news = state.withLock { state -> Unlocked<News>? in
                    switch state.phase {
                    case .ended:
                        state.untold = []
                        return nil
                    case .calling, .idle:
                        guard !state.untold.isEmpty else {
                            state.phase = .idle
                            return nil
                        }
                        return Unlocked(state.untold.removeFirst())
                    }
                }
                guard let news = news?.value else { return }
                guard let object else { continue }
                if options.contains(.prior), let old = news.old { tell(object, new: nil, old: old, isPrior: true) }
                tell(object, new: news.value, old: news.old, isPrior: false)
            }
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
