import GRDB
import PoolModel

/// The sessions of users and of links; of a secret only the hash is stored.
struct AccountSessions: Sendable {
    /// How long a session lasts after its last request, in milliseconds: 30 days.
    static let milliseconds: Int64 = 30 * 86_400_000

    private let file: AccountFile

    init(_ file: AccountFile) { self.file = file }

    /// The account of a session; nil if there is no such session any more.
    func account(of secret: String, at now: Timestamp) throws -> Account? {
        let hash = SecretText.hash(secret)
        let found = try file.read { database -> (Account, Int64)? in
            guard
                let row = try Row.fetchOne(
                    database, sql: "SELECT * FROM session WHERE hash = ? AND expires > ?",
                    arguments: [hash, now.milliseconds])
            else { return nil }
            guard let account = try Self.account(of: row, key: hash, database, at: now) else { return nil }
            var known = account
            known.session = secret
            return (known, row["lastUsed"])
        }
        guard let (account, lastUsed) = found else { return nil }
        if now.milliseconds - lastUsed > AccountFile.noteMilliseconds || now.milliseconds < lastUsed {
            let expires =
                account.kind == .share ? account.expires : now.advanced(byMilliseconds: Self.milliseconds)
            try file.note { database in
                try database.execute(
                    sql: "UPDATE session SET lastUsed = ?, expires = ? WHERE hash = ?",
                    arguments: [now.milliseconds, expires?.milliseconds, hash])
                if let user = account.userID {
                    try database.execute(
                        sql: "UPDATE user SET seen = ? WHERE id = ?", arguments: [now.milliseconds, user])
                }
            }
        }
        return account
    }

    private static func account(
        of row: Row, key: String, _ database: Database, at now: Timestamp
    ) throws -> Account? {
        if let share = row["share"] as String? {
            guard
                let found = try Row.fetchOne(
                    database, sql: "SELECT * FROM share WHERE hash = ? AND expires > ?",
                    arguments: [share, now.milliseconds]),
                let pool = (found["pool"] as String?).flatMap({ PoolID($0) })
            else { return nil }
            return Account(
                kind: .share, name: "link \(share.prefix(8))", role: .guest,
                grants: [Grant(poolID: pool, level: .read)], key: "share \(share)",
                expires: Timestamp(milliseconds: found["expires"]))
        }
        guard let id = row["user"] as String?, let user = try AccountUser.find(id, database), !user.isDisabled else {
            return nil
        }
        return Account(
            kind: .user, userID: user.id, name: user.name, role: user.role, grants: user.grants, key: "session \(key)",
            expires: Timestamp(milliseconds: row["expires"]),
            confirmed: (row["confirmed"] as Int64?).map { Timestamp(milliseconds: $0) })
    }

    /// Begins a session of a user; its secret is returned, and nowhere stored.
    func begin(of user: String, agent: String, at now: Timestamp) throws -> String {
        let secret = SecretText.make(byteCount: 32)
        try file.write { database in
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
        }
        return secret
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
    func begin(share secret: String, agent: String, at now: Timestamp) throws -> String? {
        let session = SecretText.make(byteCount: 32)
        let hash = SecretText.hash(secret)
        return try file.write { database in
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

    func end(_ secret: String) throws {
        try file.write {
            try $0.execute(sql: "DELETE FROM session WHERE hash = ?", arguments: [SecretText.hash(secret)])
        }
    }

    /// Notes that the password was entered again.
    func confirm(_ secret: String, at now: Timestamp) throws {
        try file.write {
            try $0.execute(
                sql: "UPDATE session SET confirmed = ? WHERE hash = ?",
                arguments: [now.milliseconds, SecretText.hash(secret)])
        }
    }
}
