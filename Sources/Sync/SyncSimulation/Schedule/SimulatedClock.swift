import SyncCore

/// A node's clocks: a monotonic one that starts anew in each process, and a wall clock that may be wrong.
package struct SimulatedClock {
    /// What the monotonic clock shows at the start of virtual time.
    private var monotonicOffset: Duration = .zero
    private var wallOffset: Int64
    private let drift: Double

    init(options: SimulationOptions, draws: inout SplitMix64) {
        wallOffset = 1_700_000_000_000 + Int64(draws.below(1_000_000))
        // A clock that runs more than twice as fast might show a time that has no number.
        drift = (draws.unit() * 2 - 1) * min(options.wallDriftMax, SimulationOptions.wallDriftLimit) / 1e6
    }

    /// A clock without faults.
    init(wallMilliseconds: Int64) {
        wallOffset = wallMilliseconds
        drift = 0
    }

    mutating func restart(draws: inout SplitMix64) {
        monotonicOffset = draws.duration(upTo: .seconds(100_000))
    }

    mutating func jump(milliseconds: Int64) {
        wallOffset += milliseconds
    }

    /// Stops the monotonic clock for a time that has passed, as in a device that was asleep.
    mutating func pause(_ duration: Duration) {
        monotonicOffset -= duration
    }

    /// What the clocks show.
    func moment(at now: Instant) -> Moment {
        let elapsed = now.nanoseconds / 1_000_000
        return Moment(
            monotonic: now.advanced(by: monotonicOffset),
            wallMilliseconds: wallOffset + elapsed + Int64(Double(elapsed) * drift))
    }

    /// The virtual time at which the monotonic clock shows a moment.
    func virtual(_ moment: Instant) -> Instant {
        moment.advanced(by: .zero - monotonicOffset)
    }
}
