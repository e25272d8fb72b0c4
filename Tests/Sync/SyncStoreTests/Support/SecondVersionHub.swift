import GRDB

/// The tables of a hub's store as the version made them that did not keep rejected writes and bringers; they never
/// change.
enum SecondVersionHub {
    /// The steps that made them, each with its name.
    static let steps = [("1 ledger and log", ledgerAndLog), ("2 edits", edits), ("3 items and files", itemsAndFiles)]

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

    private static let edits = """
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
        CREATE TABLE seen (
            owner TEXT NOT NULL, ordinal INTEGER NOT NULL, id TEXT NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (owner, ordinal)
        ) STRICT, WITHOUT ROWID;
        CREATE UNIQUE INDEX seenID ON seen (owner, id);
        ALTER TABLE log ADD COLUMN watch TEXT;
        ALTER TABLE log ADD COLUMN conflicts TEXT NOT NULL DEFAULT '[]';
        ALTER TABLE log ADD COLUMN settled TEXT NOT NULL DEFAULT '[]';
        """

    private static let itemsAndFiles = """
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

    /// Creates a store as that version did, and lets it write rows.
    static func create(at path: String, rows: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL")
        }
        var migrator = DatabaseMigrator()
        for (name, sql) in steps { migrator.registerMigration(name) { try $0.execute(sql: sql) } }
        try migrator.migrate(queue)
        try queue.write { database in
            try database.execute(sql: "PRAGMA application_id = \(0x5053_5748)")
            try rows(database)
        }
        try queue.close()
    }
}
