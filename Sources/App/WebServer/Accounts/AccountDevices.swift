import GRDB
import Text
import Vault

/// The browsers on which a user has logged in before: nobody else's attempts can keep them out.
///
/// Such a browser has a cookie, of which only the hash is stored. It proves nothing but that; the password is asked for.
struct AccountDevices: Sendable {
    /// The most of one user; beyond it the oldest are forgotten.
    static let countMax = 20
    /// How long a browser keeps its cookie, in seconds: the longest that browsers take.
    static let seconds = 400 * 86_400

    private let file: AccountFile

    init(_ file: AccountFile) { self.file = file }

    /// Whether a user has logged in before on the browser that has this secret.
    func isKnown(_ secret: String, to user: String) async throws -> Bool {
        let hash = SecretText.hash(secret)
        return try await file.read { database in
            guard try database.tableExists("device") else { return false }
            return try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT * FROM device WHERE hash = ? AND user = ?)",
                arguments: [hash, user]) ?? false
        }
    }

    /// Notes that a user has logged in on a browser.
    ///
    /// - Returns: The secret that the browser is to keep: the one that it has, if it was made here.
    static func note(_ secret: String?, of user: String, _ database: Database, at now: Timestamp) throws -> String? {
        guard try database.tableExists("device") else { return nil }
        var kept = SecretText.make(byteCount: 16)
        if let secret,
            try Bool.fetchOne(
                database, sql: "SELECT EXISTS (SELECT * FROM device WHERE hash = ?)",
                arguments: [SecretText.hash(secret)]) == true
        {
            kept = secret
        }
        try database.execute(
            sql: "INSERT OR REPLACE INTO device (hash, user, lastUsed) VALUES (?, ?, ?)",
            arguments: [SecretText.hash(kept), user, now.milliseconds])
        try database.execute(
            sql: """
                DELETE FROM device WHERE user = ?1 AND hash IN (
                    SELECT hash FROM device WHERE user = ?1 ORDER BY lastUsed DESC LIMIT -1 OFFSET ?2)
                """, arguments: [user, countMax])
        return kept
    }
}
