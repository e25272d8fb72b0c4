internal import GRDB
internal import PoolModel

/// The tables of the history.
enum HistoryTables {
    /// The migrations that create the tables; the last ones add a column for each further quantity.
    ///
    /// A released migration and its name never change, because files identify their migrations by these names.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 readings") { database in
            try database.execute(sql: readings)
        }
        migrator.registerMigration("2 rollups, deletions, exports, alerts") { database in
            try database.execute(sql: deliveriesOfTheirOwn)
            try database.execute(sql: rollups)
            try database.execute(sql: pendingOperations)
            try database.execute(sql: alerts)
        }
        migrator.registerMigration("3 no outbox of alerts") { database in
            // This table was never used: the alert records contain the notices that are still to be delivered.
            try database.execute(sql: "DROP TABLE alertOutbox")
        }
        migrator.registerMigration("4 doses") { database in
            try database.execute(sql: doses)
        }
        for quantity in Quantity.allCases where !firstColumns.contains(quantity.rawValue) {
            migrator.registerMigration("column \(quantity.rawValue)") { database in
                try database.execute(sql: "ALTER TABLE reading ADD COLUMN \(quantity.rawValue) REAL")
            }
        }
        return migrator
    }

    /// The columns of values in the first migration.
    private static let firstColumns: Set<String> = ["temperature", "ph", "chlorine", "orp"]

    /// The first migration.
    ///
    /// Ordinals are never reused; AUTOINCREMENT ensures that. A payload hash is stored as the signed number with the
    /// same 64 bits.
    private static let readings = """
        CREATE TABLE device (
            number INTEGER PRIMARY KEY, identifier TEXT NOT NULL UNIQUE, latestOrder INTEGER, latest BLOB
        ) STRICT;
        CREATE TABLE reading (
            ordinal INTEGER PRIMARY KEY AUTOINCREMENT,
            device INTEGER NOT NULL REFERENCES device (number),
            sampledAt INTEGER NOT NULL, timeQuality TEXT NOT NULL, receivedAt INTEGER NOT NULL,
            temperature REAL, ph REAL, chlorine REAL, orp REAL,
            payloadHash INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX readingByTime ON reading (device, sampledAt);
        CREATE UNIQUE INDEX readingByKey ON reading (device, sampledAt, payloadHash) WHERE timeQuality = 'device';
        CREATE TABLE delivery (
            ordinal INTEGER PRIMARY KEY REFERENCES reading (ordinal) ON DELETE CASCADE,
            server TEXT NOT NULL, packetIdentifier INTEGER NOT NULL, life INTEGER NOT NULL, connection INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX deliveryByServer ON delivery (server);
        """

    /// A part of the second step: the data that recognize a redelivery outlive the reading.
    ///
    /// The unique index is removed because it costs time at every reading: the transaction that inserts one has
    /// searched for its key before, and there is only one writer.
    private static let deliveriesOfTheirOwn = """
        DROP INDEX readingByKey;
        CREATE TABLE ownDelivery (
            ordinal INTEGER PRIMARY KEY, device INTEGER NOT NULL, payloadHash INTEGER NOT NULL,
            server TEXT NOT NULL, packetIdentifier INTEGER NOT NULL, life INTEGER NOT NULL, connection INTEGER NOT NULL
        ) STRICT;
        INSERT INTO ownDelivery
            SELECT ordinal, device, payloadHash, server, packetIdentifier, life, connection
            FROM delivery JOIN reading USING (ordinal);
        DROP TABLE delivery;
        ALTER TABLE ownDelivery RENAME TO delivery;
        CREATE INDEX deliveryByServer ON delivery (server);
        CREATE TABLE deletedReading (
            ordinal INTEGER PRIMARY KEY, device INTEGER NOT NULL, sampledAt INTEGER NOT NULL,
            payloadHash INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX deletedReadingByTime ON deletedReading (device, sampledAt);
        """

    /// A part of the second step; see ``RollupLevel`` and ``Mark``.
    ///
    /// A sum that is not a number, for example of infinities of both signs, is NULL.
    private static let rollups = """
        CREATE TABLE rollup (
            level INTEGER NOT NULL, device INTEGER NOT NULL, quantity INTEGER NOT NULL, bucket INTEGER NOT NULL,
            count INTEGER NOT NULL, minimum REAL NOT NULL, maximum REAL NOT NULL, sum REAL,
            firstAt INTEGER NOT NULL, first REAL NOT NULL, lastAt INTEGER NOT NULL, last REAL NOT NULL,
            PRIMARY KEY (level, device, quantity, bucket)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// A part of the second step: operations that were started and must be finished after a crash.
    private static let pendingOperations = """
        CREATE TABLE deletion (
            number INTEGER PRIMARY KEY AUTOINCREMENT, device INTEGER NOT NULL,
            firstAt INTEGER NOT NULL, lastAt INTEGER NOT NULL, throughOrdinal INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE exportMark (
            name TEXT PRIMARY KEY, exportedUntil INTEGER, pendingFrom INTEGER, pendingUntil INTEGER
        ) STRICT, WITHOUT ROWID;
        """

    /// A part of the second step; see ``AlertStore``.
    private static let alerts = """
        CREATE TABLE alertState (key TEXT PRIMARY KEY, json BLOB NOT NULL) STRICT, WITHOUT ROWID;
        CREATE TABLE alertEvent (
            id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, json BLOB NOT NULL
        ) STRICT;
        CREATE TABLE alertOutbox (
            id INTEGER PRIMARY KEY AUTOINCREMENT, channel TEXT NOT NULL, json BLOB NOT NULL,
            attempts INTEGER NOT NULL, nextAttempt INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX alertOutboxByTime ON alertOutbox (nextAttempt);
        """

    /// The fourth migration; see ``HistoryStore/add(_:)``.
    ///
    /// A dose without JSON was removed: its row stays, so that it is not stored again when it is delivered again.
    private static let doses = """
        CREATE TABLE dose (
            identifier TEXT PRIMARY KEY, pool TEXT NOT NULL, at INTEGER NOT NULL, json BLOB
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX doseByTime ON dose (at);
        """

    /// Selects the readings of a device between two times, up to a limit.
    static let readingsOfSpan = """
        SELECT ordinal, identifier, sampledAt, timeQuality, receivedAt, \(quantityColumns.joined(separator: ", "))
        FROM reading JOIN device ON number = device
        WHERE device = (SELECT number FROM device WHERE identifier = ?) AND sampledAt BETWEEN ? AND ?
        ORDER BY sampledAt, ordinal LIMIT ?
        """

    /// Selects the readings after an ordinal, in the order of arrival, with the numbers of their devices.
    static let readingsAfterOrdinal = """
        SELECT ordinal, identifier, sampledAt, timeQuality, receivedAt, \(quantityColumns.joined(separator: ", ")),
            device
        FROM reading JOIN device ON number = device WHERE ordinal > ? ORDER BY ordinal
        """

    /// Inserts a reading: device, sample time, its quality, time of receipt, payload hash, then the values.
    static let insertReading = """
        INSERT INTO reading (
            device, sampledAt, timeQuality, receivedAt, payloadHash, \(quantityColumns.joined(separator: ", ")))
        VALUES (?, ?, ?, ?, ?, \(quantityColumns.map { _ in "?" }.joined(separator: ", ")))
        """

    static let quantityColumns = Quantity.allCases.map(\.rawValue)
}

extension Reading {
    /// The reading in a row of ``HistoryTables/readingsOfSpan``.
    init(_ row: Row) throws {
        guard let ordinal = UInt64.fromDatabaseValue(row[0]),
            let deviceID = String.fromDatabaseValue(row[1]).flatMap({ DeviceID($0) }),
            let sampledAt = Int64.fromDatabaseValue(row[2]),
            let timeQuality = String.fromDatabaseValue(row[3]).flatMap({ TimeQuality(rawValue: $0) }),
            let receivedAt = Int64.fromDatabaseValue(row[4])
        else { throw CorruptionError(finding: "a row of the table reading is not what the program writes") }
        var values = QuantityMap<Double>()
        for (position, quantity) in Quantity.allCases.enumerated() {
            values[quantity] = Double.fromDatabaseValue(row[5 + position])
        }
        self.init(
            deviceID: deviceID, values: values, sampledAt: Timestamp(milliseconds: sampledAt),
            timeQuality: timeQuality, receivedAt: Timestamp(milliseconds: receivedAt), ordinal: ordinal)
    }
}
