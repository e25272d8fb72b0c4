internal import PoolModel

/// How long readings and their rollups are kept, in days since they were sampled.
///
/// A day is 86 400 s. What is coarser is kept at least as long as what is finer.
public struct Retention: Hashable, Sendable {
    /// The days that may be asked for.
    public static let rawDaysRange = 7...3650
    /// What is kept unless somebody chooses otherwise: readings for 30 days, minutes for 90 days, quarter hours for two
    /// years, hours for ten years, and days forever.
    public static let standard = Retention(checkedRawDays: 30, summaryDays: 3650)

    /// How long the readings themselves are kept.
    public let rawDays: Int
    /// The longest time that a rollup is kept, those of days apart, which stay forever.
    public let summaryDays: Int

    /// A retention of readings of so many days, with the standard one of rollups up to a limit.
    ///
    /// - Parameters:
    ///   - rawDays: The days; ``rawDaysRange``.
    ///   - summaryDays: The days of hours, and the most of what is finer; less than `rawDays` counts as `rawDays`.
    /// - Throws: ``RetentionError`` for another number, also for 0: it never means "forever" or "for a day".
    public init(rawDays: Int, summaryDays: Int = 3650) throws(RetentionError) {
        guard Self.rawDaysRange.contains(rawDays) else { throw .days(rawDays) }
        self.init(checkedRawDays: rawDays, summaryDays: max(rawDays, summaryDays))
    }

    private init(checkedRawDays: Int, summaryDays: Int) {
        rawDays = checkedRawDays
        self.summaryDays = summaryDays
    }

    /// The days that a level is kept, nil forever.
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

    /// What is wrong, and what is possible.
    public var description: String {
        switch self {
        case .days(let days):
            "readings cannot be kept for \(days) days: choose \(Retention.rawDaysRange.lowerBound) to "
                + "\(Retention.rawDaysRange.upperBound)"
        }
    }
}
