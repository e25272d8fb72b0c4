import PoolModel

/// Decides whether the wall clock can be believed when it says that readings are too old.
///
/// A clock that leaps ahead by years would have all of the history removed. So a leap is believed only after the clock
/// has gone on evenly from there for a day; meanwhile ages count from where it would be without the leap. A clock that
/// is set back makes nothing too old, and is believed at once.
struct ClockTrust {
    /// What the clocks show at a moment.
    struct Moment {
        /// The wall clock.
        var wall: Timestamp
        /// The milliseconds of a clock that nobody sets.
        var uptime: Int64
    }

    /// What is thought of a moment.
    struct Judgement: Equatable {
        /// The moment from which ages count.
        var now: Timestamp
        /// By how many milliseconds the clock has leapt ahead, if that was noticed just now.
        var leap: Int64?
    }

    /// The longest leap that is believed at once, in milliseconds: a day.
    static let leapMax: Int64 = 86_400_000
    /// The longest time without a sign of the hub that is believed at once at its start, in milliseconds: 30 days.
    static let absenceMax: Int64 = 30 * 86_400_000
    /// How long the clock must go on evenly after a leap, in milliseconds: a day.
    static let probation: Int64 = 86_400_000

    /// The time when the hub was last known to run, by what it stored.
    private let lastKnown: Timestamp?
    private var anchor: Moment?
    private var suspect: Moment?

    /// - Parameter lastKnown: When a reading last arrived before this start; nil if never.
    init(lastKnown: Timestamp?) {
        self.lastKnown = lastKnown
    }

    /// Judges what the clocks show now.
    mutating func judge(_ moment: Moment) -> Judgement {
        guard let expected = expected(at: moment.uptime) else {
            anchor = moment
            return Judgement(now: moment.wall)
        }
        let ahead = moment.wall.milliseconds(since: expected)
        if ahead <= (anchor == nil ? Self.absenceMax : Self.leapMax) {
            suspect = nil
            // The anchor never goes back: from a clock that was set back to the right time is no leap.
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
