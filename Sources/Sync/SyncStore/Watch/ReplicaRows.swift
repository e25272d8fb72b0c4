internal import FoundationEssentials
internal import GRDB
internal import SyncCore

/// The rows of a watch's copy of the configuration, of the uploads that wait, and of the edits confirmed last.
///
/// A step writes the rows that it changes, and no others: one more edit is one more row.
enum ReplicaRows {
    static let sql = """
        CREATE TABLE snapshot (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            epoch TEXT, revision TEXT, chain TEXT, contents BLOB, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE numbering (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            incarnation TEXT NOT NULL, next TEXT NOT NULL, writes INTEGER NOT NULL, rows INTEGER NOT NULL,
            contents INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE upload (
            sequence TEXT PRIMARY KEY, json BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE journal (
            ordinal INTEGER PRIMARY KEY, json BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        """

    /// Moves the snapshot of the first version to the table of its own.
    static func takeOverSnapshot(_ database: Database) throws {
        let count = try Int.fetchOne(database, sql: "SELECT count(*) FROM state")
        guard var row = try database.rows(of: "state", sql: "WHERE name = 'snapshot'").first else {
            // A store that is being created has no rows at all yet.
            guard count == 0 else { throw Damage(finding: "the table state has no row snapshot") }
            return try put(nil, database)
        }
        _ = try row.word()
        let json = try row.optional { try JSONValue(decoding: $0.bytes()) }
        try put(try json.map { try Snapshot(firstVersion: $0) }, database)
        try database.execute(sql: "DELETE FROM state WHERE name = 'snapshot'")
    }

    // MARK: - Writing

    /// Keeps a step.
    static func append(_ record: ReplicaRecord, _ head: inout WatchHead, _ database: Database) throws {
        if let snapshot = record.snapshot { try put(snapshot, database) }
        switch record.pending {
        case .unchanged: break
        case .added(let upload): try add(upload, &head, database)
        case .confirmed(let highest):
            try head.sum.remove(from: "upload", where: "sequence <= ?", [highest.column], database)
        case .replaced(let uploads):
            try head.sum.remove(from: "upload", where: "true", [], database)
            for upload in uploads { try add(upload, &head, database) }
        }
        if !record.journaled.isEmpty { try note(record.journaled, &head, database) }
        if let deletions = record.deletions { try database.putDeletions(deletions) }
        head.incarnation = record.incarnation
        head.nextSequence = record.nextSequence
    }

    static func put(_ snapshot: Snapshot?, _ database: Database) throws {
        let version = snapshot?.version
        try database.put(
            [
                1, version?.epoch.number.column, version?.revision.column, version?.chain.column,
                snapshot.map { Data($0.contents) },
            ], into: "snapshot")
    }

    private static func add(_ upload: NumberedUpload, _ head: inout WatchHead, _ database: Database) throws {
        // One of the same number would be lost with it.
        try head.sum.remove(from: "upload", where: "sequence = ?", [upload.sequence.column], database)
        try head.sum.put([upload.sequence.column, Data(upload.json.encoded)], into: "upload", database)
    }

    private static func note(_ edits: [Edit], _ head: inout WatchHead, _ database: Database) throws {
        var last = try Int64.fetchOne(database.cachedStatement(sql: "SELECT max(ordinal) FROM journal")) ?? 0
        for edit in edits {
            last += 1
            try head.sum.put([last, Data(edit.json.encoded)], into: "journal", database)
        }
        let oldest = last - Int64(ReplicaState.journalCountMax)
        try head.sum.remove(from: "journal", where: "ordinal <= ?", [oldest], database)
    }

    // MARK: - Reading

    static func state(_ database: Database) throws -> ReplicaState {
        let head = try WatchHead(database)
        let state = ReplicaState(
            snapshot: try snapshot(database), fence: try database.fence(), incarnation: head.incarnation,
            nextSequence: head.nextSequence,
            pending: try database.rows(of: "upload", sql: "ORDER BY sequence").map { try upload($0) },
            journal: try database.rows(of: "journal", sql: "ORDER BY ordinal").map { try edit($0) },
            deletions: try database.deletions())
        guard try database.sumOfChecksums(["upload", "journal"]) == head.sum.checksums else {
            throw Damage(finding: "the rows of the tables upload and journal are not those that were written")
        }
        return state
    }

    static func snapshot(_ database: Database) throws -> Snapshot? {
        let rows = try database.rows(of: "snapshot")
        guard var row = rows.first, rows.count == 1 else {
            throw Damage(finding: "the table snapshot has no single row")
        }
        _ = try row.integer()
        guard let epoch = try row.optional({ try $0.number() }) else { return nil }
        let version = Version(epoch: Epoch(number: epoch), revision: try row.number(), chain: try row.number())
        return try Snapshot(version: version, contents: row.bytes())
    }

    static func upload(_ row: RowReader) throws -> NumberedUpload {
        var row = row
        _ = try row.number()
        return try NumberedUpload(decoding: row.bytes())
    }

    static func edit(_ row: RowReader) throws -> Edit {
        var row = row
        _ = try row.integer()
        return try Edit(decoding: row.bytes())
    }
}
