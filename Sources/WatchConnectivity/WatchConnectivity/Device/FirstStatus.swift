import Foundation
import Synchronization

/// Whether a counterpart has said how it is; lets a thread wait for that.
final class FirstStatus: Sendable {
    private let condition = NSCondition()
    private let isHeard: Mutex<Bool>

    /// - Parameter isHeard: Whether it said so in an earlier life.
    init(isHeard: Bool) {
        self.isHeard = Mutex(isHeard)
    }

    /// It has said it, and the companion knows.
    func hear() {
        condition.withLock {
            isHeard.withLock { $0 = true }
            condition.broadcast()
        }
    }

    /// Waits until it was said; false if it was not until then.
    func wait(until deadline: Date) -> Bool {
        condition.withLock {
            while !isHeard.withLock(\.self) {
                guard condition.wait(until: deadline) else { return isHeard.withLock(\.self) }
            }
            return true
        }
    }
}
