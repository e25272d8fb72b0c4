import FoundationEssentials
import GRDB
package import PoolModel

/// A token for a script.
package struct AccountToken: Encodable, Sendable {
    /// The beginning of the hash, by which it is named.
    package var id: String
    package var user: String
    package var name: String
    package var scopes: [TokenScope]
    package var created: Timestamp
    package var expires: Timestamp?
    package var lastUsed: Timestamp?
    /// The user's identity; not shown.
    var userID: String

    private enum CodingKeys: CodingKey { case id, user, name, scopes, created, expires, lastUsed }

    init(_ row: Row) {
        id = String((row["hash"] as String).prefix(16))
        user = row["userName"]
        userID = row["user"]
        name = row["name"]
        scopes = Self.scopes(row["scopes"])
        created = Timestamp(milliseconds: row["created"])
        expires = (row["expires"] as Int64?).map { Timestamp(milliseconds: $0) }
        lastUsed = (row["lastUsed"] as Int64?).map { Timestamp(milliseconds: $0) }
    }

    static func scopes(_ text: String) -> [TokenScope] {
        text.split(separator: " ").compactMap { TokenScope(rawValue: String($0)) }
    }
}

/// A link that shows one pool.
package struct AccountShare: Encodable, Sendable {
    /// The beginning of the hash, by which it is named.
    package var id: String
    package var poolID: PoolID
    package var created: Timestamp
    package var createdBy: String
    package var expires: Timestamp
    package var uses: Int

    init?(_ row: Row) {
        guard let pool = PoolID(row["pool"] as String) else { return nil }
        id = String((row["hash"] as String).prefix(16))
        poolID = pool
        created = Timestamp(milliseconds: row["created"])
        createdBy = row["createdBy"]
        expires = Timestamp(milliseconds: row["expires"])
        uses = row["uses"]
    }
}

extension AccountStore {
    // MARK: - Tokens

    /// The tokens of a user; of all users if it is nil.
    package func tokens(of user: String? = nil) throws -> [AccountToken] {
        try read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT token.*, user.name AS userName FROM token JOIN user ON user.id = token.user
                    ORDER BY token.created
                    """
            ).map { AccountToken($0) }
        }.filter { user == nil || $0.userID == user }
    }

    /// Adds a token; its secret is returned, and nowhere stored.
    package func addToken(
        of user: String, name: String, scopes: [TokenScope], expires: Timestamp?, at now: Timestamp
    ) throws -> (token: AccountToken, secret: String) {
        try Self.check(name: name)
        // The prefix lets people and scanners see what it is.
        let secret = "psw_" + SecretText.make(byteCount: 24)
        let hash = SecretText.hash(secret)
        let words = TokenScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
        try write { database in
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM token") ?? 0 < Self.countMax else {
                throw AccountError.tooMany("tokens")
            }
            guard let owner = try AccountUser.find(user, database) else { throw AccountError.noUser(user) }
            guard owner.role == .owner || !scopes.contains(.metrics) else {
                throw AccountError.metricsOfOwners(owner.name)
            }
            try database.execute(
                sql: "INSERT INTO token (hash, user, name, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: [hash, user, name, words, now.milliseconds, expires?.milliseconds])
        }
        guard let token = try tokens().first(where: { hash.hasPrefix($0.id) }) else {
            throw AccountError.noUser(user)
        }
        return (token, secret)
    }

    /// Revokes a token; whether there was one.
    package func removeToken(_ id: String, of user: String? = nil) throws -> Bool {
        guard let token = try tokens(of: user).first(where: { $0.id == id }) else { return false }
        return try write { database in
            try database.execute(sql: "DELETE FROM token WHERE substr(hash, 1, 16) = ?", arguments: [token.id])
            return database.changesCount > 0
        }
    }

    // MARK: - Links

    /// The links that can still be used.
    package func shares(at now: Timestamp) throws -> [AccountShare] {
        try read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM share WHERE expires > ? ORDER BY created", arguments: [now.milliseconds]
            ).compactMap { AccountShare($0) }
        }
    }

    /// Adds a link; its secret is returned, and nowhere stored.
    package func addShare(
        of pool: PoolID, by author: String, expires: Timestamp, at now: Timestamp
    ) throws -> (share: AccountShare, secret: String) {
        let secret = SecretText.make(byteCount: 16)
        let hash = SecretText.hash(secret)
        let share = try write { database -> AccountShare? in
            try database.execute(sql: "DELETE FROM share WHERE expires <= ?", arguments: [now.milliseconds])
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM share") ?? 0 < Self.countMax else {
                throw AccountError.tooMany("links")
            }
            try database.execute(
                sql: "INSERT INTO share (hash, pool, created, createdBy, expires) VALUES (?, ?, ?, ?, ?)",
                arguments: [hash, "\(pool)", now.milliseconds, author, expires.milliseconds])
            return try Row.fetchOne(database, sql: "SELECT * FROM share WHERE hash = ?", arguments: [hash])
                .flatMap { AccountShare($0) }
        }
        guard let share else { throw AccountError.noPool("\(pool)") }
        return (share, secret)
    }

    /// Revokes a link; whether there was one.
    package func removeShare(_ id: String) throws -> Bool {
        try write { database in
            try database.execute(sql: "DELETE FROM share WHERE substr(hash, 1, 16) = ?", arguments: [id])
            return database.changesCount > 0
        }
    }
}
