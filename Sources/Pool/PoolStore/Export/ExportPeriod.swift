public import PoolModel

extension ExportSettings.Period {
    /// The period to export.
    ///
    /// After an export it is the next period, once that has ended. If several periods have ended since, it is all of
    /// them together, in one file. A first export covers the last whole period.
    /// - Parameters:
    ///   - now: The present time.
    ///   - exportedUntil: The end of the last exported period. It is ignored if it is more than a period after `now`,
    ///     because then the clock was wrong.
    /// - Returns: The period; nil if none is due.
    public func due(now: Timestamp, exportedUntil: Timestamp?) -> ExportPeriod? {
        let end = start(ofPeriodWith: now)
        let lastWhole = ExportPeriod(start: start(ofPeriodWith: end.advanced(byMilliseconds: -1)), end: end)
        guard let exportedUntil, exportedUntil.milliseconds(since: now) <= milliseconds else { return lastWhole }
        return exportedUntil < end ? ExportPeriod(start: exportedUntil, end: end) : nil
    }

    /// The start of the period that contains a time.
    private func start(ofPeriodWith moment: Timestamp) -> Timestamp {
        // A month has the number of days in the calendar; beyond the years that a text can represent, 31.
        if self == .monthly, let first = Timestamp(iso8601: moment.iso8601.prefix(7) + "-01T00:00:00Z") { return first }
        let number = (moment.milliseconds - origin).floored(by: milliseconds)
        return Timestamp(milliseconds: origin + number * milliseconds)
    }

    /// The length of a period, in milliseconds; for a month the longest one.
    private var milliseconds: Int64 {
        switch self {
        case .hourly: 3_600_000
        case .daily: 86_400_000
        case .weekly: 604_800_000
        case .monthly: 31 * 86_400_000
        }
    }

    /// A time at which a period starts: 1970 began on a Thursday.
    private var origin: Int64 { self == .weekly ? 4 * 86_400_000 : 0 }
}

/// A span of time that is exported into one file.
public struct ExportPeriod: Hashable, Sendable {
    /// The start, included.
    public var start: Timestamp
    /// The end, not included.
    public var end: Timestamp

    /// Creates a period.
    public init(start: Timestamp, end: Timestamp) {
        self.start = start
        self.end = end
    }

    /// The name of its file without an extension: start and end to the minute in UTC, sortable, without colons.
    public func fileName(_ name: String) -> String { "\(name)-\(Self.text(start))-\(Self.text(end))" }

    private static func text(_ moment: Timestamp) -> String {
        // 2026-06-01T12:00:00.000Z becomes 20260601T1200Z.
        String(moment.iso8601.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" }.dropLast(2)) + "Z"
    }
}
