package import PoolModel

/// The result of an export of the configuration.
package struct ConfigurationExportReport: Hashable, Codable, Sendable {
    /// The absolute path of the file that was written.
    package var path: String
    /// The revision of the configuration.
    package var revision: UInt64
    /// The number of servers in the file.
    package var servers: Int
    /// The number of devices in the file.
    package var devices: Int
    /// The number of pools in the file.
    package var pools: Int
    /// The number of passwords and signing secrets in the file.
    package var secrets: Int
    /// The entries that were left out because this version of the program does not understand them, as sentences.
    package var problems: [String]

    /// Creates a configuration export report.
    package init(
        path: String, revision: UInt64, servers: Int, devices: Int, pools: Int, secrets: Int, problems: [String]
    ) {
        self.path = path
        self.revision = revision
        self.servers = servers
        self.devices = devices
        self.pools = pools
        self.secrets = secrets
        self.problems = problems
    }
}

/// The result or the preview of an import of a configuration.
package struct ConfigurationImportReport: Hashable, Codable, Sendable {
    /// The path of the file that was read.
    package var path: String
    /// The hub that wrote it: the first digits of its public key.
    package var hub: String
    /// When it was written, by that hub's clock.
    package var writtenAt: Timestamp
    /// The revision of the configuration in the file.
    package var fileRevision: UInt64
    /// How differing entries were merged.
    package var policy: ConfigurationMerge.Policy
    /// The entries that differ, and what happens to each.
    ///
    /// Secrets are listed, but their values are never shown.
    package var rows: [ConfigurationMerge.Row]
    /// The number of entries that are equal on both sides.
    package var sameCount: Int
    /// The number of entries of this hub that are changed, added or removed.
    package var changeCount: Int
    /// The number of secrets of this hub that are changed, added or removed.
    package var secretCount: Int
    /// What prevents the import, as sentences with what to do about it.
    ///
    /// If there are any, nothing is applied.
    package var obstacles: [String]
    /// Other information for the user, as sentences: unreadable parts of the file, and files that do not exist here.
    package var notes: [String]
    /// The revision of this hub's configuration before the import.
    package var revisionBefore: UInt64
    /// The revision after the import; nil if nothing was applied.
    package var revision: UInt64?

    /// Creates a configuration import report.
    package init(
        path: String, hub: String, writtenAt: Timestamp, fileRevision: UInt64, policy: ConfigurationMerge.Policy,
        rows: [ConfigurationMerge.Row], sameCount: Int, changeCount: Int, secretCount: Int, obstacles: [String],
        notes: [String], revisionBefore: UInt64, revision: UInt64? = nil
    ) {
        self.path = path
        self.hub = hub
        self.writtenAt = writtenAt
        self.fileRevision = fileRevision
        self.policy = policy
        self.rows = rows
        self.sameCount = sameCount
        self.changeCount = changeCount
        self.secretCount = secretCount
        self.obstacles = obstacles
        self.notes = notes
        self.revisionBefore = revisionBefore
        self.revision = revision
    }
}
