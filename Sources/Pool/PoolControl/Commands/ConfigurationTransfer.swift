package import PoolModel

/// What a command says of an export of the configuration.
package struct ConfigurationExport: Codable, Hashable, Sendable {
    /// The file; an absolute path.
    package var path: String
    /// What seals it.
    package var key: PassphraseKey
    /// Whether a plain file of this name may be replaced.
    package var replaces: Bool

    /// Creates a wish.
    package init(path: String, key: PassphraseKey, replaces: Bool = false) {
        self.path = path
        self.key = key
        self.replaces = replaces
    }
}

/// What a command says of taking in the configuration of another hub.
package struct ConfigurationImport: Codable, Hashable, Sendable {
    /// The file; an absolute path.
    package var path: String
    /// What opens it.
    package var key: PassphraseKey
    /// What decides where the two differ.
    package var policy: ConfigurationMerge.Policy
    /// Whether to do it; else it is only told what it would change.
    package var applies: Bool

    /// Creates a wish.
    package init(
        path: String, key: PassphraseKey, policy: ConfigurationMerge.Policy = ConfigurationMerge.Policy(),
        applies: Bool = false
    ) {
        self.path = path
        self.key = key
        self.policy = policy
        self.applies = applies
    }
}
