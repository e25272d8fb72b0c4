import Platform
import SyncCore
import SyncTransport
import TestSupport
import Testing

/// Lets a test wait for a state of something that tells when it changes.
final class Changes: Sendable {
    private let count = Awaited(0)

    /// Something changed.
    func changed() { count.change { $0 += 1 } }

    /// Returns once the condition holds.
    func wait(
        sourceLocation: SourceLocation = #_sourceLocation, until condition: @escaping @Sendable () -> Bool
    ) async {
        await count.wait(sourceLocation: sourceLocation) { _ in condition() }
    }
}

/// The machine's clocks, moved by hand.
final class TurnedClock: Sendable {
    private let offsets = Lock<(monotonic: Duration, wallMilliseconds: Int64)>((.zero, 0))

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
