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

    /// Who brought a conflict into the log; a conflict that is older than this table has no row.
    static let bringerSQL = """
        CREATE TABLE bringer (
            conflict TEXT PRIMARY KEY, watch TEXT NOT NULL, checksum INTEGER NOT NULL
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
            guard let peer = transaction.progress?.peer else { continue }
            change &+= try database.put([id.hexadecimal, peer.hexadecimal], into: "bringer")
        }
        for id in transaction.settled { change &-= try settle(id, database) }
        if let progress = transaction.progress { change &+= try advance(progress, database) }
        for peer in transaction.released { change &-= try forget(peer, database) }
        return change
    }

    private static func settle(_ id: RandomID, _ database: Database) throws -> Int64 {
        try database.remove(from: "conflict", where: "id = ?", [id.hexadecimal])
            &+ database.remove(from: "bringer", where: "conflict = ?", [id.hexadecimal])
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
        if !progress.outcomes.isEmpty { change &-= try boundOutcomes(of: watch, database) }
        change &+= try RecentRows.append(progress.remembered, of: watch, database)
        return change &+ (try RejectedRows.append(progress.rejected, of: watch, database))
    }

    /// Forgets the oldest outcomes of a watch that does not say what it knows already, as the ledger does.
    private static func boundOutcomes(of watch: String, _ database: Database) throws -> Int64 {
        try database.remove(
            from: "outcome",
            where: """
                watch = ?1 AND sequence <= (
                    SELECT sequence FROM outcome WHERE watch = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2)
                """, [watch, UploadMark.outcomeCountMax])
    }

    private static func forget(_ peer: PeerKey, _ database: Database) throws -> Int64 {
        let watch = peer.hexadecimal
        return try database.remove(from: "upload", where: "watch = ?", [watch])
            &+ database.remove(from: "outcome", where: "watch = ?", [watch])
            &+ database.remove(from: "seen", where: "owner = ?", [watch])
            &+ database.remove(from: "rejected", where: "watch = ?", [watch])
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

    /// The watch that brought each conflict, as far as that is known.
    static func bringers(_ database: Database) throws -> SortedMap<RandomID, PeerKey> {
        var bringers = SortedMap<RandomID, PeerKey>()
        for var row in try database.rows(of: "bringer", sql: "ORDER BY conflict") {
            let id = try row.identifier()
            bringers[id] = try row.peer()
        }
        return bringers
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
        try RejectedRows.read(into: &marks, database)
        return marks
    }
}
