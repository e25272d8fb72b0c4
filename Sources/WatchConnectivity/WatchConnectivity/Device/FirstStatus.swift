#if Processes
    import Foundation

    /// Whether a counterpart has sent its first status; lets a thread wait for it.
    // Unchecked: the condition guards the state.
    final class FirstStatus: @unchecked Sendable {
        private let condition = NSCondition()
        private var hasArrived: Bool

        /// - Parameter hasArrived: Whether the status arrived before the device started.
        init(hasArrived: Bool) {
            self.hasArrived = hasArrived
        }

        /// The status has arrived, and the peer has handled it.
        func statusArrived() {
            condition.withLock {
                hasArrived = true
                condition.broadcast()
            }
        }

        /// Waits for the status; false if it has not arrived before the deadline.
        func wait(until deadline: Date) -> Bool {
            condition.withLock {
                while !hasArrived, condition.wait(until: deadline) {}
                return hasArrived
            }
        }
    }
#endif
