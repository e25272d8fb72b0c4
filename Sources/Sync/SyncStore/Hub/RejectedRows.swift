internal import GRDB
internal import SyncCore

/// The rows of the writes of each watch that were rejected last, by ascending ordinals without a hole.
enum RejectedRows {
    static let sql = """
        CREATE TABLE rejected (
            watch TEXT NOT NULL, ordinal INTEGER NOT NULL, dot TEXT NOT NULL, base TEXT, checksum INTEGER NOT NULL,
            PRIMARY KEY (watch, ordinal)
        ) STRICT, WITHOUT ROWID;
        """

    /// Adds writes to the end, and forgets the oldest as the ledger does; gives the change of the sum of checksums.
    static func append(_ writes: [RejectedWrite], of watch: String, _ database: Database) throws -> Int64 {
        guard !writes.isEmpty else { return 0 }
        let statement = try database.cachedStatement(sql: "SELECT max(ordinal) FROM rejected WHERE watch = ?")
        var last = try Int64.fetchOne(statement, arguments: [watch]) ?? 0
        var change: Int64 = 0
        for write in writes {
            last += 1
            change &+= try database.put(
                [watch, last, write.dot.hexadecimal, write.base?.hexadecimal], into: "rejected")
        }
        return change
            &- (try database.remove(
                from: "rejected", where: "watch = ? AND ordinal <= ?",
                [watch, last - Int64(UploadMark.rejectedCountMax)]))
    }

    /// Gives each watch's writes to its mark, oldest first.
    static func read(into marks: inout SortedMap<PeerKey, UploadMark>, _ database: Database) throws {
        for var row in try database.rows(of: "rejected", sql: "ORDER BY watch, ordinal") {
            let peer = try row.peer()
            _ = try row.integer()
            let write = RejectedWrite(
                dot: try row.identifier(), base: try row.optional { try $0.identifier() })
            guard marks.modify(peer, { $0.rejected.append(write) }) != nil else {
                throw Damage(finding: "the table upload lacks a watch of the table rejected")
            }
        }
    }
}
