import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

@Suite
struct LoggedTransactionTests {
    private let place: TemporaryFolder
    private let store: HubStore

    init() throws {
        place = try TemporaryFolder()
        store = try HubStore(at: place.path("state"))
    }

    @Test
    func `the log tells what changed, oldest first`() throws {
        let kept = CellKey(kind: "thing", record: RandomID(high: 0, low: 1), group: "name")
        let hidden = CellKey(kind: "thing", record: RandomID(high: 0, low: 1), group: "place")
        var ledger = Ledger(state: try store.load())
        var generator = SplitMix64(seed: 3)
        let wishes = [
            [CellChange(key: hidden, value: "\"shed\"\0"), CellChange(key: kept, value: "Oak")],
            [CellChange(key: kept, value: nil), CellChange(key: hidden, value: nil)],
        ]
        for (number, wish) in wishes.enumerated() {
            let transaction = ledger.prepare(
                wish, schema: SampleHistory.schema, wallMilliseconds: Int64(number), generator: &generator)
            try store.commit(transaction)
            ledger.apply(transaction)
        }

        let logged = try store.loggedTransactions(last: 10)

        #expect(logged.map(\.version.revision) == [1, 2])
        #expect(logged.last?.version == ledger.version)
        #expect(logged.last?.stamp == ledger.state.lastStamp)
        #expect(logged.map(\.changes) == wishes.map { $0.sorted { $0.key < $1.key } })
        #expect(try store.loggedTransactions(last: 1) == [logged[1]])
        #expect(try store.loggedTransactions(last: 0).isEmpty)
        #expect(try store.loggedTransactions(last: -1).isEmpty)
    }

    @Test
    func `the log tells what came from whom, what lost and what was settled`() throws {
        var history = SampleHistory()
        var transactions: [Transaction] = []
        for _ in 0..<60 {
            transactions.append(history.next())
            try store.commit(transactions[transactions.count - 1])
        }

        let logged = try store.loggedTransactions(last: 60)

        #expect(logged.map(\.watch) == transactions.map { $0.progress?.peer })
        #expect(logged.map(\.conflicts) == transactions.map(\.logged.values))
        #expect(logged.map(\.settled) == transactions.map(\.settled))
        #expect(logged.contains { $0.watch == samplePeer(2) })
        #expect(logged.contains { !$0.conflicts.isEmpty } && logged.contains { !$0.settled.isEmpty })
    }

    @Test
    func `the log tells who wanted a write of the hub, by the stamp of the write`() throws {
        let key = CellKey(kind: "thing", record: RandomID(high: 0, low: 1), group: "name")
        var ledger = Ledger(state: try store.load())
        var generator = SplitMix64(seed: 3)
        var stamps: [Stamp] = []
        for (number, author) in [nil, "Ada", "Ben"].enumerated() {
            var transaction = ledger.prepare(
                [CellChange(key: key, value: "\(number)")], schema: SampleHistory.schema,
                wallMilliseconds: Int64(number), generator: &generator)
            transaction.author = author
            #expect(try store.loggedAuthors(of: [transaction.stamp]).isEmpty)
            try store.commit(transaction)
            ledger.apply(transaction)
            stamps.append(try #require(ledger.state.cells[key]?.stamp))
        }

        #expect(try store.loggedAuthors(of: Set(stamps)) == [stamps[1]: "Ada", stamps[2]: "Ben"])
        #expect(try store.loggedAuthors(of: [stamps[0], stamps[2]]) == [stamps[2]: "Ben"])
        #expect(try store.loggedAuthors(of: []).isEmpty)
    }

    @Test
    func `a person can read the log with any SQLite shell`() throws {
        var ledger = Ledger(state: try store.load())
        var generator = SplitMix64(seed: 3)
        let key = CellKey(kind: "thing", record: RandomID(high: 0, low: 1), group: "name")
        let transaction = ledger.prepare(
            [CellChange(key: key, value: "Oak")], schema: SampleHistory.schema, wallMilliseconds: 1_700_000_000_123,
            generator: &generator)
        try store.commit(transaction)

        let row = try store.file.read { try Row.fetchOne($0, sql: "SELECT time, revision, changes FROM log") }

        #expect(row?["time"] == "2023-11-14T22:13:20.123Z")
        #expect(row?["revision"] == "0000000000000001")
        let json = #"[{"group":"name","kind":"thing","record":"00000000000000000000000000000001","value":"Oak"}]"#
        #expect(row?["changes"] == json)
    }

    @Test
    func `the log keeps the last 10,000`() throws {
        try store.file.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                    INSERT INTO log SELECT n, '', '', '', 0, 0, '', NULL, '[]', NULL, '[]', '[]' FROM number
                    """,
                arguments: [LoggedTransaction.countMax - 1])
        }
        var history = SampleHistory()

        for expected in [LoggedTransaction.countMax, LoggedTransaction.countMax, LoggedTransaction.countMax] {
            try store.commit(history.next())
            let count = try store.file.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM log") }
            #expect(count == expected)
        }

        #expect(try store.loggedTransactions(last: 3).map(\.version.revision) == [1, 2, 3])
        #expect(try store.file.read { try Int.fetchOne($0, sql: "SELECT min(ordinal) FROM log") } == 3)
    }
}
