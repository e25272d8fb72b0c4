package import GRDB
package import Text
import Vault

/// A link that shows one of the things that are granted.
package struct AccountShare: Sendable {
    /// The beginning of the hash, by which it is named.
    package var id: String
    /// The identity of the thing.
    package var scope: String
    package var created: Timestamp
    package var createdBy: String
    package var expires: Timestamp
    package var uses: Int

    package init(_ row: Row) {
        id = String((row["hash"] as String).prefix(16))
        scope = row[AccountFile.scopeColumn]
        created = Timestamp(milliseconds: row["created"])
        createdBy = row["createdBy"]
        expires = Timestamp(milliseconds: row["expires"])
        uses = row["uses"]
    }
}

/// The links; of a secret only the hash is stored.
package struct AccountShares: Sendable {
    private let file: AccountFile

    package init(_ file: AccountFile) { self.file = file }

    /// The links that can still be used.
    package func all(at now: Timestamp) async throws -> [AccountShare] {
        try await file.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM share WHERE expires > ? ORDER BY created", arguments: [now.milliseconds]
            ).map { AccountShare($0) }
        }
    }

    /// Adds a link; its secret is returned, and nowhere stored.
    package func add(
        of scope: String, by author: String, expires: Timestamp, at now: Timestamp
    ) async throws -> (share: AccountShare, secret: String) {
        let secret = SecretText.make(byteCount: 16)
        let hash = SecretText.hash(secret)
        let product = file.product
        let share = try await file.write { database -> AccountShare? in
            try database.execute(sql: "DELETE FROM share WHERE expires <= ?", arguments: [now.milliseconds])
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM share") ?? 0 < AccountFile.countMax else {
                throw AccountError.tooMany("links")
            }
            try database.execute(
                sql: "INSERT INTO share VALUES (?, ?, ?, ?, ?, 0)",
                arguments: [hash, scope, now.milliseconds, author, expires.milliseconds])
            return try Row.fetchOne(database, sql: "SELECT * FROM share WHERE hash = ?", arguments: [hash])
                .map { AccountShare($0) }
        }
        guard let share else {
            throw AccountError.noScope(
                scope, noun: product.scope.noun, listCommand: product.scope.listCommand)
        }
        return (share, secret)
    }

    /// Revokes a link; whether there was one.
    package func remove(_ id: String) async throws -> Bool {
        try await file.write { database in
            try database.execute(sql: "DELETE FROM share WHERE substr(hash, 1, 16) = ?", arguments: [id])
            return database.changesCount > 0
        }
    }
}
