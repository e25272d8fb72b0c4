public import PoolModel

/// One step of the configuration's history: who changed what, and when.
public struct ConfigurationLogEntry: Hashable, Codable, Sendable {
    /// One thing that changed.
    public struct Change: Hashable, Codable, Sendable {
        /// What, such as `name of the device "Lagoon"`.
        public var subject: String
        /// What it is since then, nil if it was removed.
        public var value: String?
    }

    /// The revision to which it led.
    public var revision: UInt64
    /// The history to which the revision belongs, 16 hexadecimal digits.
    public var epoch: String
    /// When, by the hub's clock.
    public var at: Timestamp
    /// Who: `hub`, or the name of a watch.
    public var author: String
    /// What changed.
    public var changes: [Change]
    /// The values that lost with it, and were logged as conflicts.
    public var conflicts: [ConflictSummary]
    /// The names of the conflicts that were settled with it.
    public var settled: [String]
}
