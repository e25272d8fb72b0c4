internal import GRDB
internal import SyncCore

/// The rows of ``RecentIDs``: the last ids of each owner, by ascending ordinals without a hole.
///
/// An id costs one row; nothing else is rewritten.
enum RecentRows {
    static let sql = """
        CREATE TABLE seen (
            owner TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (owner, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX seenID ON seen (owner, id);
        """

    /// Adds ids to the end, each once, and forgets the oldest as ``RecentIDs`` does; gives the change of the sum of
    /// checksums.
    static func append(_ ids: [RandomID], of owner: String, _ database: Database) throws -> Int64 {
        guard !ids.isEmpty else { return 0 }
        let bounds = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT (SELECT min(ordinal) FROM seen WHERE owner = ?1),
                        (SELECT max(ordinal) FROM seen WHERE owner = ?1)
                    """), arguments: [owner])
        let first = (bounds?[0] as Int64?) ?? 1
        var last = (bounds?[1] as Int64?) ?? 0
        var change: Int64 = 0
        for id in ids where try !contains(id, of: owner, database) {
            last += 1
            change &+= try database.put([owner, last, id.hexadecimal], into: "seen")
        }
        guard last - first + 1 > RecentIDs.countMax + RecentIDs.countMax / 4 else { return change }
        return change
            &- (try database.remove(
                from: "seen", where: "owner = ? AND ordinal <= ?", [owner, last - Int64(RecentIDs.countMax)]))
    }

    private static func contains(_ id: RandomID, of owner: String, _ database: Database) throws -> Bool {
        try Bool.fetchOne(
            database.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM seen WHERE owner = ? AND id = ?)"),
            arguments: [owner, id.hexadecimal]) ?? false
    }

    /// The ids of all owners, oldest first.
    static func all(_ database: Database) throws -> [String: RecentIDs] {
        var ids: [String: [RandomID]] = [:]
        for var row in try database.rows(of: "seen", sql: "ORDER BY owner, ordinal") {
            let owner = try row.word()
            _ = try row.integer()
            ids[owner, default: []].append(try row.identifier())
        }
        return ids.mapValues { RecentIDs($0) }
    }
}
