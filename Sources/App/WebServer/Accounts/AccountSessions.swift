import GRDB
import Text
import Vault

/// The sessions of users and of links; of a secret only the hash is stored.
struct AccountSessions: Sendable {
    /// How long a session lasts after its last request, in milliseconds: 30 days.
    static let milliseconds: Int64 = 30 * 86_400_000

    private let file: AccountFile

    init(_ file: AccountFile) { self.file = file }

    /// The account of a session; nil if there is no such session any more.
    ///
    /// That it was used is only noted: see ``UseNotes``.
    func account(of secret: String, at now: Timestamp) async throws -> Account? {
        let hash = SecretText.hash(secret)
        let used = file.notes.use(ofSession: hash)
        let found = try await file.account(of: hash, at: now) { database in
            guard let row = try Row.fetchOne(database, sql: "SELECT * FROM session WHERE hash = ?", arguments: [hash])
            else { return nil }
            var expires: Int64 = row["expires"]
            if row["share"] as String? == nil, let used { expires = max(expires, used + Self.milliseconds) }
            guard expires > now.milliseconds,
                let account = try Self.account(of: row, key: hash, expires: expires, database, at: now)
            else { return nil }
            return (account, row["lastUsed"])
        } note: { lastUsed in
            file.notes.note(session: hash, at: now.milliseconds, after: lastUsed)
        }
        guard let found else { return nil }
        var account = found.account
        account.session = secret
        account.isRenewed = found.isRenewed
        return account
    }

    private static func account(
        of row: Row, key: String, expires: Int64, _ database: Database, at now: Timestamp
    ) throws -> Account? {
        if let share = row["share"] as String? {
            guard
                let found = try Row.fetchOne(
                    database, sql: "SELECT * FROM share WHERE hash = ? AND expires > ?",
                    arguments: [share, now.milliseconds]),
                let scope = found[AccountFile.scopeColumn] as String?
            else { return nil }
            return Account(
                kind: .share, name: "link \(share.prefix(8))", role: .guest,
                grants: [Grant(scope: scope, level: .read)], key: "session \(key)", share: share,
                expires: Timestamp(milliseconds: found["expires"]))
        }
        guard let id = row["user"] as String?, let user = try AccountUser.find(id, database), !user.isDisabled else {
            return nil
        }
        return Account(
            kind: .user, userID: user.id, name: user.name, role: user.role, grants: user.grants, key: "session \(key)",
            expires: Timestamp(milliseconds: expires),
            confirmed: (row["confirmed"] as Int64?).map { Timestamp(milliseconds: $0) })
    }

    /// Begins a session of a user, and notes the browser; the secrets are returned, and nowhere stored.
    ///
    /// `device` is what the browser has of an earlier login, see ``AccountDevices``.
    func begin(
        of user: String, agent: String, device: String? = nil, at now: Timestamp
    ) async throws -> (session: String, device: String?) {
        let secret = SecretText.make(byteCount: 32)
        let kept = try await file.write { database in
            try database.execute(sql: "DELETE FROM session WHERE expires <= ?", arguments: [now.milliseconds])
            try Self.makeRoom(for: user, database)
            try database.execute(
                sql: """
                    INSERT INTO session (hash, user, created, lastUsed, expires, confirmed, agent)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    SecretText.hash(secret), user, now.milliseconds, now.milliseconds,
                    now.advanced(byMilliseconds: Self.milliseconds).milliseconds, now.milliseconds,
                    agent.shortened,
                ])
            try database.execute(sql: "UPDATE user SET seen = ? WHERE id = ?", arguments: [now.milliseconds, user])
            return try AccountDevices.note(device, of: user, database, at: now)
        }
        return (secret, kept)
    }

    /// Keeps the sessions of a user few: the oldest end.
    private static func makeRoom(for user: String, _ database: Database) throws {
        try database.execute(
            sql: """
                DELETE FROM session WHERE hash IN (
                    SELECT hash FROM session WHERE user = ? ORDER BY lastUsed DESC LIMIT -1 OFFSET 49)
                """, arguments: [user])
    }

    /// Begins a session by a link; nil if the link is unknown, revoked or too old.
    func begin(share secret: String, agent: String, at now: Timestamp) async throws -> String? {
        let session = SecretText.make(byteCount: 32)
        let hash = SecretText.hash(secret)
        return try await file.write { database in
            guard
                let expires = try Int64.fetchOne(
                    database, sql: "SELECT expires FROM share WHERE hash = ? AND expires > ?",
                    arguments: [hash, now.milliseconds])
            else { return nil }
            try database.execute(sql: "UPDATE share SET uses = uses + 1 WHERE hash = ?", arguments: [hash])
            try database.execute(
                sql: """
                    DELETE FROM session WHERE hash IN (
                        SELECT hash FROM session WHERE share = ? ORDER BY lastUsed DESC LIMIT -1 OFFSET 99)
                    """, arguments: [hash])
            try database.execute(
                sql: """
                    INSERT INTO session (hash, share, created, lastUsed, expires, agent) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    SecretText.hash(session), hash, now.milliseconds, now.milliseconds, expires, agent.shortened,
                ])
            return session
        }
    }

    func end(_ secret: String) async throws {
        try await file.write {
            try $0.execute(sql: "DELETE FROM session WHERE hash = ?", arguments: [SecretText.hash(secret)])
        }
    }

    /// Notes that the password was entered again.
    func confirm(_ secret: String, at now: Timestamp) async throws {
        try await file.write {
            try $0.execute(
                sql: "UPDATE session SET confirmed = ? WHERE hash = ?",
                arguments: [now.milliseconds, SecretText.hash(secret)])
        }
    }

    // MARK: - All of a user

    /// The sessions of a user that have not ended, newest use first.
    func all(of user: String, at now: Timestamp) async throws -> [AccountSession] {
        let used = file.notes.pending
        return try await file.read { database in
            try Row.fetchAll(database, sql: "SELECT * FROM session WHERE user = ?", arguments: [user])
                .map { AccountSession($0, used: used) }
        }.filter { $0.expires > now }.sorted { $0.lastUsed > $1.lastUsed }
    }

    /// Ends a session of a user by its id; whether there was one.
    func end(_ id: String, of user: String) async throws -> Bool {
        try await file.write { database in
            try database.execute(
                sql: "DELETE FROM session WHERE user = ? AND substr(hash, 1, 16) = ?", arguments: [user, id])
            return database.changesCount > 0
        }
    }

    /// Ends all sessions of a user; how many there were.
    func end(of user: String) async throws -> Int {
        try await file.write { database in
            try database.execute(sql: "DELETE FROM session WHERE user = ?", arguments: [user])
            return database.changesCount
        }
    }
}

/// A session of a user, as it is listed.
struct AccountSession: Encodable, Sendable {
    /// The beginning of the hash, by which it is named.
    var id: String
    var created: Timestamp
    var lastUsed: Timestamp
    var expires: Timestamp
    /// What the browser says that it is.
    var agent: String
    /// Whether it is that of the request.
    var isThis = false

    init(_ row: Row, used: UseNotes.Pending) {
        let hash: String = row["hash"]
        id = String(hash.prefix(16))
        created = Timestamp(milliseconds: row["created"])
        let (noted, last): (Int64?, Int64) = (used.sessions[hash], row["lastUsed"])
        lastUsed = Timestamp(milliseconds: max(noted ?? last, last))
        expires = Timestamp(
            milliseconds: max(row["expires"], (noted ?? last) + AccountSessions.milliseconds))
        agent = row["agent"]
    }
}
