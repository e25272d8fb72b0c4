package import PoolModel

/// A command to export the configuration.
package struct ConfigurationExport: Codable, Hashable, Sendable {
    /// The absolute path of the file.
    package var path: String
    /// The key that encrypts the file.
    package var key: PassphraseKey
    /// Whether an existing plain file may be replaced.
    package var replaces: Bool

    /// Creates a request.
    package init(path: String, key: PassphraseKey, replaces: Bool = false) {
        self.path = path
        self.key = key
        self.replaces = replaces
    }
}

/// A command to import the configuration of another hub.
package struct ConfigurationImport: Codable, Hashable, Sendable {
    /// The absolute path of the file.
    package var path: String
    /// The key that decrypts the file.
    package var key: PassphraseKey
    /// How entries that differ are merged.
    package var policy: ConfigurationMerge.Policy
    /// Whether to apply the import.
    ///
    /// If false, the reply only says what would change.
    package var applies: Bool

    /// Creates a request.
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
