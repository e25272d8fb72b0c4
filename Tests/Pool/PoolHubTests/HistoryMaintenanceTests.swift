import Foundation
import PoolControl
import PoolModel
import PoolStore
import TestSupport
import Testing

@testable import PoolHub

/// The automatic maintenance.
@Suite struct HistoryMaintenanceTests {
    private static let noon = Timestamp(iso8601: "2026-06-03T12:00:00Z")?.milliseconds ?? 0
    private let day = KeptHistory.day

    @Test func `P90 readings leave when they are older than a person chose, by default 30 days`() throws {
        for (settings, kept) in [(HistorySettings(), 2), (HistorySettings(rawDays: 7), 1)] {
            let house = try KeptHistory(history: settings)
            for age in [31, 29, 1] { try house.record(7.2, at: Self.noon - Int64(age) * day) }
            house.settle(at: Self.noon, uptime: 0)
            #expect(try house.history.count() == kept)
        }
    }

    @Test func `a mirror that is an hour behind is told once, and once more when it has all`() throws {
        let house = try KeptHistory()
        let (hour, path) = (3_600_000 as Int64, house.history.path)
        try house.record(7.2, at: Self.noon)
        house.settle(at: Self.noon + 2 * hour, uptime: 0)
        #expect(house.notices.items == [], "there is no mirror")
        try MirrorMark(row: 0, copiedAt: Timestamp(milliseconds: Self.noon)).write(ofHistory: path)
        for minute in 0...61 as ClosedRange<Int64> {
            house.settle(at: Self.noon + minute * 60_000, uptime: hour + minute * 60_000)
            #expect(house.notices.items.count == (minute < 60 ? 0 : 1), "\(minute)")
        }
        #expect(house.notices.items.last?.contains("1 reading waits, for 1h") == true)
        try MirrorMark(row: 1, copiedAt: Timestamp(milliseconds: Self.noon + hour)).write(ofHistory: path)
        house.settle(at: Self.noon + 2 * hour, uptime: 3 * hour)
        house.settle(at: Self.noon + 3 * hour, uptime: 4 * hour)
        #expect(house.notices.items.count == 2)
        #expect(house.notices.items.last == "the mirror of the history has all readings again")
    }

    @Test func `a clock that leaps years ahead removes nothing until it has gone on evenly for a day`() throws {
        let house = try KeptHistory()
        try house.record(7.2, at: Self.noon - day)
        house.settle(at: Self.noon, uptime: 0)

        let leapt = Self.noon + 3650 * day
        house.settle(at: leapt, uptime: 10)
        house.settle(at: leapt + day / 2, uptime: day / 2)
        #expect(try house.history.count() == 1)
        #expect(house.notices.items.count == 1)
        #expect(house.notices.items.first?.contains("3650 days ahead") == true)
        // The clock is corrected, and everything continues as before.
        house.settle(at: Self.noon + day, uptime: day)
        #expect(try house.history.count() == 1)

        house.settle(at: leapt, uptime: day + 10)
        house.settle(at: leapt + day + 10, uptime: 2 * day + 20)
        #expect(try house.history.count() == 0)
    }

    @Test func `a hub that was away for a year waits for a day before it removes readings for their age`() throws {
        var clock = ClockTrust(lastKnown: Timestamp(milliseconds: Self.noon))
        func judge(_ wall: Int64, _ uptime: Int64) -> ClockTrust.Judgement {
            clock.judge(.init(wall: Timestamp(milliseconds: wall), uptime: uptime))
        }
        let late = Self.noon + 365 * day
        #expect(judge(late, 0).now.milliseconds == Self.noon)
        #expect(judge(late + day, day).now.milliseconds == late + day)

        clock = ClockTrust(lastKnown: Timestamp(milliseconds: Self.noon))
        // A machine without a battery-backed clock starts in 1970 until its clock is set.
        #expect(judge(0, 0) == .init(now: Timestamp(milliseconds: 0)))
        #expect(judge(Self.noon + 20 * day, 5) == .init(now: Timestamp(milliseconds: Self.noon + 20 * day)))
    }

