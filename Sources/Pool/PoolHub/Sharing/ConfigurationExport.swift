public import PoolModel

/// What a command says of an export of the configuration.
public struct ConfigurationExport: Codable, Sendable {
    /// The file; an absolute path.
    public var path: String
    /// What seals it.
    public var key: PassphraseKey
    /// Whether a plain file of this name may be replaced.
    public var replaces: Bool

    /// Creates a wish.
    public init(path: String, key: PassphraseKey, replaces: Bool = false) {
        self.path = path
        self.key = key
        self.replaces = replaces
    }
}

/// What was written into a file for another hub.
public struct ConfigurationExportReport: Hashable, Codable, Sendable {
    /// The file.
    public var path: String
    /// The revision of the configuration.
    public var revision: UInt64
    /// How many servers it has.
    public var servers: Int
    /// How many devices it has.
    public var devices: Int
    /// How many pools it has.
    public var pools: Int
    /// How many passwords and signing secrets it has.
    public var secrets: Int
    /// What was left out, in sentences: what this version of the program does not understand.
    public var problems: [String]
}

/// What a command says of taking in the configuration of another hub.
public struct ConfigurationImport: Codable, Sendable {
    /// The file; an absolute path.
    public var path: String
    /// What opens it.
    public var key: PassphraseKey
    /// What decides where the two differ.
    public var policy: ConfigurationMerge.Policy
    /// Whether to do it; else it is only told what it would change.
    public var applies: Bool

    /// Creates a wish.
    public init(
        path: String, key: PassphraseKey, policy: ConfigurationMerge.Policy = ConfigurationMerge.Policy(),
        applies: Bool = false
    ) {
        self.path = path
        self.key = key
        self.policy = policy
        self.applies = applies
    }
}

/// What taking in the configuration of another hub changes, or has changed.
public struct ConfigurationImportReport: Hashable, Codable, Sendable {
    /// The file.
    public var path: String
    /// The hub that wrote it: the first digits of its public key.
    public var hub: String
    /// When it was written, by that hub's clock.
    public var writtenAt: Timestamp
    /// The revision that its configuration had.
    public var fileRevision: UInt64
    /// What decided.
    public var policy: ConfigurationMerge.Policy
    /// What is not the same on both sides, and what becomes of it; secrets are told, never shown.
    public var rows: [ConfigurationMerge.Row]
    /// How many entries are the same on both sides.
    public var sameCount: Int
    /// How many entries of this hub change, with those that are added or go.
    public var changeCount: Int
    /// How many of this hub's secrets change, with those that are added or go.
    public var secretCount: Int
    /// What stands against it, in sentences with the way out; nothing is applied while there is anything.
    public var obstacles: [String]
    /// What else a person should know, in sentences: what of the file cannot be read, which files are not here.
    public var notes: [String]
    /// The revision of this hub's configuration before.
    public var revisionBefore: UInt64
    /// The revision since then, nil if nothing was applied.
    public var revision: UInt64?
}
