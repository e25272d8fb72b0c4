package import PoolModel

/// One step of the configuration's history: who changed what, and when.
package struct ConfigurationLogEntry: Hashable, Codable, Sendable {
    /// One thing that changed.
    package struct Change: Hashable, Codable, Sendable {
        /// What, such as `name of the device "Lagoon"`.
        package var subject: String
        /// What it is since then, nil if it was removed.
        package var value: String?

        /// Creates a change.
        package init(
            subject: String, value: String? = nil
        ) {
            self.subject = subject
            self.value = value
        }
    }

    /// The revision to which it led.
    package var revision: UInt64
    /// The history to which the revision belongs, 16 hexadecimal digits.
    package var epoch: String
    /// When, by the hub's clock.
    package var at: Timestamp
    /// Who: `hub`, or the name of a watch.
    package var author: String
    /// What changed.
    package var changes: [Change]
    /// The values that lost with it, and were logged as conflicts.
    package var conflicts: [ConflictSummary]
    /// The names of the conflicts that were settled with it.
    package var settled: [String]

    /// Creates a configuration log entry.
    package init(
        revision: UInt64, epoch: String, at: Timestamp, author: String, changes: [Change], conflicts: [ConflictSummary],
        settled: [String]
    ) {
        self.revision = revision
        self.epoch = epoch
        self.at = at
        self.author = author
        self.changes = changes
        self.conflicts = conflicts
        self.settled = settled
    }
}
