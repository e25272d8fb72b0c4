import PoolModel
import SyncStore

/// The servers' passwords: in a file of their own that only the hub's user can read, never part of the configuration.
struct Passwords: Sendable {
    static let secretName = "passwords.json"

    private let folder: StateFolder

    init(_ folder: StateFolder) {
        self.folder = folder
    }

    /// The password of a server, nil if there is none.
    ///
    /// - Throws: `FolderError`, or `CanonicalJSON.Failure` for a file that is damaged.
    func password(of server: ServerID) throws -> String? {
        try all()["\(server)"]
    }

    /// Keeps the password of a server, or forgets it if it is nil.
    ///
    /// - Throws: As ``password(of:)``.
    func set(_ password: String?, of server: ServerID) throws {
        var passwords = try all()
        guard passwords["\(server)"] != password else { return }
        passwords["\(server)"] = password
        try folder.writeSecret(Self.secretName, try CanonicalJSON.encode(passwords))
    }

    private func all() throws -> [String: String] {
        guard let bytes = try folder.readSecret(Self.secretName) else { return [:] }
        return try CanonicalJSON.decode([String: String].self, from: bytes)
    }
}
