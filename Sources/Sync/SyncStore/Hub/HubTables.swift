internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// The store of a hub that begins its history with an epoch.
    static func hub(firstEpoch: Epoch) -> DatabaseKind {
        DatabaseKind(
            fileName: "hub.sqlite", applicationID: 0x5053_5748,
            steps: [
                Step(name: "1 ledger and log", sql: ledgerAndLog), Step(name: "2 edits", sql: edits),
                ExchangeTables.step, Step(name: "4 rejected writes and bringers", sql: rejectedAndBringers),
                ItemRenumbering.step,
            ]
        ) { database in
            let state = LedgerState(newEpoch: firstEpoch)
            for (revision, digest) in state.chain.pairs {
                try database.putDigest(digest, of: revision)
            }
            try LedgerHead(version: state.version, lastStamp: nil, contents: 0).put(into: database)
        }
    }

    private static let ledgerAndLog = """
        CREATE TABLE head (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            epoch TEXT NOT NULL, revision TEXT NOT NULL, chain TEXT NOT NULL,
            stampTime INTEGER, stampCounter INTEGER, stampNode TEXT,
            contents INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE chain (
            revision TEXT PRIMARY KEY, digest TEXT NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE lineage (
            epoch TEXT PRIMARY KEY, revision TEXT NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cell (
            kind BLOB NOT NULL, record TEXT NOT NULL, fields BLOB NOT NULL, value BLOB, dot TEXT NOT NULL,
            stampTime INTEGER NOT NULL, stampCounter INTEGER NOT NULL, stampNode TEXT NOT NULL,
            writtenEpoch TEXT NOT NULL, writtenRevision TEXT NOT NULL,
            createdEpoch TEXT NOT NULL, createdRevision TEXT NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (kind, record, fields)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE log (
            ordinal INTEGER PRIMARY KEY, epoch TEXT NOT NULL, revision TEXT NOT NULL, chain TEXT NOT NULL,
            stampTime INTEGER NOT NULL, stampCounter INTEGER NOT NULL, stampNode TEXT NOT NULL,
            time TEXT, changes TEXT NOT NULL
        ) STRICT;
        """

    /// What watches bring; the sum in the head counts the new rows too, and there are none yet.
    private static let edits =
        UploadRows.sql + RecentRows.sql + """
            ALTER TABLE log ADD COLUMN watch TEXT;
            ALTER TABLE log ADD COLUMN conflicts TEXT NOT NULL DEFAULT '[]';
            ALTER TABLE log ADD COLUMN settled TEXT NOT NULL DEFAULT '[]';
            """

    /// What the ledger must know of writes that were rejected, and of who logged a conflict; both begin empty.
    private static let rejectedAndBringers = RejectedRows.sql + UploadRows.bringerSQL
}

/// The one row that says where the history stands.
struct LedgerHead {
    var version: Version
    var lastStamp: Stamp?
    /// The sum of the checksums of all rows of the ``tables``: a row that is missing, or old, shows in it.
    var contents: Int64

    /// The tables whose rows the sum counts.
    static let tables = ["cell", "lineage", "conflict", "upload", "outcome", "seen", "rejected", "bringer"]

    init(version: Version, lastStamp: Stamp?, contents: Int64) {
        self.version = version
        self.lastStamp = lastStamp
        self.contents = contents
    }

    init(_ database: Database) throws {
        let rows = try database.rows(of: "head")
        guard var row = rows.first, rows.count == 1 else { throw Damage(finding: "the table head has no single row") }
        _ = try row.integer()
        version = Version(epoch: Epoch(number: try row.number()), revision: try row.number(), chain: try row.number())
        if let milliseconds = try row.optional({ try $0.integer() }) {
            lastStamp = Stamp(milliseconds: milliseconds, counter: try row.counter(), node: try row.number())
        } else {
            lastStamp = nil
            _ = try row.optional { try $0.counter() }
            _ = try row.optional { try $0.number() }
        }
        contents = try row.integer()
    }

    func put(into database: Database) throws {
        try database.put(
            [
                1, version.epoch.number.column, version.revision.column, version.chain.column,
                lastStamp?.milliseconds, lastStamp?.counter, lastStamp?.node.column, contents,
            ],
            into: "head")
    }
}

extension Database {
    func putDigest(_ digest: UInt64, of revision: UInt64) throws {
        try put([revision.column, digest.column], into: "chain")
    }

    /// Writes a cell; gives the checksum of its row.
    func putCell(_ cell: Cell, at key: CellKey) throws -> Int64 {
        try put(
            [
                key.kind.column, key.record.hexadecimal, key.group.column, cell.value?.column, cell.dot.hexadecimal,
                cell.stamp.milliseconds, cell.stamp.counter, cell.stamp.node.column,
                cell.written.epoch.number.column, cell.written.revision.column,
                cell.created.epoch.number.column, cell.created.revision.column,
            ],
            into: "cell")
    }

    /// Removes a cell, if it is there; gives the checksum of its row, 0 if it was not.
    func removeCell(_ key: CellKey) throws -> Int64 {
        try remove(
            from: "cell", where: "kind = ? AND record = ? AND fields = ?",
            [key.kind.column, key.record.hexadecimal, key.group.column])
    }
}

extension RowReader {
    /// The cell of a row, and its key.
    mutating func cell() throws -> (CellKey, Cell) {
        let key = CellKey(kind: try text(), record: try identifier(), group: try text())
        let cell = Cell(
            value: try optional { try $0.text() }, dot: try identifier(), stamp: try stamp(), written: try place(),
            created: try place())
        return (key, cell)
    }

    mutating func stamp() throws -> Stamp {
        Stamp(milliseconds: try integer(), counter: try counter(), node: try number())
    }

    private mutating func place() throws -> Cell.Place {
        Cell.Place(epoch: Epoch(number: try number()), revision: try number())
    }
}
