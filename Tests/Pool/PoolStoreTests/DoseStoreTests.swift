import Foundation
import GRDB
import PoolModel
import TestSupport
import Testing

@testable import PoolStore

/// The log of doses in the file of the history.
@Suite(.longWork)
struct DoseStoreTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("history.sqlite")
    }

    // V21
    @Test
    func `a dose is stored once, however often it is added, and survives`() throws {
        let store = try HistoryStore(path: path)
        let first = sampleDose(1, amount: 150)
        var other = first
        other.amount = 999

        #expect(try store.add(first) == .stored(dropped: 0))
        #expect(try store.add(first) == .known)
        // The same identifier with other contents changes nothing.
        #expect(try store.add(other) == .known)
        try store.close()

        #expect(try HistoryStore(path: path).doses(limit: 10) == [first])
    }

    @Test
    func `doses are listed newest first, by pool, from a time on, up to a limit`() throws {
        let store = try HistoryStore(path: path)
        let doses = [
            sampleDose(1, at: 300), sampleDose(2, at: 100), sampleDose(3, at: 200, pool: 8), sampleDose(4, at: 200),
        ]
        for dose in doses { try store.add(dose) }

        func numbers(_ found: [Dose]) -> [UInt64] { found.map(\.id.low) }
        #expect(try numbers(store.doses(limit: 10)) == [1, 4, 3, 2])
        #expect(try numbers(store.doses(of: PoolID(high: 0, low: 7), limit: 10)) == [1, 4, 2])
        #expect(try numbers(store.doses(of: PoolID(high: 0, low: 8), limit: 10)) == [3])
        #expect(try numbers(store.doses(from: Timestamp(milliseconds: 200), limit: 10)) == [1, 4, 3])
        #expect(try numbers(store.doses(limit: 2)) == [1, 4])
        #expect(try store.doses(limit: 0).isEmpty && store.doses(limit: -1).isEmpty)
    }

    @Test
    func `a removed dose stays removed, also when it is delivered again`() throws {
        let store = try HistoryStore(path: path)
        try store.add(sampleDose(1))
        try store.add(sampleDose(2))

        #expect(try store.removeDose(DoseID(high: 9, low: 1)))
        #expect(try !store.removeDose(DoseID(high: 9, low: 1)))
        #expect(try !store.removeDose(DoseID(high: 9, low: 77)))
        #expect(try store.add(sampleDose(1)) == .known)
        #expect(try store.doses(limit: 10).map(\.id.low) == [2])
    }

    @Test
    func `the newest doses are kept, removed ones included`() throws {
        let store = try HistoryStore(path: path)
        let countMax = HistoryStore.doseCountMax
        try store.write { database in
            for number in 1...countMax {
                try database.execute(
                    sql: "INSERT INTO dose VALUES (?, '', ?, NULL)", arguments: ["old \(number)", number])
            }
        }

        #expect(try store.add(sampleDose(1, at: Int64(countMax) + 10)) == .stored(dropped: 1))
        #expect(try store.add(sampleDose(2, at: Int64(countMax) + 11)) == .stored(dropped: 1))
        // An older one than all that are kept would be gone at once.
        #expect(try store.add(sampleDose(3, at: 0)) == .tooOld)

        #expect(try store.doses(limit: 10).map(\.id.low) == [2, 1])
        let ages = try store.read { try Int64.fetchAll($0, sql: "SELECT at FROM dose ORDER BY at") }
        #expect(ages.count == countMax && ages.first == 3)
    }

    @Test
    func `what one watch logs displaces its own oldest doses, and none of anybody else`() throws {
        let store = try HistoryStore(path: path)
        let (greedy, other) = (String(repeating: "a", count: 64), String(repeating: "b", count: 64))
        let countMax = HistoryStore.doseCountMaxOfWatch
        // All of these are older than anything that the greedy watch logs.
        try store.add(sampleDose(1, at: 1))
        try store.add(sampleDose(2, at: 2), of: other)
        for number in 0..<countMax {
            let addition = try store.add(sampleDose(UInt64(100 + number), at: Int64(1000 + number)), of: greedy)
            #expect(addition == .stored(dropped: 0))
        }
        #expect(try store.add(sampleDose(50_000, at: 50_000), of: greedy) == .stored(dropped: 1))
        #expect(try store.add(sampleDose(50_001, at: 50_001), of: greedy) == .stored(dropped: 1))
        #expect(try store.add(sampleDose(50_002, at: 999), of: greedy) == .tooOld)

        let kept = try store.doses(limit: 20_000).map(\.id.low)
        #expect(kept.count == countMax + 2)
        #expect(kept.suffix(3) == [102, 2, 1])
        // The others have their own room.
        #expect(try store.add(sampleDose(3, at: 3), of: other) == .stored(dropped: 0))
        #expect(try store.add(sampleDose(4, at: 4)) == .stored(dropped: 0))
    }

    @Test
    func `many doses of watches displace none that came from no watch`() throws {
        let store = try HistoryStore(path: path)
        try store.add(sampleDose(1, at: 1))
        try store.add(sampleDose(2, at: 2), of: "aa")
        try store.write { database in
            for number in 1...HistoryStore.doseCountMax {
                let id = "of a watch \(number)"
                try database.execute(
                    sql: "INSERT INTO dose VALUES (?, '', ?, NULL)", arguments: [id, number + 10])
                try database.execute(sql: "INSERT INTO doseSource VALUES (?, 'aa')", arguments: [id])
            }
        }
        #expect(try store.add(sampleDose(3, at: 3)) == .stored(dropped: 0))
        #expect(try store.doses(limit: 10).map(\.id.low) == [3, 2, 1])
    }

    @Test
    func `doses outlive the deletion and the retention of readings`() throws {
        let store = try HistoryStore(path: path)
        try store.record(dated(1))
        try store.add(sampleDose(1, at: 1))

        try store.delete(of: nil, from: Timestamp(milliseconds: .min), through: Timestamp(milliseconds: .max))
        try store.maintainAll(now: 400 * 86_400_000)

        #expect(try store.count() == 0)
        #expect(try store.doses(limit: 10).count == 1)
    }

    @Test
    func `a backup has the doses, and brings them back`() throws {
        let store = try HistoryStore(path: path)
        let backup = place.path("backup.sqlite")
        try store.add(sampleDose(1))
        try store.backUp(to: backup)
        try store.add(sampleDose(2))
        try store.close()

        try HistoryBackup.restore(backup, to: path)

        #expect(try HistoryStore(path: path).doses(limit: 10).map(\.id.low) == [1])
    }

    @Test
    func `a history of the first version takes doses`() throws {
        try writeFirstHistory(path)
        let store = try HistoryStore(path: path)

        #expect(try store.doses(limit: 10).isEmpty)
        #expect(try store.add(sampleDose(1)).isNew)
        #expect(try store.count() == 200)
    }

    @Test
    func `what another version wrote is left out`() throws {
        let store = try HistoryStore(path: path)
        try store.add(sampleDose(1))
        try store.write { database in
            try database.execute(
                sql: "INSERT INTO dose VALUES ('later', ?, 5, CAST('{\"product\":\"new\"}' AS BLOB))",
                arguments: [PoolID(high: 0, low: 7).description])
        }
        #expect(try store.doses(limit: 10).map(\.id.low) == [1])
    }

    @Test
    func `a process that is killed again and again has every dose that it was told is stored, once`() async throws {
        let acknowledged = place.path("acknowledged")
        _ = FileManager.default.createFile(atPath: acknowledged, contents: nil)
        for round in 0..<5 {
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = path as String, acknowledged = acknowledged as String, round = round as Int] in
                let store = try HistoryStore(path: path)
                let file = try #require(FileHandle(forWritingAtPath: acknowledged))
                try file.seekToEnd()
                let killer = Killer(afterCount: 3 + 4 * round, spinning: 3_000 * round)
                var next = UInt64(try store.doses(limit: 10_000).count)
                while true {
                    // The last one may have been stored without anybody knowing: it is added again.
                    for number in [max(1, next), next + 1] { try store.add(sampleDose(number, at: Int64(number))) }
                    next += 1
                    file.write(Data("\(next)\n".utf8))
                    killer.count()
                }
            }
        }

        let text = contents(acknowledged).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let last = try #require(text.split(separator: "\n").last.flatMap { UInt64($0) })
        let numbers = try HistoryStore(path: path).doses(limit: 10_000).map(\.id.low).reversed()
        #expect(Array(numbers) == Array(1...UInt64(numbers.count)))
        #expect((last...last + 1).contains(UInt64(numbers.count)))
    }
}

/// A dose; by default of the pool 7.
func sampleDose(_ number: UInt64, at milliseconds: Int64 = 1000, amount: Double = 100, pool: UInt64 = 7) -> Dose {
    Dose(
        id: DoseID(high: 9, low: number), poolID: PoolID(high: 0, low: pool), product: .dichlor, amount: amount,
        unit: .grams, at: Timestamp(milliseconds: milliseconds), author: "me", note: "a note")
}
