import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

private let hour: Int64 = 3_600_000

/// Deletions by a user (P89).
@Suite
struct DeletionTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
    }

    /// After a deletion, the rollups are those of a history that never contained the readings.
    @Test(arguments: [0, 600, 1000])
    func `a span goes from readings and rollups alike`(rolledCount: Int) throws {
        let arrivals: [Arrival] = (0..<1000).map { (number: Int) in
            sample(Double(number % 10), of: number % 3 == 0 ? elm : oak, at: Int64(number) * 517_003)
        }
        try store.record(arrivals)
        if rolledCount > 0 { try store.rollUp(rowsMax: rolledCount) }
        let span = (20 * hour + 17)...(100 * hour + 12_345)
        let gone = arrivals.filter { $0.reading.deviceID == oak && span.contains($0.reading.sampledAt.milliseconds) }
        let other = try HistoryStore(path: place.path("other.sqlite"))
        try other.record(arrivals)
        try other.queue.write { database in
            for arrival in gone {
                try database.execute(
                    sql: "DELETE FROM reading WHERE sampledAt = \(arrival.reading.sampledAt.milliseconds)")
            }
        }
        try other.rollUpAll()

        let asked = try store.count(of: oak, from: moment(span.lowerBound), through: moment(span.upperBound))
        let count = try store.delete(
            of: oak, from: moment(span.lowerBound), through: moment(span.upperBound), rowsMax: 50
        ).count
        try store.rollUpAll()

        #expect(count == gone.count && asked == gone.count && count > 300)
        #expect(try store.all() == other.all())
        #expect(try store.all(of: elm) == other.all(of: elm))
        #expect(try store.rollups() == other.rollups())
        #expect(try !store.isDeleting())
    }

    @Test
    func `a bucket whose parts are gone goes as a whole`() throws {
        try store.record((0..<48).map { sample(1, at: $0 * hour) })
        try store.maintainAll(now: 5000 * 24 * hour)

        try store.delete(of: nil, from: moment(30 * hour), through: moment(.max))

        let series = try store.statistics(
            SeriesQuery(
                deviceID: oak, quantity: .ph, from: moment(0), through: moment(.max), pointsMax: 9,
                expectedIntervalSeconds: 60))
        #expect(series.points.map(\.raw.count) == [24])
    }

    @Test
    func `the newest state follows, value by value, with a greater order`() throws {
        var state = DeviceReadings(deviceID: oak, order: 7)
        for (time, values) in [(1, [.ph: 7]), (2, [.ph: 8, .orp: 600]), (3, [.ph: 9])]
            as [(
                Int64, QuantityMap<Double>
            )]
        {
            let reading = sampleReading(values, at: time)
            state.absorb(reading)
            try store.record(Arrival(reading: reading, payloadHash: UInt64(time), delivery: nil)) { _ in state }
        }
        try store.save(DeviceReadings(deviceID: elm, order: 3))

        let changed = try store.delete(of: nil, from: moment(2), through: moment(3)).latest

        #expect(changed == (try store.latest().filter { $0.deviceID == oak }))
        #expect(changed.map(\.order) == [state.order + 1])
        #expect(changed.first?.values[.ph]?.value == 7)
        #expect(changed.first?.values[.orp] == nil)
        #expect(try store.delete(of: oak, from: moment(2), through: moment(3)).latest.isEmpty)
    }

    @Test
    func `a deletion goes on after a restart, and spares what arrives after it`() throws {
        try store.record((0..<100).map { dated($0) })
        _ = try store.beginDeletion(of: oak, from: moment(0), through: moment(.max))
        #expect(try store.continueDeletion(rowsMax: 30) == 30)
        try store.record(dated(50, hash: 9))
        try store.close()

        let reopened = try HistoryStore(path: store.path)
        #expect(try reopened.isDeleting())
        try reopened.maintainAll(now: 0)

        #expect(try reopened.all().map(\.sampledAt.milliseconds) == [50])
        #expect(try !reopened.isDeleting())
        #expect(try reopened.recordEach([dated(1), dated(99)]) == [false, false])
    }

    @Test
    func `nothing is deleted of a span that ends before it begins, or of an unknown device`() throws {
        try store.record(dated(5))

        #expect(try store.delete(of: oak, from: moment(6), through: moment(4)).count == 0)
        #expect(try store.delete(of: elm, from: moment(0), through: moment(9)).count == 0)
        #expect(try store.count() == 1)
    }

    private func moment(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }
}
