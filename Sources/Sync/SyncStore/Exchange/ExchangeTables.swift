internal import GRDB
internal import SyncCore

/// The tables of what two devices send each other beside the configuration: user info and files.
///
/// A hub has rows for each of its watches, a watch has those for its hub: the column `peer` tells them apart.
enum ExchangeTables {
    static let step = DatabaseKind.Step(name: "3 items and files", sql: sql)

    /// The peer of a watch's rows.
    static let hub = ""

    /// The tables whose rows a head answers for, beside the table `item`, whose rows know the peer by its number.
    static let peerTables = [
        "track", "position", "inbox", "arrival", "outgoing", "result", "incoming", "delivered", "finished",
    ]

    private static let sql = """
        CREATE TABLE exchange (
            peer TEXT PRIMARY KEY, day INTEGER, spent INTEGER NOT NULL, lastFile TEXT NOT NULL,
            writes INTEGER NOT NULL, rows INTEGER NOT NULL, contents INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE track (
            peer TEXT NOT NULL, track INTEGER NOT NULL, stream TEXT, base TEXT NOT NULL,
            originStream TEXT, originHighest TEXT, originID TEXT, acknowledged TEXT NOT NULL, acknowledgedID TEXT,
            released TEXT NOT NULL, items INTEGER NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (peer, track)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE item (
            peer TEXT NOT NULL, track INTEGER NOT NULL, ordinal TEXT NOT NULL, id TEXT NOT NULL,
            isCurrent INTEGER NOT NULL, payload BLOB NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (peer, track, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE position (
            peer TEXT NOT NULL, track INTEGER NOT NULL, stream TEXT NOT NULL, highest TEXT NOT NULL,
            lastID TEXT NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (peer, track)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE inbox (
            peer TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL, isUrgent INTEGER NOT NULL,
            payload BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (peer, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX inboxID ON inbox (peer, id);
        CREATE TABLE arrival (
            peer TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (peer, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outgoing (
            peer TEXT NOT NULL, number TEXT NOT NULL, file BLOB NOT NULL, id TEXT NOT NULL, name BLOB NOT NULL,
            size TEXT NOT NULL, digest TEXT NOT NULL, metadata BLOB NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (peer, number)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE result (
            peer TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL, cause BLOB, words BLOB,
            checksum INTEGER NOT NULL, PRIMARY KEY (peer, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE incoming (
            peer TEXT PRIMARY KEY, durable TEXT NOT NULL, id TEXT NOT NULL, name BLOB NOT NULL, size TEXT NOT NULL,
            digest TEXT NOT NULL, metadata BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE delivered (
            peer TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL, name BLOB NOT NULL, size TEXT NOT NULL,
            digest TEXT NOT NULL, metadata BLOB NOT NULL, checksum INTEGER NOT NULL, PRIMARY KEY (peer, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE finished (
            peer TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (peer, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX finishedID ON finished (peer, id);
        """
}

/// The one row of a peer that answers for all the others.
struct ExchangeHead {
    let peer: String
    /// The number by which the rows of the table `item` know the peer.
    let number: Int64
    var budget = UrgentBudget()
    /// The number of the last file that was queued.
    var lastFile: UInt64 = 0
    /// The writes so far, by which one is known again whose end was in doubt.
    var writeCount: Int64 = 0
    var sum = RowSum()

    /// Begins the head of a peer.
    init(of peer: String, number: Int64) {
        self.peer = peer
        self.number = number
    }

    /// Reads the head of a peer; one that never exchanged anything has none, and gets the next number.
    init(of peer: String, _ database: Database) throws {
        guard var row = try database.rows(of: "exchange", sql: "WHERE peer = ?", arguments: [peer]).first else {
            let statement = try database.cachedStatement(sql: "SELECT max(number) FROM exchange")
            self.init(of: peer, number: (try Int64.fetchOne(statement) ?? 0) + 1)
            return
        }
        _ = try row.word()
        self.init(of: peer, number: try row.integer())
        try read(&row)
    }

    /// Reads the columns behind the peer and its number.
    mutating func read(_ row: inout RowReader) throws {
        budget.day = try row.optional { try $0.integer() }
        budget.spent = Int(try row.integer())
        lastFile = try row.number()
        writeCount = try row.integer()
        sum = try RowSum(&row)
    }

    func put(into database: Database) throws {
        try database.put(
            [peer, number, budget.day, Int64(budget.spent), lastFile.column, writeCount] + sum.columns,
            into: "exchange")
    }

    /// Finds rows that are missing or come from another time of the store.
    func check(_ database: Database) throws {
        var checksums = try sum(of: "item", where: "place BETWEEN ? AND ?", ItemRowKey.all(of: self), database)
        for table in ExchangeTables.peerTables {
            checksums &+= try sum(of: table, where: "peer = ?", [peer], database)
        }
        guard checksums == sum.checksums else {
            throw Damage(finding: "the rows of items and files are not those that were written")
        }
    }

    private func sum(
        of table: String, where condition: String, _ arguments: StatementArguments, _ database: Database
    ) throws -> Int64 {
        let statement = try database.cachedStatement(
            sql: "SELECT coalesce(sum(checksum), 0) FROM \(table) WHERE \(condition)")
        return try Int64.fetchOne(statement, arguments: arguments) ?? 0
    }

    /// The rows of a table that belong to the peer, without the column `peer`.
    func rows(of table: String, _ rest: String = "", _ database: Database) throws -> [RowReader] {
        try database.rows(of: table, sql: "WHERE peer = ? \(rest)", arguments: [peer]).map {
            var row = $0
            _ = try row.word()
            return row
        }
    }

    /// The ordinal behind the last one of a table.
    func nextOrdinal(in table: String, _ database: Database) throws -> Int64 {
        let statement = try database.cachedStatement(sql: "SELECT max(ordinal) FROM \(table) WHERE peer = ?")
        return (try Int64.fetchOne(statement, arguments: [peer]) ?? 0) + 1
    }
}
