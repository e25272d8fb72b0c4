internal import PoolModel

/// How long readings and their rollups are kept, in days since they were sampled.
///
/// A day is 86 400 s. A coarser level is kept at least as long as a finer one.
public struct Retention: Hashable, Sendable {
    /// The allowed numbers of days.
    public static let rawDaysRange = 7...3650
    /// The default: readings for 30 days, minutes for 90 days, quarter hours for two years, hours for ten years, and
    /// days forever.
    public static let standard = Retention(checkedRawDays: 30, summaryDays: 3650)

    /// How long the readings themselves are kept.
    public let rawDays: Int
    /// The longest time that a rollup is kept, except for the level of days, which is kept forever.
    public let summaryDays: Int

    /// Creates a retention of readings for a number of days, with the standard retention of rollups up to a limit.
    ///
    /// - Parameters:
    ///   - rawDays: The days; ``rawDaysRange``.
    ///   - summaryDays: The days for the level of hours, and the limit for finer ones; less than `rawDays` counts as
    ///     `rawDays`.
    /// - Throws: ``RetentionError`` for another number, also for 0: it means neither "forever" nor "for a day".
    public init(rawDays: Int, summaryDays: Int = 3650) throws(RetentionError) {
        guard Self.rawDaysRange.contains(rawDays) else { throw .days(rawDays) }
        self.init(checkedRawDays: rawDays, summaryDays: max(rawDays, summaryDays))
    }

    private init(checkedRawDays: Int, summaryDays: Int) {
        rawDays = checkedRawDays
        self.summaryDays = summaryDays
    }

    /// The number of days that a level is kept; nil means forever.
    func days(of level: RollupLevel) -> Int? {
        switch level {
        case .minute: min(max(90, rawDays), summaryDays)
        case .quarterHour: min(max(730, rawDays), summaryDays)
        case .hour: summaryDays
        case .day: nil
        }
    }
}

/// Why a retention cannot be used.
@nonexhaustive
public enum RetentionError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The number of days is out of range.
    case days(Int)

    /// The error, and the allowed range.
    public var description: String {
        switch self {
        case .days(let days):
            "readings cannot be kept for \(days) days: choose \(Retention.rawDaysRange.lowerBound) to "
                + "\(Retention.rawDaysRange.upperBound)"
        }
    }
}