    @Test func `V6 each day has a file, and a week away is caught up with by one`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "auto-\(UInt64.random(in: 0...(.max)))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        // The system removes the remaining temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let house = try KeptHistory(export: ExportSettings(period: .daily, folder: folder.path))
        func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
        for age in (0...9).reversed() { try house.record(7 + Double(age) / 10, at: Self.noon - Int64(age) * day) }

        house.settle(at: Self.noon - 8 * day, uptime: 0)
        house.settle(at: Self.noon - 8 * day + 60_000, uptime: 60_000)
        #expect(try names() == ["poolsensors-20260525T0000Z-20260526T0000Z.csv"])

        house.settle(at: Self.noon, uptime: 8 * day)
        house.settle(at: Self.noon + 1000, uptime: 8 * day + 1000)
        #expect(
            try names() == [
                "poolsensors-20260525T0000Z-20260526T0000Z.csv", "poolsensors-20260526T0000Z-20260603T0000Z.csv",
            ])
        let text = try String(contentsOf: folder.appending(path: try names()[1]), encoding: .utf8)
        #expect(text.split(separator: "\r\n").count == 9)
        #expect(house.notices.items == [])
    }

    @Test func `a missing folder is told once, tried every minute, and done when it is there`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "auto-\(UInt64.random(in: 0...(.max)))")
        // The system removes the remaining temporary files.
        defer { try? FileManager.default.removeItem(at: folder) }
        let house = try KeptHistory(export: ExportSettings(period: .monthly, format: .jsonl, folder: folder.path))
        try house.record(7.2, at: Self.noon - 30 * day)
        for second in stride(from: Int64(0), to: 180_000, by: 10_000) {
            house.settle(at: Self.noon + second, uptime: second)
        }
        #expect(house.notices.items.count == 1)
        #expect(house.notices.items.first?.contains(folder.path) == true)

        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        house.settle(at: Self.noon + 180_001, uptime: 180_001)
        house.settle(at: Self.noon + 240_000, uptime: 240_000)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path)
                == ["poolsensors-20260501T0000Z-20260601T0000Z.jsonl"])
        #expect(house.notices.items.count == 2)
    }

    @Test func `an export that failed is tried at once with other settings`() throws {
        let folder = try TemporaryFolder()
        let missing = ExportSettings(period: .monthly, folder: folder.path("none"))
        let house = try KeptHistory(export: missing)
        try house.record(7.2, at: Self.noon - 30 * day)
        house.settle(at: Self.noon, uptime: 0)
        #expect(house.notices.items.count == 1)
        house.keeper.use(
            try house.configuration.exporting(ExportSettings(period: .monthly, folder: folder.url.path)))
        house.settle(at: Self.noon + 1000, uptime: 1000)
        #expect(try names(in: folder.url.path) == ["poolsensors-20260501T0000Z-20260601T0000Z.csv"])
    }

    @Test func `a device whose readings are deleted shows what stays, even if one arrives meanwhile`() async throws {
        // P89
        let house = try KeptHistory()
        for (age, ph) in [(3, 7.3), (2, 7.2), (1, 7.1)] { try house.record(ph, at: Self.noon - Int64(age) * day) }
        let span = (Timestamp(milliseconds: Self.noon - 2 * day), Timestamp(milliseconds: Self.noon))
        func delete(_ expected: Int?) async throws -> HistoryAnswer {
            try await house.keeper.perform(
                .delete(device: house.device, from: span.0, through: span.1, expected: expected))
        }
        guard case .deletion(2, false) = try await delete(nil) else { throw NotRunning() }
        guard case .deletionGrew(2, 1) = try await delete(1) else { throw NotRunning() }
        #expect(try house.history.count() == 3)
        guard case .deletion(2, true) = try await delete(2) else { throw NotRunning() }
        #expect(try house.history.count() == 1)
        #expect(try house.history.latest().first?.values[.ph]?.value == 7.3)
    }
}
