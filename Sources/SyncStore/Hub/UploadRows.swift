internal import FoundationEssentials
internal import GRDB
internal import SyncCore

/// The rows of what a hub has taken in from its watches, and of the conflicts that are open.
enum UploadRows {
    static let sql = """
        CREATE TABLE conflict (
            id TEXT PRIMARY KEY, json BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE upload (
            watch TEXT PRIMARY KEY, incarnation TEXT NOT NULL, highest TEXT NOT NULL, last TEXT,
            checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outcome (
            watch TEXT NOT NULL, sequence TEXT NOT NULL, json BLOB NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (watch, sequence)
        ) STRICT, WITHOUT ROWID;
        """

    /// The owner of the ids of the hub's own writes in the table `seen`; a watch's are its key.
    static let hub = ""

    // MARK: - Writing: each gives the change of the sum of checksums

    /// Keeps what a transaction does to the conflicts and to the uploads.
    static func append(_ transaction: Transaction, _ database: Database) throws -> Int64 {
        var change = try RecentRows.append(transaction.ownWrites, of: hub, database)
        for (id, conflict) in transaction.logged.pairs {
            change &-= try settle(id, database)
            change &+= try database.put([id.hexadecimal, Data(conflict.json.encoded)], into: "conflict")
        }
        for id in transaction.settled { change &-= try settle(id, database) }
        if let progress = transaction.progress { change &+= try advance(progress, database) }
        for peer in transaction.forgotten { change &-= try forget(peer, database) }
        return change
    }

    private static func settle(_ id: RandomID, _ database: Database) throws -> Int64 {
        try database.remove(from: "conflict", where: "id = ?", [id.hexadecimal])
    }

    private static func advance(_ progress: UploadProgress, _ database: Database) throws -> Int64 {
        let watch = progress.peer.hexadecimal
        var change: Int64 = 0
        for var row in try database.rows(of: "upload", sql: "WHERE watch = ?", arguments: [watch]) {
            _ = try row.peer()
            let isSame = try row.identifier() == progress.incarnation
            if !isSame { change &-= try database.remove(from: "outcome", where: "watch = ?", [watch]) }
        }
        change &-= try database.remove(from: "upload", where: "watch = ?", [watch])
        change &+= try database.put(
            [watch, progress.incarnation.hexadecimal, progress.highest.column, progress.last?.hexadecimal],
            into: "upload")
        change &-= try database.remove(
            from: "outcome", where: "watch = ? AND sequence < ?", [watch, progress.firstPending.column])
        for outcome in progress.outcomes {
            change &+= try database.put(
                [watch, outcome.sequence.column, Data(outcome.json.encoded)], into: "outcome")
        }
        return change &+ (try RecentRows.append(progress.taken, of: watch, database))
    }

    private static func forget(_ peer: PeerKey, _ database: Database) throws -> Int64 {
        let watch = peer.hexadecimal
        return try database.remove(from: "upload", where: "watch = ?", [watch])
            &+ database.remove(from: "outcome", where: "watch = ?", [watch])
            &+ database.remove(from: "seen", where: "owner = ?", [watch])
    }

    // MARK: - Reading

    static func conflicts(_ database: Database) throws -> SortedMap<RandomID, Conflict> {
        var conflicts = SortedMap<RandomID, Conflict>()
        for var row in try database.rows(of: "conflict", sql: "ORDER BY id") {
            let id = try row.identifier()
            conflicts[id] = try Conflict(decoding: row.bytes())
        }
        return conflicts
    }

    /// How far each watch's uploads were taken in; `seen` are the ids that ``RecentRows`` keeps.
    static func marks(_ database: Database, seen: [String: RecentIDs]) throws -> SortedMap<PeerKey, UploadMark> {
        var marks = SortedMap<PeerKey, UploadMark>()
        for var row in try database.rows(of: "upload", sql: "ORDER BY watch") {
            let peer = try row.peer()
            marks[peer] = UploadMark(
                incarnation: try row.identifier(), highest: try row.number(),
                last: try row.optional { try $0.identifier() }, taken: seen[peer.hexadecimal] ?? RecentIDs())
        }
        for var row in try database.rows(of: "outcome", sql: "ORDER BY watch, sequence") {
            let peer = try row.peer()
            _ = try row.number()
            let outcome = try UploadOutcome(decoding: row.bytes())
            guard marks.modify(peer, { $0.outcomes.append(outcome) }) != nil else {
                throw Damage(finding: "the table upload lacks a watch of the table outcome")
            }
        }
        return marks
    }
}
