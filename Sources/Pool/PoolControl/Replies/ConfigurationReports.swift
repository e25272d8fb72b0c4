package import PoolModel

/// What was written into a file for another hub.
package struct ConfigurationExportReport: Hashable, Codable, Sendable {
    /// The file.
    package var path: String
    /// The revision of the configuration.
    package var revision: UInt64
    /// How many servers it has.
    package var servers: Int
    /// How many devices it has.
    package var devices: Int
    /// How many pools it has.
    package var pools: Int
    /// How many passwords and signing secrets it has.
    package var secrets: Int
    /// What was left out, in sentences: what this version of the program does not understand.
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

/// What taking in the configuration of another hub changes, or has changed.
package struct ConfigurationImportReport: Hashable, Codable, Sendable {
    /// The file.
    package var path: String
    /// The hub that wrote it: the first digits of its package key.
    package var hub: String
    /// When it was written, by that hub's clock.
    package var writtenAt: Timestamp
    /// The revision that its configuration had.
    package var fileRevision: UInt64
    /// What decided.
    package var policy: ConfigurationMerge.Policy
    /// What is not the same on both sides, and what becomes of it; secrets are told, never shown.
    package var rows: [ConfigurationMerge.Row]
    /// How many entries are the same on both sides.
    package var sameCount: Int
    /// How many entries of this hub change, with those that are added or go.
    package var changeCount: Int
    /// How many of this hub's secrets change, with those that are added or go.
    package var secretCount: Int
    /// What stands against it, in sentences with the way out; nothing is applied while there is anything.
    package var obstacles: [String]
    /// What else a person should know, in sentences: what of the file cannot be read, which files are not here.
    package var notes: [String]
    /// The revision of this hub's configuration before.
    package var revisionBefore: UInt64
    /// The revision since then, nil if nothing was applied.
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
