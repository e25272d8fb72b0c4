import Foundation

/// Whether a counterpart has said how it is; lets a thread wait for that.
// Unchecked: the condition guards what is kept.
final class FirstStatus: @unchecked Sendable {
    private let condition = NSCondition()
    private var isHeard: Bool

    /// - Parameter isHeard: Whether it said so before the device started.
    init(isHeard: Bool) {
        self.isHeard = isHeard
    }

    /// It has said it, and the companion knows.
    func hear() {
        condition.withLock {
            isHeard = true
            condition.broadcast()
        }
    }

    /// Waits until it was said; false if it was not until then.
    func wait(until deadline: Date) -> Bool {
        condition.withLock {
            while !isHeard, condition.wait(until: deadline) {}
            return isHeard
        }
    }
}
