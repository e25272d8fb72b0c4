import Foundation
import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

private let hour: Int64 = 3_600_000

/// Processes killed during background work: rollups, retention, deletions, exports, migrations and backups.
@Suite
struct CrashOfWorkTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("history.sqlite")
    }

    @Test
    func `readings are summed up once each, and age goes on, however often the hub is killed`() async throws {
        for round in 0..<5 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                let store = try HistoryStore(path: path)
                let killer = Killer(afterCount: 5 + 6 * round, spinning: 3000 * round)
                while true {
                    try recordNextHours(20, in: store)
                    for _ in 0..<6 {
                        _ = try store.maintain(
                            now: Timestamp(milliseconds: .max / 2), retention: .standard, corrections: Corrections(),
                            rowsMax: 7)
                        killer.count()
                    }
                }
            }
        }

        let store = try HistoryStore(path: path)
        try store.maintainAll(now: 0)
        let last = try #require(try store.lastOrdinal())
        let series = try store.statistics(
            SeriesQuery(
                deviceID: oak, quantity: .ph, from: Timestamp(milliseconds: .min),
                through: Timestamp(milliseconds: .max),
                pointsMax: 2, expectedIntervalSeconds: 60))
        #expect(last > 20)
        #expect(series.sampleCount == Int(last))
        #expect(series.points.reduce(0) { $0 + $1.raw.sum } == Double(last * (last + 1) / 2))
    }

    @Test
    func `a deletion is finished after a kill, and its rollups are those of what stays`() async throws {
        for round in 0..<5 {
            await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                let store = try HistoryStore(path: path)
                let killer = Killer(afterCount: 2 + round, spinning: 4000 * round)
                while true {
                    try recordNextHours(60, in: store)
                    try store.rollUp(rowsMax: 50)
                    let last = try store.lastOrdinal() ?? 0
                    try store.delete(
                        of: oak, from: Timestamp(milliseconds: (last - 50) * hour),
                        through: Timestamp(milliseconds: (last - 9) * hour), rowsMax: 4)
                    killer.count()
                }
            }
        }

        let store = try HistoryStore(path: path)
        try store.maintainAll(now: 0)
        #expect(try !store.isDeleting())
        #expect(try store.count() > 0)
        let rollups = try store.rollups()
        try store.rollUpAnew()
        #expect(try store.rollups() == rollups)
        // Deletions are of 42 hours each: one is either complete or has not begun.
        let hours = try Set(store.all().map { $0.sampledAt.milliseconds / hour })
        let gone = try Set(1...(store.lastOrdinal() ?? 0)).subtracting(hours)
        #expect(gone.count.isMultiple(of: 42) && !gone.isEmpty)
    }

    @Test
    func `each period has one whole file, however often the hub is killed`() async throws {
        do {
            let store = try HistoryStore(path: path)
            try store.record((0..<12_000).map { sample(1, at: $0 * hour / 6) })
        }
        for round in 0..<5 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, folder = place.path as String, round = round as Int] in
                let store = try HistoryStore(path: path)
                let killer = Killer(afterCount: 2 + round, spinning: 5000 * round)
                while true {
                    try exportNextHour(of: store, into: folder)
                    killer.count()
                }
            }
        }

        let store = try HistoryStore(path: path)
        try exportNextHour(of: store, into: place.path)
        let files = try names(in: place.path).filter { $0.contains("pool-") }
        let count = try #require(try store.exportedUntil("pool")).milliseconds / hour
        let expected = (0..<count).map { number in
            ExportPeriod(
                start: Timestamp(milliseconds: number * hour), end: Timestamp(milliseconds: (number + 1) * hour)
            ).fileName("pool") + ".csv"
        }
        #expect(files == expected)
        for file in files {
            let lines = contents(place.path(file)).map {
                String(decoding: $0, as: UTF8.self).split(separator: "\r\n")
            }
            #expect(lines?.count == 7, "\(file)")
        }
    }

    @Test(arguments: 0..<6)
    func `a hub killed while it migrates migrates at the next start`(round: Int) async throws {
        try writeFirstHistory(path)
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
            let killer = Killer(afterCount: 1, spinning: 30_000 * round * round)
            killer.count()
            let store = try HistoryStore(path: path)
            while true { _ = try store.count() }
        }

        let store = try HistoryStore(path: path)

        #expect(try store.count() == 200)
        #expect(try store.recordEach([dated(7, hash: 7), dated(7, hash: 8)]) == [false, true])
    }

    @Test(arguments: 0..<6)
    func `a backup is whole or not there, and a restore is done or not begun`(round: Int) async throws {
        let backup = place.path("backup.sqlite")
        do {
            let store = try HistoryStore(path: path)
            try recordNextHours(300, in: store)
            try store.backUp(to: backup)
            try recordNextHours(1, in: store)
        }
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [path = path as String, backup = backup as String, round = round as Int] in
            let killer = Killer(afterCount: 1, spinning: 40_000 * round * round)
            killer.count()
            try HistoryBackup.restore(backup, to: path)
            while true { try HistoryStore(path: path).backUp(to: backup, replaces: true) }
        }

        #expect(try [300, 301].contains(HistoryStore(path: path).count()))
        #expect(try HistoryBackup.verify(backup).readingCount == 300)
    }
}

/// Records the next readings of `oak`, one per hour, whose values are their numbers.
private func recordNextHours(_ count: Int64, in store: HistoryStore) throws {
    let next = try (store.lastOrdinal() ?? 0) + 1
    try store.record((next..<(next + count)).map { sample(Double($0), at: $0 * hour) })
}

private func exportNextHour(of store: HistoryStore, into folder: String) throws {
    let now = try store.exportedUntil("pool")?.advanced(byMilliseconds: hour) ?? Timestamp(milliseconds: hour)
    _ = try store.exportPeriod("pool", .hourly, ExportRequest(format: .csv), into: folder, now: now)
}

extension HistoryStore {
    /// The ordinal of the last reading ever recorded.
    fileprivate func lastOrdinal() throws -> Int64? {
        try queue.read { try Int64.fetchOne($0, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'reading'") }
    }

    /// The end of the last period that was exported under a name; nil if there was none.
    fileprivate func exportedUntil(_ name: String) throws -> Timestamp? {
        try queue.read { database in
            try Int64.fetchOne(
                database, sql: "SELECT exportedUntil FROM exportMark WHERE name = ? AND exportedUntil IS NOT NULL",
                arguments: [name]
            ).map { Timestamp(milliseconds: $0) }
        }
    }
}
