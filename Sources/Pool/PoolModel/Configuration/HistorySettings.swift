/// How long the history keeps readings and summaries.
public struct HistorySettings: Codable, Hashable, Sendable {
    /// The days for which single readings are kept; 7…3650.
    public var rawDays: Int
    /// The days for which summaries for charts are kept; ``rawDays``…36 500.
    public var summaryDays: Int

    /// Creates settings; by default 30 days, and ten years of summaries.
    public init(rawDays: Int = 30, summaryDays: Int = 3650) {
        self.rawDays = rawDays
        self.summaryDays = summaryDays
    }

    /// The range of the days for readings.
    public static let rawRange = 7...3650
    /// The most days for summaries.
    public static let summaryDaysMax = 36_500

    /// Checks every field against its documented range.
    ///
    /// - Throws: ``ConfigurationError/retentionOutOfRange(_:days:range:)``.
    public func validate() throws(ConfigurationError) {
        guard Self.rawRange.contains(rawDays) else {
            throw .retentionOutOfRange("readings", days: rawDays, range: Self.rawRange)
        }
        let range = rawDays...Self.summaryDaysMax
        guard range.contains(summaryDays) else {
            throw .retentionOutOfRange("summaries", days: summaryDays, range: range)
        }
    }
}
