package import GRDB
package import Text
import Vault

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
    package var userID: String

    private enum CodingKeys: CodingKey { case id, user, name, scopes, created, expires, lastUsed }

    package init(_ row: Row) {
        id = String((row["hash"] as String).prefix(16))
        user = row["userName"]
        userID = row["user"]
        name = row["name"]
        scopes = Self.scopes(row["scopes"])
        created = Timestamp(milliseconds: row["created"])
        expires = (row["expires"] as Int64?).map { Timestamp(milliseconds: $0) }
        lastUsed = (row["lastUsed"] as Int64?).map { Timestamp(milliseconds: $0) }
    }

    package static func scopes(_ text: String) -> [TokenScope] {
        text.split(separator: " ").compactMap { TokenScope(rawValue: String($0)) }
    }
}

/// The tokens; of a secret only the hash is stored.
package struct AccountTokens: Sendable {
    private let file: AccountFile

    package init(_ file: AccountFile) { self.file = file }

    /// The tokens of a user; of all users if it is nil.
    package func all(of user: String? = nil) async throws -> [AccountToken] {
        try await file.read { database in
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
    package func add(
        of user: String, name: String, scopes: [TokenScope], expires: Timestamp?, at now: Timestamp
    ) async throws -> (token: AccountToken, secret: String) {
        try AccountError.check(name: name)
        // The prefix lets people and scanners see what it is.
        let secret = "psw_" + SecretText.make(byteCount: 24)
        let hash = SecretText.hash(secret)
        let words = TokenScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
        try await file.write { database in
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM token") ?? 0 < AccountFile.countMax else {
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
        guard let token = try await all().first(where: { hash.hasPrefix($0.id) }) else {
            throw AccountError.noUser(user)
        }
        return (token, secret)
    }

    /// Revokes a token; whether there was one.
    package func remove(_ id: String, of user: String? = nil) async throws -> Bool {
        guard let token = try await all(of: user).first(where: { $0.id == id }) else { return false }
        return try await file.write { database in
            try database.execute(sql: "DELETE FROM token WHERE substr(hash, 1, 16) = ?", arguments: [token.id])
            return database.changesCount > 0
        }
    }

    /// The account of a token; nil if there is no such token any more.
    package func account(of secret: String, at now: Timestamp) async throws -> Account? {
        let hash = SecretText.hash(secret)
        let found = try await file.account(of: hash, at: now) { database in
            guard
                let row = try Row.fetchOne(
                    database, sql: "SELECT * FROM token WHERE hash = ? AND (expires IS NULL OR expires > ?)",
                    arguments: [hash, now.milliseconds]),
                let user = try AccountUser.find(row["user"], database), !user.isDisabled
            else { return nil }
            let scopes = AccountToken.scopes(row["scopes"])
            let account = Account(
                kind: .token, userID: user.id, name: user.name, role: user.role, grants: user.grants,
                key: "token \(hash)", expires: (row["expires"] as Int64?).map { Timestamp(milliseconds: $0) },
                scopes: Set(scopes))
            return (account, row["lastUsed"] as Int64? ?? 0)
        } note: { lastUsed in
            file.notes.note(token: hash, at: now.milliseconds, after: lastUsed)
        }
        return found?.account
    }
}
