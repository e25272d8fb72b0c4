import Foundation
import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

@Suite
struct HistoryStoreTests {
    private let place: TemporaryFolder
    private let path: String
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        path = place.path("history.sqlite")
        store = try HistoryStore(path: path)
    }

    // MARK: - Readings

    @Test
    func `a new history is empty`() throws {
        #expect(try store.count() == 0)
        #expect(try store.latest().isEmpty)
        #expect(try store.all().isEmpty)
    }

    @Test(
        arguments: [
            [.temperature: 24.5, .ph: 7.2, .chlorine: 1.8, .orp: 685],
            [.temperature: -5], [.ph: 0], [.chlorine: 0.1 + 0.2], [.orp: -1500],
            [
                .temperature: .leastNonzeroMagnitude, .ph: .greatestFiniteMagnitude, .chlorine: -.ulpOfOne,
                .orp: .infinity,
            ],
            [.orp: 9_007_199_254_740_992],
        ] as [QuantityMap<Double>])
    func `values come back exactly, and absent ones are absent`(values: QuantityMap<Double>) throws {
        let reading = sampleReading(values, at: -1, quality: .corrected, received: 3)
        try store.record(Arrival(reading: reading, payloadHash: .max, delivery: nil))
        try store.close()

        let stored = try HistoryStore(path: path).all()

        var expected = reading
        expected.ordinal = 1
        #expect(stored == [expected])
    }

    @Test
    func `times, hashes and identifiers are exact at their extremes`() throws {
        for (number, time) in [Int64.min, -1, 0, .max].enumerated() {
            let reading = sampleReading(of: elm, at: time, received: time)
            try store.record(Arrival(reading: reading, payloadHash: .max - UInt64(number), delivery: nil))
        }

        #expect(try store.all(of: elm).map(\.sampledAt.milliseconds) == [.min, -1, 0, .max])
        #expect(try store.all(of: elm).map(\.receivedAt.milliseconds) == [.min, -1, 0, .max])
        #expect(try store.all(of: elm).allSatisfy { $0.deviceID == elm })
        let again = sampleReading(of: elm, at: .min, received: 9)
        #expect(try store.record(Arrival(reading: again, payloadHash: .max, delivery: nil)) == .duplicate)
    }

    @Test
    func `readings of one time keep the order of arrival`() throws {
        for (hash, time) in [(1, 500), (2, 300), (3, 500), (4, 500), (5, 300)] as [(UInt64, Int64)] {
            try store.record(
                Arrival(reading: sampleReading([.ph: Double(hash)], at: time), payloadHash: hash, delivery: nil))
        }

        #expect(try store.all().map { $0.values[.ph] } == [2, 5, 1, 3, 4])
        #expect(try store.all().map(\.ordinal) == [2, 5, 1, 3, 4])
    }

    @Test
    func `a span includes both of its ends, and a limit keeps the earliest`() throws {
        try store.record((1...9).map { dated($0 * 10) } + [dated(35, of: elm)])

        func times(_ first: Int64, _ last: Int64, limit: Int = 100) throws -> [Int64] {
            try store.readings(
                of: oak, from: Timestamp(milliseconds: first), through: Timestamp(milliseconds: last), limit: limit
            ).map(\.sampledAt.milliseconds)
        }
        #expect(try times(30, 50) == [30, 40, 50])
        #expect(try times(31, 49) == [40])
        #expect(try times(40, 40) == [40])
        #expect(try times(50, 30) == [])
        #expect(try times(.min, .max, limit: 2) == [10, 20])
        #expect(try times(.min, .max, limit: 0) == [])
        #expect(try times(.min, .max, limit: -1) == [])
    }

    @Test
    func `readings are counted by device and together`() throws {
        try store.record([dated(1), dated(2), dated(3, of: elm)])

        #expect(try store.count() == 3)
        #expect(try store.count(of: oak) == 2)
        #expect(try store.count(of: elm) == 1)
        #expect(try store.count(of: DeviceID(high: 5, low: 5)) == 0)
    }

    @Test
    func `a large history answers for a span from its index, without sorting`() throws {
        try store.record(dated(0))
        try store.queue.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 100000)
                    INSERT INTO reading (device, sampledAt, timeQuality, receivedAt, ph, payloadHash)
                    SELECT 1, n * 7919 % 100003, 'device', n, n, n FROM number
                    """)
        }

        let first = Timestamp(milliseconds: 5000)
        let found = try store.readings(of: oak, from: first, through: Timestamp(milliseconds: 5999), limit: 5000)
        let plan = try store.queue.read { database in
            try Row.fetchAll(
                database, sql: "EXPLAIN QUERY PLAN " + HistoryTables.readingsOfSpan,
                arguments: [oak.description, 1, 2, 3]
            ).map { String.fromDatabaseValue($0["detail"]) ?? "" }
        }

        #expect((998...1000).contains(found.count))
        #expect(found.map(\.sampledAt) == found.map(\.sampledAt).sorted())
        #expect(plan.contains { $0.contains("SEARCH reading USING INDEX readingByTime (device=? AND sampledAt>") })
        #expect(!plan.contains { $0.contains("SCAN reading") || $0.contains("TEMP B-TREE") }, "\(plan)")
    }

    @Test
    func `an ordinal is never used again`() throws {
        try store.record([dated(1), dated(2)])
        #expect(try store.deleteAll(of: oak) == 2)

        #expect(try store.record(dated(3)) == .stored(ordinal: 3))
    }

    @Test
    func `deleting touches one device only`() throws {
        try store.record([dated(1), dated(1, of: elm), undated(4), undated(4, of: elm)])

        #expect(try store.deleteAll(of: oak) == 2)
        #expect(try store.deleteAll(of: oak) == 0)

        #expect(try store.count(of: oak) == 0)
        #expect(try store.count() == 2)
        #expect(try store.recordEach([dated(1), dated(1, of: elm), dated(2)]) == [false, false, true])
    }

    // MARK: - The newest state

    @Test
    func `the newest state is stored with its reading and survives`() throws {
        var state = DeviceReadings(deviceID: oak)
        var seen: [UInt64?] = []
        for time in [1, 2, 2, 3] as [Int64] {
            try store.record(dated(time)) { reading in
                seen.append(reading.ordinal)
                state.absorb(reading)
                return state
            }
        }
        try store.close()

        let reopened = try HistoryStore(path: path)

        #expect(seen == [1, 2, 3])
        #expect(try reopened.latest() == [state])
        #expect(state.order == 3)
    }

    @Test
    func `a reading without a new state leaves the stored one`() throws {
        let state = DeviceReadings(deviceID: oak, order: 4, lastSeen: Timestamp(milliseconds: 9))
        try store.record(dated(1)) { _ in state }
        try store.record(dated(2))

        #expect(try store.latest() == [state])
    }

    @Test
    func `a state is saved without a reading`() throws {
        let states = [
            DeviceReadings(deviceID: oak, order: 1), DeviceReadings(deviceID: oak, order: 1),
            DeviceReadings(deviceID: elm, order: .max), DeviceReadings(deviceID: oak, order: 2),
        ]
        for state in states { try store.save(state) }

        #expect(try store.latest() == [states[3], states[2]])
        #expect(try store.count() == 0)
    }

    @Test
    func `a batch stores its readings and the states that they led to`() throws {
        var states: [DeviceID: DeviceReadings] = [:]
        let recorded = try store.record([dated(1), dated(1, of: elm), dated(1), dated(2)]) { reading in
            states[reading.deviceID, default: DeviceReadings(deviceID: reading.deviceID)].absorb(reading)
            return states[reading.deviceID]
        }

        #expect(recorded == [.stored(ordinal: 1), .stored(ordinal: 2), .duplicate, .stored(ordinal: 3)])
        #expect(try store.latest() == [states[oak], states[elm]])
        #expect(try store.record([]).isEmpty)
    }

    @Test
    func `a state that is older than the stored one traps`() async {
        await #expect(processExitsWith: .failure) { [path = place.path("other") as String] in
            let store = try HistoryStore(path: path)
            try store.save(DeviceReadings(deviceID: oak, order: 5))
            try store.save(DeviceReadings(deviceID: oak, order: 4))
        }
    }

    @Test(arguments: 0..<3)
    func `what is not a reading traps`(number: Int) async {
        await #expect(processExitsWith: .failure) { [path = place.path("other") as String, number] in
            let store = try HistoryStore(path: path)
            let readings = [sampleReading(quality: .unknown), sampleReading([:]), sampleReading([.ph: 7, .orp: .nan])]
            try store.record(Arrival(reading: readings[number], payloadHash: 1, delivery: nil))
        }
    }

    // MARK: - The file

    @Test
    func `the file is for its owner only`() throws {
        try store.record(dated(1))

        let names = try names(in: place.path)
        #expect(names.contains("history.sqlite-wal"))
        for name in names {
            #expect(try permissions(place.path(name)) == 0o600, "\(name)")
        }
    }

    @Test
    func `recording waits for the disk`() throws {
        let settings = try ["journal_mode", "synchronous", "foreign_keys"].map { name in
            try store.queue.read { try String.fetchOne($0, sql: "PRAGMA \(name)") }
        }

        #expect(settings == ["wal", "2", "1"])
    }
}
