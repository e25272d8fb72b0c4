import Foundation

/// Holds threads until it is opened; then it stays open.
final class Gate: Sendable {
    private let condition = NSCondition()
    // Only touched under the lock of the condition.
    nonisolated(unsafe) private var isOpen = false

    func waitUntilOpen() {
        condition.withLock {
            while unsafe !isOpen { condition.wait() }
        }
    }

    func open() {
        condition.withLock {
            unsafe isOpen = true
            condition.broadcast()
        }
    }
}
