import Crypto
package import SyncStore
import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Secrets under names, in one file of a folder, encrypted with AES-GCM.
///
/// The key is in another folder, so that neither a copy of the folder nor a backup reveals a secret. Both files have the mode
/// 0600. A program keeps the folder to itself while it uses them; calls of several threads must not overlap.
package struct SealedSecrets: Sendable {
    /// The name of the sealed file.
    package static let sealedName = "secrets.sealed"
    /// The name of the file with the key.
    package static let keyName = "secrets.key"

    private let folder: StateFolder
    private let keys: StateFolder
    private let purpose: Data
    private let replacement: String

    /// Creates the secrets of a folder.
    ///
    /// - Parameters:
    ///   - folder: The folder of the sealed file.
    ///   - keys: The folder of the key.
    ///   - purpose: What the secrets are for; it is authenticated with the contents, so that no other file of this key can
    ///     replace this one.
    ///   - replacement: How a person gives the secrets again after they were lost, for the text of errors.
    package init(_ folder: StateFolder, keys: StateFolder, purpose: String, replacement: String) {
        self.folder = folder
        self.keys = keys
        self.purpose = Data(purpose.utf8)
        self.replacement = replacement
    }

    /// All secrets by their names; empty if there is no file.
    ///
    /// - Throws: `FolderError` and ``SecretsError``.
    package func all() throws -> [String: String] {
        guard let sealed = try folder.readSecret(Self.sealedName) else { return [:] }
        guard let key = try keys.readSecret(Self.keyName) else {
            throw SecretsError.keyMissing(
                path: keys.path(of: Self.keyName), sealed: folder.path(of: Self.sealedName), replacement: replacement)
        }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            let open = try AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: purpose)
            return try CanonicalJSON.decode([String: String].self, from: Array(open))
        } catch {
            // Neither the contents nor the library's text, because both could reveal a secret.
            throw SecretsError.notOpened(
                path: folder.path(of: Self.sealedName), key: keys.path(of: Self.keyName), replacement: replacement)
        }
    }

    /// Stores secrets, and removes those that are nil, all at once.
    ///
    /// - Throws: As ``all()``; then nothing is changed.
    package func keep(_ secrets: [String: String?]) throws {
        let before = try all()
        var after = before
        for (name, secret) in secrets { after[name] = secret }
        guard after != before else { return }
        let box = try AES.GCM.seal(try CanonicalJSON.encode(after), using: try key(), authenticating: purpose)
        guard let combined = box.combined else { preconditionFailure("a nonce of another length than 12 bytes") }
        try folder.writeSecret(Self.sealedName, Array(combined))
    }

    /// The key; it is created with the first secret.
    private func key() throws -> SymmetricKey {
        if let bytes = try keys.readSecret(Self.keyName) { return SymmetricKey(data: bytes) }
        let bytes = SecretText.bytes(32)
        try keys.writeSecret(Self.keyName, bytes)
        return SymmetricKey(data: bytes)
    }
}

/// Why secrets cannot be read; nothing is changed.
package enum SecretsError: Error, Equatable, CustomStringConvertible {
    /// The file of the key is missing.
    case keyMissing(path: String, sealed: String, replacement: String)
    /// The encrypted file is damaged, or has another key.
    case notOpened(path: String, key: String, replacement: String)

    /// The error, the file, and what to do about it.
    package var description: String {
        switch self {
        case .keyMissing(let path, let sealed, let replacement):
            "the key of the passwords, \(path).secret, is missing: restore it, or remove \(sealed).secret and "
                + replacement
        case .notOpened(let path, let key, let replacement):
            "\(path).secret does not open with the key \(key).secret: restore the matching one, or remove the file and "
                + replacement
        }
    }
}
