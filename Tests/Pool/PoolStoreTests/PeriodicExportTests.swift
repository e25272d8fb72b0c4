import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// Automatic exports (V6).
@Suite
struct PeriodicExportTests {
    private let place: TemporaryFolder
    private let store: HistoryStore

    init() throws {
        place = try TemporaryFolder()
        store = try HistoryStore(path: place.path("history.sqlite"))
    }

    private func moment(_ text: String) throws -> Timestamp {
        try #require(Timestamp(iso8601: text.count == 10 ? text + "T00:00:00Z" : text))
    }

    private func due(_ rhythm: ExportSettings.Period, _ now: String, _ until: String?) throws -> String? {
        try rhythm.due(now: moment(now), exportedUntil: until.map { try moment($0) })?.fileName("pool")
    }

    @Test
    func `a period is due when it has ended, in UTC`() throws {
        #expect(try due(.daily, "2026-06-02T23:59:59.999Z", "2026-06-02") == nil)
        #expect(try due(.daily, "2026-06-03", "2026-06-02") == "pool-20260602T0000Z-20260603T0000Z")
        #expect(
            try due(.hourly, "2026-06-03T10:59:00Z", "2026-06-03T09:00:00Z") == "pool-20260603T0900Z-20260603T1000Z")
        // 1 June 2026 is a Monday.
        #expect(try due(.weekly, "2026-06-07T23:59:59Z", "2026-06-01") == nil)
        #expect(try due(.weekly, "2026-06-08", "2026-06-01") == "pool-20260601T0000Z-20260608T0000Z")
        #expect(try due(.weekly, "1969-12-30", nil) == "pool-19691222T0000Z-19691229T0000Z")
        #expect(try due(.monthly, "2028-02-29T23:59:59Z", "2028-02-01") == nil)
        #expect(try due(.monthly, "2028-03-01", "2028-02-01") == "pool-20280201T0000Z-20280301T0000Z")
        #expect(try due(.monthly, "2028-01-15", nil) == "pool-20271201T0000Z-20280101T0000Z")
    }

    @Test
    func `the first export is the last whole period, and one catches up with all that was missed`() throws {
        #expect(try due(.daily, "2026-06-03T07:00:00Z", nil) == "pool-20260602T0000Z-20260603T0000Z")
        #expect(try due(.daily, "2026-06-09T07:00:00Z", "2026-06-03") == "pool-20260603T0000Z-20260609T0000Z")
    }

    @Test
    func `a clock that was wrong for a while does not end the exports`() throws {
        // A clock that is set back by an hour: wait. A mark of 2036: start again.
        #expect(try due(.daily, "2026-06-02T23:00:00Z", "2026-06-03") == nil)
        #expect(try due(.daily, "2026-06-03T07:00:00Z", "2036-01-01") == "pool-20260602T0000Z-20260603T0000Z")
    }

    @Test
    func `each period has one file, with its readings and no other`() throws {
        let days = try (1...9).map { try moment("2026-06-0\($0)") }
        for day in days {
            try store.record([sample(1, at: day.milliseconds - 1), sample(2, at: day.milliseconds)])
        }
        let request = ExportRequest(format: .csv)
        func export(_ day: Int) throws -> Int? {
            try store.exportPeriod("pool", .daily, request, into: place.path, now: days[day - 1])?.rowCount
        }

        #expect(try export(3) == 2)
        #expect(try export(3) == nil)
        #expect(try export(4) == 2)
        // The hub was off for four days: one file, once.
        #expect(try export(8) == 8)
        #expect(try export(8) == nil)
        #expect(
            try names(in: place.path).filter { $0.hasPrefix("pool") } == [
                "pool-20260602T0000Z-20260603T0000Z.csv", "pool-20260603T0000Z-20260604T0000Z.csv",
                "pool-20260604T0000Z-20260608T0000Z.csv",
            ])
    }

    @Test
    func `a period that failed stays due under the same name`() throws {
        let days = try ["2026-06-02", "2026-06-05"].map { try moment($0) }
        let request = ExportRequest(format: .jsonl)
        #expect(throws: HistoryError.self) {
            try store.exportPeriod("pool", .daily, request, into: place.path("missing"), now: days[0])
        }

        let reports = try (0..<3).map { _ in
            try store.exportPeriod("pool", .daily, request, into: place.path, now: days[1])
        }

        #expect(
            reports.map { $0?.path.split(separator: "/").last } == [
                "pool-20260601T0000Z-20260602T0000Z.jsonl", "pool-20260602T0000Z-20260605T0000Z.jsonl", nil,
            ])
    }
}
