import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// Histories that earlier versions wrote.
@Suite
struct MigrationTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("history.sqlite")
        try writeFirstHistory(path)
    }

    @Test
    func `a history of the first version has all its readings, states and deliveries`() throws {
        let store = try HistoryStore(path: path)

        #expect(try store.all().map(\.ordinal) == (1...200).map { UInt64($0) })
        #expect(try store.all().last?.values == [.temperature: 20, .ph: 7.5])
        #expect(try store.latest().map(\.deviceID) == [oak])
        let again = undated(9, connection: 5, hash: 201, received: 900)
        #expect(
            try store.recordEach([dated(7, hash: 7), again, again, dated(7, hash: 8)]) == [false, false, true, true])
    }

    @Test
    func `it keeps values of the quantities that the first version did not know`() throws {
        let store = try HistoryStore(path: path)
        let values: QuantityMap<Double> = [.ph: 7.2, .salinity: 3.2, .conductivity: 5400, .battery: 97]
        try store.record(
            Arrival(
                reading: sampleReading(values, of: oak, at: 2000, quality: .estimated), payloadHash: 1, delivery: nil))
        #expect(try store.all().last?.values == values)

        try store.maintainAll(now: 0)
        let series = try store.statistics(
            SeriesQuery(
                deviceID: oak, quantity: .salinity, from: Timestamp(milliseconds: 0),
                through: Timestamp(milliseconds: 3000), pointsMax: 2, expectedIntervalSeconds: 60))
        #expect(series.sampleCount == 1)
    }

    @Test
    func `its readings come into the rollups`() throws {
        let store = try HistoryStore(path: path)
        #expect(try store.size().waitingCount == 200)

        try store.maintainAll(now: 0)

        let series = try store.statistics(
            SeriesQuery(
                deviceID: oak, quantity: .ph, from: Timestamp(milliseconds: 0), through: Timestamp(milliseconds: 1000),
                pointsMax: 2, expectedIntervalSeconds: 60))
        #expect(series.sampleCount == 200)
    }

    @Test
    func `without room for the new tables it stays what it was`() async throws {
        await #expect(processExitsWith: .success) { [path = path as String] in
            limitFileSize(to: 40_960)
            #expect(throws: HistoryError.self) { try HistoryStore(path: path) }
        }

        #expect(try HistoryStore(path: path).count() == 200)
    }
}

/// Writes a history by the statements of the first version: 200 readings of `oak`, the last with a delivery.
func writeFirstHistory(_ path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL") }
    try queue.write { database in
        try database.execute(
            sql: """
                PRAGMA application_id = 1347635273;
                CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                INSERT INTO grdb_migrations VALUES ('1 readings');
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
                CREATE UNIQUE INDEX readingByKey ON reading (device, sampledAt, payloadHash)
                    WHERE timeQuality = 'device';
                CREATE TABLE delivery (
                    ordinal INTEGER PRIMARY KEY REFERENCES reading (ordinal) ON DELETE CASCADE,
                    server TEXT NOT NULL, packetIdentifier INTEGER NOT NULL, life INTEGER NOT NULL,
                    connection INTEGER NOT NULL
                ) STRICT;
                CREATE INDEX deliveryByServer ON delivery (server);
                INSERT INTO device VALUES (1, '\(oak)', 4, CAST('{"deviceID":"\(oak)","order":4,"values":{}}' AS BLOB));
                WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 199)
                    INSERT INTO reading SELECT n, 1, n, 'device', n, NULL, 7.0, NULL, NULL, n FROM number;
                INSERT INTO reading VALUES (200, 1, 900, 'estimated', 900, 20.0, 7.5, NULL, NULL, 201);
                INSERT INTO delivery VALUES (200, '\(home)', 9, 1, 1);
                """)
    }
    try queue.close()
}
