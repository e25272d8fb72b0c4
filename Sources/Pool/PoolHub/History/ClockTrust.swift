import PoolModel

/// Decides whether the wall clock can be trusted when the ages of readings are computed.
///
/// A clock that jumps ahead by years would cause the whole history to be removed. So a jump is trusted only after the
/// clock has advanced evenly for a day; until then ages are computed without the jump. A clock that is set back makes
/// nothing too old, and is trusted at once.
struct ClockTrust {
    /// A time on both clocks.
    struct Moment {
        /// The wall clock.
        var wall: Timestamp
        /// The milliseconds of the monotonic clock.
        var uptime: Int64
    }

    /// The judgement of a time.
    struct Judgement: Equatable {
        /// The time from which ages are computed.
        var now: Timestamp
        /// The size of a jump in milliseconds, if it was detected just now.
        var leap: Int64?
    }

    /// The largest jump that is trusted at once, in milliseconds: a day.
    static let leapMax: Int64 = 86_400_000
    /// The longest time since the last run of the hub that is trusted at once, in milliseconds: 30 days.
    static let absenceMax: Int64 = 30 * 86_400_000
    /// How long the clock must advance evenly after a jump, in milliseconds: a day.
    static let probation: Int64 = 86_400_000

    /// The last known time of the earlier run, from its stored data.
    private let lastKnown: Timestamp?
    private var anchor: Moment?
    private var suspect: Moment?

    /// - Parameter lastKnown: When a reading last arrived before this start; nil if never.
    init(lastKnown: Timestamp?) {
        self.lastKnown = lastKnown
    }

    /// Judges the current time.
    mutating func judge(_ moment: Moment) -> Judgement {
        guard let expected = expected(at: moment.uptime) else {
            anchor = moment
            return Judgement(now: moment.wall)
        }
        let ahead = moment.wall.milliseconds(since: expected)
        if ahead <= (anchor == nil ? Self.absenceMax : Self.leapMax) {
            suspect = nil
            // The anchor never goes back, so that the return of a clock that was set back is no jump.
            if ahead >= 0 { anchor = moment }
            return Judgement(now: moment.wall)
        }
        guard let suspect, Self.isEven(from: suspect, to: moment) else {
            self.suspect = moment
            return Judgement(now: expected, leap: ahead)
        }
        guard moment.uptime - suspect.uptime >= Self.probation else { return Judgement(now: expected) }
        anchor = moment
        self.suspect = nil
        return Judgement(now: moment.wall)
    }

    private func expected(at uptime: Int64) -> Timestamp? {
        anchor.map { $0.wall.advanced(byMilliseconds: uptime - $0.uptime) } ?? lastKnown
    }

    private static func isEven(from first: Moment, to second: Moment) -> Bool {
        let expected = first.wall.advanced(byMilliseconds: second.uptime - first.uptime)
        return abs(second.wall.milliseconds(since: expected)) <= leapMax
    }
}
