import SyncCore
import SyncLink
import Synchronization

/// Lets a test wait for a state of something that tells when it changes.
final class Changes: Sendable {
    private struct Waiter {
        var isFulfilled: @Sendable () -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private let waiters = Mutex<[Waiter]>([])

    /// Something changed.
    func changed() {
        let fulfilled = waiters.withLock { waiters in
            let fulfilled = waiters.map { $0.isFulfilled() }
            defer { waiters = zip(waiters, fulfilled).filter { !$0.1 }.map(\.0) }
            return zip(waiters, fulfilled).filter(\.1).map(\.0.continuation)
        }
        for continuation in fulfilled { continuation.resume() }
    }

    /// Returns once the condition holds.
    func wait(until condition: @escaping @Sendable () -> Bool) async {
        await withCheckedContinuation { continuation in
            let isFulfilled = waiters.withLock { waiters in
                if condition() { return true }
                waiters.append(Waiter(isFulfilled: condition, continuation: continuation))
                return false
            }
            if isFulfilled { continuation.resume() }
        }
    }
}

/// The machine's clocks, moved by hand.
final class TurnedClock: Sendable {
    private let offsets = Mutex<(monotonic: Duration, wallMilliseconds: Int64)>((.zero, 0))

    /// What the clocks show.
    var moment: Moment {
        let (monotonic, wallMilliseconds) = offsets.withLock(\.self)
        let now = Moment.now
        return Moment(
            monotonic: now.monotonic.advanced(by: monotonic), wallMilliseconds: now.wallMilliseconds + wallMilliseconds)
    }

    /// Lets time pass.
    func pass(seconds: Int64) {
        offsets.withLock {
            $0.monotonic += .seconds(seconds)
            $0.wallMilliseconds += seconds * 1000
        }
    }

    /// Sets the wall clock wrong.
    func setWallClock(aheadBySeconds seconds: Int64) {
        offsets.withLock { $0.wallMilliseconds += seconds * 1000 }
    }
}
