import GRDB
import Platform
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

    /// Fills the log with transactions of a watch, or of the hub, whose changes have so many bytes.
    private func fill(_ count: Int, of watch: PeerKey?, byteCount: Int = 2) throws {
        try store.file.write { database in
            try database.execute(
                sql: """
                    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ?)
                    INSERT INTO log (
                        epoch, revision, chain, stampTime, stampCounter, stampNode, changes, watch, conflicts, settled)
                    SELECT '', '', '', 0, 0, '', '[' || printf('%.*c', ?, ' ') || ']', ?, '[]', '[]' FROM number
                    """,
                arguments: [count, byteCount - 2, watch?.hexadecimal])
        }
    }

    private func count(of watch: PeerKey?) throws -> Int {
        try store.file.read { database in
            let sql = "SELECT count(*) FROM log WHERE watch IS ?"
            return try Int.fetchOne(database, sql: sql, arguments: [watch?.hexadecimal]) ?? 0
        }
    }

    @Test
    func `the log keeps the last 10,000 of the hub, and the last 5,000 of each watch`() throws {
        let greedy = samplePeer(1)
        try fill(LoggedTransaction.countMax, of: nil)
        try fill(LoggedTransaction.countMaxOfWatch, of: greedy)
        try fill(10, of: samplePeer(9))
        var history = SampleHistory()
        var numbers: [PeerKey?: Int] = [:]
        for _ in 0..<40 {
            let transaction = history.next()
            try store.commit(transaction)
            numbers[transaction.progress?.peer, default: 0] += 1
        }
        #expect(numbers[nil] ?? 0 > 0 && numbers[greedy] ?? 0 > 0)

        #expect(try count(of: nil) == LoggedTransaction.countMax)
        #expect(try count(of: greedy) == LoggedTransaction.countMaxOfWatch)
        #expect(try count(of: samplePeer(9)) == 10)
        #expect(try store.loggedTransactions(last: 40).map(\.version.revision) == Array(1...40))
        let oldest = try store.file.read {
            try Int.fetchOne($0, sql: "SELECT min(ordinal) FROM log WHERE watch IS NULL")
        }
        #expect(oldest == 1 + (numbers[nil] ?? 0))
    }

    private func byteCount(of watch: PeerKey?) throws -> Int {
        try store.file.read { database in
            let sql = "SELECT sum(length(changes) + length(conflicts) + length(settled)) FROM log WHERE watch IS ?"
            return try Int.fetchOne(database, sql: sql, arguments: [watch?.hexadecimal]) ?? 0
        }
    }

    @Test
    func `the log keeps 16 MiB of each watch, and 64 MiB of the hub, and counts them once`() throws {
        let (greedy, modest) = (samplePeer(1), samplePeer(9))
        try fill(300, of: modest, byteCount: 50_000)
        try fill(300, of: greedy, byteCount: 100_000)
        try fill(50, of: samplePeer(2), byteCount: 400_000)
        try fill(700, of: nil, byteCount: 100_000)
        var history = SampleHistory()
        var numbers: [PeerKey?: Int] = [:]
        for _ in 0..<150 {
            let transaction = history.next()
            try store.commit(transaction)
            numbers[transaction.progress?.peer, default: 0] += 1
        }
        #expect(numbers.values.allSatisfy { $0 > 3 } && numbers.count == 4)

        for watch in [nil, greedy, samplePeer(2)] {
            let byteCountMax = watch == nil ? LoggedTransaction.byteCountMax : LoggedTransaction.byteCountMaxOfWatch
            #expect(try byteCount(of: watch) <= byteCountMax)
            #expect(try byteCount(of: watch) > byteCountMax - 400_000)
            // It is kept up to date, not counted again.
            #expect(try store.logByteCounts.withLock { $0[watch] } == byteCount(of: watch))
        }
        #expect(try count(of: modest) == 300)
        #expect(try store.loggedTransactions(last: 30).map(\.version.revision) == Array(121...150))
    }
}
