internal import GRDB
internal import PoolModel

/// The tables of the history.
enum HistoryTables {
    /// The steps that made the tables what they are.
    ///
    /// A step that was released never changes, and neither does its name: files know their steps by the names.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 readings") { database in
            try database.execute(sql: readings)
        }
        return migrator
    }

    /// The first step.
    ///
    /// Ordinals are never used again, which is what AUTOINCREMENT adds. A payload hash is stored as the signed number
    /// of the same 64 bits.
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

    /// Asks for the readings of a device, from one time through another, at most so many.
    static let readingsOfSpan = """
        SELECT ordinal, identifier, sampledAt, timeQuality, receivedAt, \(quantityColumns.joined(separator: ", "))
        FROM reading JOIN device ON number = device
        WHERE device = (SELECT number FROM device WHERE identifier = ?) AND sampledAt BETWEEN ? AND ?
        ORDER BY sampledAt, ordinal LIMIT ?
        """

    static let quantityColumns = Quantity.allCases.map(\.rawValue)
}

extension Reading {
    /// The reading of a row that ``HistoryTables/readingsOfSpan`` found.
    init(_ row: Row) throws {
        guard let ordinal = UInt64.fromDatabaseValue(row[0]),
            let deviceID = String.fromDatabaseValue(row[1]).flatMap({ DeviceID($0) }),
            let sampledAt = Int64.fromDatabaseValue(row[2]),
            let timeQuality = String.fromDatabaseValue(row[3]).flatMap({ TimeQuality(rawValue: $0) }),
            let receivedAt = Int64.fromDatabaseValue(row[4])
        else { throw Damage(finding: "a row of the table reading is not what the program writes") }
        var values = QuantityMap<Double>()
        for (position, quantity) in Quantity.allCases.enumerated() {
            values[quantity] = Double.fromDatabaseValue(row[5 + position])
        }
        self.init(
            deviceID: deviceID, values: values, sampledAt: Timestamp(milliseconds: sampledAt),
            timeQuality: timeQuality, receivedAt: Timestamp(milliseconds: receivedAt), ordinal: ordinal)
    }
}
