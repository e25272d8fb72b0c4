import Foundation
import Platform

/// A clock that is turned by hand.
final class ManualClock: Sendable {
    private let time = Lock(ContinuousClock.now)
    var now: ContinuousClock.Instant { time.withLock(\.self) }
    func pass(_ duration: Duration) { time.withLock { $0 += duration } }
}

/// Blocks a thread until it is signalled.
final class HeldThread: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func signal() { semaphore.signal() }
}
