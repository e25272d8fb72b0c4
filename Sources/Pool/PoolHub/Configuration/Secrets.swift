import Crypto
import PoolModel
import SyncStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The secrets of the hub: the servers' passwords, the secrets that sign webhooks, and those of services for phones.
///
/// They are in one file of the hub's folder, encrypted with AES-GCM. The key is in another folder, so that neither a copy
/// of the hub's folder nor a backup reveals a password. Both files have the mode 0600.
struct Secrets: Sendable {
    /// The name of the sealed file.
    static let sealedName = "secrets.sealed"
    /// The name of the file with the key.
    static let keyName = "secrets.key"
    /// The purpose that is authenticated with the contents, so that no other file of this key can replace this one.
    private static let purpose = Data("poolsensors secrets 1".utf8)

    private let folder: StateFolder
    private let keys: StateFolder

    /// Creates the secrets of a hub's folder.
    ///
    /// - Parameters:
    ///   - folder: The hub's folder.
    ///   - keys: The folder of the key.
    init(_ folder: StateFolder, keys: StateFolder) {
        self.folder = folder
        self.keys = keys
    }

    /// The name of a secret.
    enum Name: Hashable, Sendable {
        /// The password of a server.
        case password(ServerID)
        /// The secret that signs webhooks under a name.
        case signing(String)
        /// A field of a service for phones.
        ///
        /// It belongs to the address of a server: a secret never goes to another one, even if somebody changes the settings.
        case phone(AlertChannel, field: String, address: String)

        /// The name in the sealed file.
        var text: String {
            switch self {
            case .password(let server): "server/\(server)"
            case .signing(let name): "webhook/\(name)"
            case .phone(let channel, let field, let address): "phone/\(channel.rawValue)/\(field)/\(address)"
            }
        }
    }

    /// The secrets with these names; missing ones are left out.
    ///
    /// - Throws: As ``password(of:)``.
    func secrets(named names: some Sequence<Name>) throws -> [Name: String] {
        let all = try all()
        return Dictionary(names.compactMap { name in all[name.text].map { (name, $0) } }) { first, _ in first }
    }

    /// Stores secrets, and removes those that are nil, all at once.
    ///
    /// - Throws: As ``password(of:)``; then nothing is changed.
    func keep(_ secrets: [Name: String?]) throws {
        let before = try all()
        var all = before
        for (name, secret) in secrets { all[name.text] = secret }
        if all != before { try save(all) }
    }

    /// The password of a server; nil if there is none.
    ///
    /// - Throws: `FolderError` and ``SecretsError``.
    func password(of server: ServerID) throws -> String? {
        try all()[Name.password(server).text]
    }

    /// Stores the password of a server; nil removes it.
    ///
    /// - Throws: As ``password(of:)``.
    func setPassword(_ password: String?, of server: ServerID) throws {
        try keep([.password(server): password])
    }

    /// The secret that signs webhooks under a name; nil if there is none.
    ///
    /// - Throws: As ``password(of:)``.
    func signingSecret(named name: String) throws -> String? {
        try all()[Name.signing(name).text]
    }

    /// Stores a secret that signs webhooks; nil removes it.
    ///
    /// - Throws: As ``password(of:)``.
    func setSigningSecret(_ secret: String?, named name: String) throws {
        try keep([.signing(name): secret])
    }

    /// The secrets of a service at an address, by their fields.
    ///
    /// - Throws: As ``password(of:)``.
    func secrets(of service: PhoneService, at address: String) throws -> [String: String] {
        let all = try all()
        return service.secretFields.reduce(into: [:]) { secrets, field in
            secrets[field.name] = all[Name.phone(service.channel, field: field.name, address: address).text]
        }
    }

    private func all() throws -> [String: String] {
        guard let sealed = try folder.readSecret(Self.sealedName) else { return [:] }
        guard let key = try keys.readSecret(Self.keyName) else {
            throw SecretsError.keyMissing(path: keys.path(of: Self.keyName), sealed: folder.path(of: Self.sealedName))
        }
        do {
            let box = try AES.GCM.SealedBox(combined: sealed)
            let open = try AES.GCM.open(box, using: SymmetricKey(data: key), authenticating: Self.purpose)
            return try CanonicalJSON.decode([String: String].self, from: Array(open))
        } catch {
            // Neither the contents nor the library's text, because both could reveal a secret.
            throw SecretsError.notOpened(path: folder.path(of: Self.sealedName), key: keys.path(of: Self.keyName))
        }
    }

    private func save(_ secrets: [String: String]) throws {
        let box = try AES.GCM.seal(
            try CanonicalJSON.encode(secrets), using: try key(), authenticating: Self.purpose)
        guard let combined = box.combined else { preconditionFailure("a nonce of another length than 12 bytes") }
        try folder.writeSecret(Self.sealedName, Array(combined))
    }

    /// The key; it is created with the first secret.
    private func key() throws -> SymmetricKey {
        if let bytes = try keys.readSecret(Self.keyName) { return SymmetricKey(data: bytes) }
        // The system's generator is cryptographically secure.
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        try keys.writeSecret(Self.keyName, bytes)
        return SymmetricKey(data: bytes)
    }
}

/// Why secrets cannot be read; nothing is changed.
enum SecretsError: Error, Equatable, CustomStringConvertible {
    /// The file of the key is missing.
    case keyMissing(path: String, sealed: String)
    /// The encrypted file is damaged, or has another key.
    case notOpened(path: String, key: String)

    /// The error, the file, and what to do about it.
    var description: String {
        switch self {
        case .keyMissing(let path, let sealed):
            "the key of the passwords, \(path).secret, is missing: restore it, or remove \(sealed).secret and enter "
                + "each password again with `poolsensors server edit NAME --password-stdin`"
        case .notOpened(let path, let key):
            "\(path).secret does not open with the key \(key).secret: restore the matching one, or remove the file "
                + "and enter each password again with `poolsensors server edit NAME --password-stdin`"
        }
    }
}
