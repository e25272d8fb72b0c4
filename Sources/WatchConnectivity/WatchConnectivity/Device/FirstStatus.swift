import Foundation

/// Whether a counterpart has sent its first status; lets a thread wait for it.
// Unchecked: the condition guards the state.
final class FirstStatus: @unchecked Sendable {
    private let condition = NSCondition()
    private var isHeard: Bool

    /// - Parameter isHeard: Whether the status arrived before the device started.
    init(isHeard: Bool) {
        self.isHeard = isHeard
    }

    /// The status has arrived, and the peer has handled it.
    func hear() {
        condition.withLock {
            isHeard = true
            condition.broadcast()
        }
    }

    /// Waits for the status; false if it has not arrived before the deadline.
    func wait(until deadline: Date) -> Bool {
        condition.withLock {
            while !isHeard, condition.wait(until: deadline) {}
            return isHeard
        }
    }
}
