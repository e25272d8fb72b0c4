import Crypto
import PoolModel
import SyncStore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What only the hub may know: the servers' passwords and the webhook's signing secrets.
///
/// They stand in one file of the hub's folder, sealed with AES-GCM under a key that stands in another folder: neither
/// a copy of the hub's folder nor a backup of it tells a password. Both files have the mode 0600.
struct Secrets: Sendable {
    /// The name of the sealed file.
    static let sealedName = "secrets.sealed"
    /// The name of the file with the key.
    static let keyName = "secrets.key"
    /// The name of the file that held passwords before they were sealed.
    static let openName = "passwords.json"
    /// What the seal is bound to, so that no other file of this key can take its place.
    private static let purpose = Data("poolsensors secrets 1".utf8)

    private let folder: StateFolder
    private let keys: StateFolder

    /// Opens the secrets of a hub's folder, and seals what an earlier version left open.
    ///
    /// - Parameters:
    ///   - folder: The hub's folder.
    ///   - keys: The folder of the key.
    /// - Throws: `FolderError`, ``SecretsError``, or `CanonicalJSON.Failure` for an open file that is damaged.
    init(_ folder: StateFolder, keys: StateFolder) throws {
        self.folder = folder
        self.keys = keys
        guard let open = try folder.readSecret(Self.openName) else { return }
        let passwords = try CanonicalJSON.decode([String: String].self, from: open)
        var all = try all()
        all.merge(passwords.map { (Self.name(ofServer: $0.key), $0.value) }) { sealed, _ in sealed }
        try save(all)
        // Only now: what was accepted is never lost.
        try folder.removeSecret(Self.openName)
    }

    /// What a secret is for.
    enum Name: Hashable, Sendable {
        /// The password of a server.
        case password(ServerID)
        /// The secret that signs webhooks under a name.
        case signing(String)

        fileprivate var text: String {
            switch self {
            case .password(let server): Secrets.name(ofServer: "\(server)")
            case .signing(let name): "webhook/\(name)"
            }
        }
    }

    /// The secrets of some names; those that do not exist are left out.
    ///
    /// - Throws: As ``password(of:)``.
    func secrets(named names: some Sequence<Name>) throws -> [Name: String] {
        let all = try all()
        return Dictionary(names.compactMap { name in all[name.text].map { (name, $0) } }) { first, _ in first }
    }

    /// Keeps secrets, or forgets those that are nil, all at once.
    ///
    /// - Throws: As ``password(of:)``; nothing is changed then.
    func keep(_ secrets: [Name: String?]) throws {
        let before = try all()
        var all = before
        for (name, secret) in secrets { all[name.text] = secret }
        if all != before { try save(all) }
    }

    /// The password of a server, or nil.
    ///
    /// - Throws: `FolderError` and ``SecretsError``.
    func password(of server: ServerID) throws -> String? {
        try all()[Name.password(server).text]
    }

    /// Keeps the password of a server, or forgets it if it is nil.
    ///
    /// - Throws: As ``password(of:)``.
    func setPassword(_ password: String?, of server: ServerID) throws {
        try keep([.password(server): password])
    }

    /// The secret that signs webhooks under a name, or nil.
    ///
    /// - Throws: As ``password(of:)``.
    func signingSecret(named name: String) throws -> String? {
        try all()[Name.signing(name).text]
    }

    /// Keeps a secret that signs webhooks, or forgets it if it is nil.
    ///
    /// - Throws: As ``password(of:)``.
    func setSigningSecret(_ secret: String?, named name: String) throws {
        try keep([.signing(name): secret])
    }

    private static func name(ofServer id: String) -> String { "server/\(id)" }

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
            // Neither the contents nor the library's words: both could tell of a secret.
            throw SecretsError.notOpened(path: folder.path(of: Self.sealedName), key: keys.path(of: Self.keyName))
        }
    }

    private func save(_ secrets: [String: String]) throws {
        let box = try AES.GCM.seal(
            try CanonicalJSON.encode(secrets), using: try key(), authenticating: Self.purpose)
        guard let combined = box.combined else { preconditionFailure("a nonce of another length than 12 bytes") }
        try folder.writeSecret(Self.sealedName, Array(combined))
    }

    /// The key; it is made with the first secret.
    private func key() throws -> SymmetricKey {
        if let bytes = try keys.readSecret(Self.keyName) { return SymmetricKey(data: bytes) }
        // The system's generator is fit for keys.
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
        try keys.writeSecret(Self.keyName, bytes)
        return SymmetricKey(data: bytes)
    }
}

/// Why secrets cannot be read; nothing was changed.
enum SecretsError: Error, Equatable, CustomStringConvertible {
    /// The key is not where it was.
    case keyMissing(path: String, sealed: String)
    /// The sealed file is damaged, or was sealed with another key.
    case notOpened(path: String, key: String)

    /// What is wrong, with which file, and the way out.
    var description: String {
        switch self {
        case .keyMissing(let path, let sealed):
            "the key of the passwords, \(path).secret, is not there: put it back, or remove \(sealed).secret and give "
                + "each password again with `poolsensors server edit NAME --password-stdin`"
        case .notOpened(let path, let key):
            "\(path).secret does not open with the key \(key).secret: put the matching one back, or remove the file "
                + "and give each password again with `poolsensors server edit NAME --password-stdin`"
        }
    }
}
