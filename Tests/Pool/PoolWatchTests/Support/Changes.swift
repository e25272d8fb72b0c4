import Platform
import SyncCore
import SyncTransport
import TestSupport
import Testing

/// Lets a test wait for a condition on something that reports its changes.
final class Changes: Sendable {
    private let count = Awaited(0)

    /// Reports a change.
    func changed() { count.change { $0 += 1 } }

    /// Returns when the condition holds.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until condition: @escaping @Sendable () -> Bool
    ) async {
        await count.wait(sourceLocation: sourceLocation) { _ in condition() }
    }
}

/// Manually controlled clocks.
final class TurnedClock: Sendable {
    private let offsets = Lock<(monotonic: Duration, wallMilliseconds: Int64)>((.zero, 0))

    /// The time of the clocks.
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

    /// Sets the wall clock to a wrong time.
    func setWallClock(aheadBySeconds seconds: Int64) {
        offsets.withLock { $0.wallMilliseconds += seconds * 1000 }
    }
}
