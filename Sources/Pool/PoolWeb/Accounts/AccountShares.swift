import GRDB
package import PoolModel
import Vault

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

/// The links; of a secret only the hash is stored.
package struct AccountShares: Sendable {
    private let file: AccountFile

    init(_ file: AccountFile) { self.file = file }

    /// The links that can still be used.
    package func all(at now: Timestamp) async throws -> [AccountShare] {
        try await file.read { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM share WHERE expires > ? ORDER BY created", arguments: [now.milliseconds]
            ).compactMap { AccountShare($0) }
        }
    }

    /// Adds a link; its secret is returned, and nowhere stored.
    func add(
        of pool: PoolID, by author: String, expires: Timestamp, at now: Timestamp
    ) async throws -> (share: AccountShare, secret: String) {
        let secret = SecretText.make(byteCount: 16)
        let hash = SecretText.hash(secret)
        let share = try await file.write { database -> AccountShare? in
            try database.execute(sql: "DELETE FROM share WHERE expires <= ?", arguments: [now.milliseconds])
            guard try Int.fetchOne(database, sql: "SELECT count(*) FROM share") ?? 0 < AccountFile.countMax else {
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
    package func remove(_ id: String) async throws -> Bool {
        try await file.write { database in
            try database.execute(sql: "DELETE FROM share WHERE substr(hash, 1, 16) = ?", arguments: [id])
            return database.changesCount > 0
        }
    }
}
