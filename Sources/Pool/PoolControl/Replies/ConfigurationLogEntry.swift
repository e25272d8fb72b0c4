package import PoolModel

/// A change of the configuration: who changed what, and when.
package struct ConfigurationLogEntry: Hashable, Codable, Sendable {
    /// A changed field.
    package struct Change: Hashable, Codable, Sendable {
        /// The changed field, such as `name of the device "Lagoon"`.
        package var subject: String
        /// The new value; nil if it was removed.
        package var value: String?

        /// Creates a change.
        package init(
            subject: String, value: String? = nil
        ) {
            self.subject = subject
            self.value = value
        }
    }

    /// The revision after the change.
    package var revision: UInt64
    /// The epoch of the revision, 16 hexadecimal digits.
    package var epoch: String
    /// When it was changed, by the hub's clock.
    package var at: Timestamp
    /// Who changed it: `hub`, or the name of a watch.
    package var author: String
    /// The changed fields.
    package var changes: [Change]
    /// The values that the change rejected; they were logged as conflicts.
    package var conflicts: [ConflictSummary]
    /// The conflicts that the change resolved.
    package var settled: [ConflictID]

    /// Creates a configuration log entry.
    package init(
        revision: UInt64, epoch: String, at: Timestamp, author: String, changes: [Change], conflicts: [ConflictSummary],
        settled: [ConflictID]
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
