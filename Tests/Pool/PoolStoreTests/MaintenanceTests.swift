import Foundation
import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

private let day: Int64 = 86_400_000
private let minute: Int64 = 60_000

/// Rollups, retention and the size of the file (P90).
@Suite(.longWork)
struct MaintenanceTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
    }

    @Test
    func `readings are kept for 30 days unless somebody chooses 7 to 3650`() throws {
        #expect(Retention.standard.rawDays == 30)
        #expect(try Retention(rawDays: 7).rawDays == 7)
        #expect(try Retention(rawDays: 3650).rawDays == 3650)
        for days in [6, 0, -1, 3651] {
            let error = #expect(throws: RetentionError.self) { try Retention(rawDays: days) }
            #expect(error?.description.contains("\(days) days: choose 7 to 3650") == true)
        }
    }

    @Test
    func `what is older than its days goes in small steps, and charts still know it`() throws {
        let times = (0..<400).map { Int64($0) * day / 4 }
        try store.record(times.map { sample(Double($0 / day), at: $0) })
        let before = try store.statistics(query(through: 100 * day, pointsMax: 50))

        let steps = try store.maintainAll(now: 100 * day, rowsMax: 64)

        #expect(steps.contains(.prunedReadings(64)))
        #expect(steps.allSatisfy { if case .prunedReadings(let count) = $0 { count <= 64 } else { true } })
        // At exactly 30 days a reading is kept.
        #expect(try store.all().map(\.sampledAt.milliseconds) == times.filter { $0 >= 70 * day })
        #expect(try store.rollups().count { $0.contains("level:\(minute)") } == times.count { $0 >= 10 * day })
        let after = try store.statistics(query(through: 100 * day, pointsMax: 50))
        #expect(after.points == before.points)
        #expect(try store.maintainAll(now: 100 * day).isEmpty)
    }

    @Test
    func `a late reading goes into its bucket, however late`() throws {
        try store.record((0..<100).map { sample(1, at: $0 * day) })
        try store.maintainAll(now: 100 * day)
        try store.record(sample(5, at: 10 * day + 7))
        try store.maintainAll(now: 100 * day)

        let series = try store.statistics(query(from: 10 * day, through: 11 * day - 1, pointsMax: 2))

        #expect(series.points.map(\.raw.count) == [2])
        #expect(series.points.map(\.raw.maximum) == [5])
        #expect(try store.all().allSatisfy { $0.sampledAt.milliseconds >= 70 * day })
    }

    @Test
    func `what tells the sides of a calibration apart is kept for ever`() throws {
        let start = 5 * day + 10 * minute + 30_000
        let series = CalibrationSeries([calibration(from: start, slope: 2, offset: 0)])
        let corrections = Corrections([oak: [.ph: series]])
        try store.record((0..<2000).map { sample(1, at: 5 * day + $0 * 10_000) })

        try store.maintainAll(now: 5000 * day, corrections: corrections)

        // The six readings of the minute in which it begins; the other minutes of that quarter hour are buckets, and so
        // on.
        #expect(try store.count() == 6)
        var query = query(through: 5000 * day, pointsMax: 2)
        query.calibrations = series
        let point = try #require(try store.statistics(query).points.first)
        #expect(point.isExact)
        #expect(point.raw.sum == 2000)
        #expect(point.corrected.sum == Double(63 + 2 * (2000 - 63)))
    }

    @Test
    func `a calibration that begins where only a day is left is said not to be exact`() throws {
        try store.record((0..<100).map { sample(1, at: 5 * day + $0 * minute) })
        try store.maintainAll(now: 5000 * day)
        var query = query(through: 5000 * day, pointsMax: 9)
        query.calibrations = CalibrationSeries([calibration(from: 5 * day + 30 * minute, slope: 2, offset: 0)])

        let points = try store.statistics(query).points

        #expect(points.map(\.isExact) == [false])
        #expect(points.map(\.corrected.mean) == [1])
    }

    @Test
    func `a pruned reading that comes again is still recognised`() throws {
        try store.record([dated(1), dated(2)])
        try store.maintainAll(now: 100 * day)

        #expect(try store.count() == 0)
        #expect(try store.recordEach([dated(1), dated(2), dated(3)]) == [false, false, true])
    }

    @Test
    func `room that retention made is given back, and the sizes say so`() throws {
        try store.record((0..<90_000).map { sample(1, at: $0) })
        let before = try store.size()

        let steps = try store.maintainAll(now: 100 * day)
        try store.queue.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        let after = try store.size()

        #expect(before.waitingCount == 90_000 && before.journalByteCount > 0)
        #expect(steps.contains { if case .shrunk = $0 { true } else { false } })
        #expect(after.fileByteCount < before.fileByteCount / 2)
        #expect(after.freeByteCount <= 256 * 4096 && after.waitingCount == 0)
        #expect(contents(store.path)?.count == after.fileByteCount)
    }

    @Test
    func `compacting changes no reading`() throws {
        try store.record((0..<1000).map { dated($0) })
        let readings = try store.all()

        try store.compact()

        #expect(try store.all() == readings)
        #expect(try store.recordEach([dated(5)]) == [false])
    }

    private func query(from first: Int64 = 0, through last: Int64, pointsMax: Int) -> SeriesQuery {
        SeriesQuery(
            deviceID: oak, quantity: .ph, from: Timestamp(milliseconds: first), through: Timestamp(milliseconds: last),
            pointsMax: pointsMax, expectedIntervalSeconds: 60)
    }
}
