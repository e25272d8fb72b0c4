import Foundation
import GRDB
import TestSupport
import Testing

@testable import SyncCore
@testable import SyncStore

/// Stores that the first version of the program wrote, made from its own SQL and JSON: they open, and lose nothing.
@Suite
struct FirstVersionTests {
    private let place: TemporaryFolder
    private let path: String

    init() throws {
        place = try TemporaryFolder()
        path = place.path("state")
        do { _ = try StateFolder(path: path) }
    }

    /// Creates a store as the first version did, and lets it write rows.
    private func create(
        _ name: String, number: Int32, step: String, sql: String, rows: (Database) throws -> Void
    ) throws {
        let queue = try DatabaseQueue(path: path + "/" + name)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA page_size = 4096; PRAGMA journal_mode = WAL")
        }
        var migrator = DatabaseMigrator()
        migrator.registerMigration(step) { try $0.execute(sql: sql) }
        try migrator.migrate(queue)
        try queue.write { database in
            try database.execute(sql: "PRAGMA application_id = \(number)")
            try rows(database)
        }
        try queue.close()
    }

    private func steps(_ file: DatabaseFile) throws -> [String] {
        try file.read { try String.fetchAll($0, sql: "SELECT identifier FROM grdb_migrations ORDER BY rowid") }
    }

    // MARK: - Hubs

    private static let hubSteps = [
        "1 ledger and log", "2 edits", "3 items and files", "4 rejected writes and bringers",
        "5 items by number",
    ]

    private static let watchSteps = ["1 state and registers", "2 edits", "3 items and files", "5 items by number"]

    private static let hubSQL = """
        CREATE TABLE head (
            only INTEGER PRIMARY KEY CHECK (only = 1),
            epoch TEXT NOT NULL, revision TEXT NOT NULL, chain TEXT NOT NULL,
            stampTime INTEGER, stampCounter INTEGER, stampNode TEXT,
            contents INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE chain (
            revision TEXT PRIMARY KEY, digest TEXT NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE lineage (
            epoch TEXT PRIMARY KEY, revision TEXT NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE cell (
            kind BLOB NOT NULL, record TEXT NOT NULL, fields BLOB NOT NULL, value BLOB, dot TEXT NOT NULL,
            stampTime INTEGER NOT NULL, stampCounter INTEGER NOT NULL, stampNode TEXT NOT NULL,
            writtenEpoch TEXT NOT NULL, writtenRevision TEXT NOT NULL,
            createdEpoch TEXT NOT NULL, createdRevision TEXT NOT NULL, checksum INTEGER NOT NULL,
            PRIMARY KEY (kind, record, fields)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE log (
            ordinal INTEGER PRIMARY KEY, epoch TEXT NOT NULL, revision TEXT NOT NULL, chain TEXT NOT NULL,
            stampTime INTEGER NOT NULL, stampCounter INTEGER NOT NULL, stampNode TEXT NOT NULL,
            time TEXT, changes TEXT NOT NULL
        ) STRICT;
        """

    /// A store with a cell, a deleted cell, an epoch that was left and a transaction in the log.
    private func createHub(contentsOffset: Int64 = 0) throws -> LedgerState {
        var state = LedgerState(newEpoch: Epoch(number: 7))
        state.version = Version(epoch: Epoch(number: 7), revision: 3, chain: 9)
        state.chain = SortedMap()
        state.chain[2] = 8
        state.chain[3] = 9
        state.lineage[Epoch(number: 6)] = 1
        state.lastStamp = Stamp(milliseconds: 1_700_000_000_000, counter: 2, node: 0)
        for number in 1...2 as ClosedRange<UInt64> {
            let key = CellKey(kind: "thing", record: RandomID(high: 0, low: number), group: "name")
            state.cells[key] = Cell(
                value: number == 1 ? "Oak" : nil, dot: RandomID(high: 5, low: number),
                stamp: Stamp(milliseconds: 1_700_000_000_000, counter: 1, node: 0),
                written: Cell.Place(epoch: Epoch(number: 7), revision: 3),
                created: Cell.Place(epoch: Epoch(number: 6), revision: 1))
        }
        try create("hub.sqlite", number: 0x5053_5748, step: "1 ledger and log", sql: Self.hubSQL) { database in
            var contents = contentsOffset
            for (revision, digest) in state.chain.pairs {
                try database.put([revision.column, digest.column], into: "chain")
            }
            contents += try database.put(["0000000000000006", "0000000000000001"], into: "lineage")
            for (key, cell) in state.cells.pairs {
                contents += try database.put(
                    [
                        key.kind.column, key.record.hexadecimal, key.group.column, cell.value?.column,
                        cell.dot.hexadecimal, cell.stamp.milliseconds, cell.stamp.counter, cell.stamp.node.column,
                        "0000000000000007", "0000000000000003", "0000000000000006", "0000000000000001",
                    ], into: "cell")
            }
            try database.put(
                [
                    1, "0000000000000007", "0000000000000003", "0000000000000009", 1_700_000_000_000, 2,
                    "0000000000000000", contents,
                ], into: "head")
            try database.execute(
                sql: """
                    INSERT INTO log VALUES (1, '0000000000000007', '0000000000000003', '0000000000000009',
                    1700000000000, 2, '0000000000000000', '2023-11-14T22:13:20.000Z',
                    '[{"group":"name","kind":"thing","record":"00000000000000000000000000000001","value":"Oak"}]')
                    """)
        }
        return state
    }

    @Test
    func `a hub's store of the first version keeps all that it held, and takes in edits`() throws {
        let state = try createHub()

        let store = try HubStore(at: path)

        #expect(try store.load() == state)
        #expect(try steps(store.file) == Self.hubSteps)
        let logged = try store.loggedTransactions(last: 9)
        #expect(logged.map(\.version) == [state.version])
        #expect(logged.first?.changes.map(\.value) == ["Oak"])
        #expect(logged.first?.watch == nil && logged.first?.conflicts == [] && logged.first?.settled == [])
        var history = SampleHistory(state)
        for _ in 0..<40 { try store.commit(history.next()) }
        store.close()
        #expect(try store.load() == history.ledger.state)
        #expect(!history.ledger.state.uploads.isEmpty)
    }

    @Test
    func `a damaged hub's store of the first version is refused`() throws {
        _ = try createHub(contentsOffset: 1)

        #expect(throws: StoreError.self) { try HubStore(at: path).load() }
    }

    // MARK: - Watches

    private static let watchSQL = """
        CREATE TABLE state (
            name TEXT PRIMARY KEY, json BLOB, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE register (
            name BLOB PRIMARY KEY, epoch TEXT NOT NULL, place TEXT NOT NULL, value BLOB NOT NULL,
            checksum INTEGER NOT NULL
        ) STRICT;
        """

    private static let snapshotJSON = """
        {"cells":[{"created":{"epoch":"0000000000000006","revision":"0000000000000001"},\
        "dot":"00000000000000050000000000000001","group":"name","kind":"thing",\
        "record":"00000000000000000000000000000001","stamp":{"counter":1,"node":"0000000000000000",\
        "time":1700000000000},"value":"e\u{301}","written":{"epoch":"0000000000000007",\
        "revision":"0000000000000003"}}],"chain":"0000000000000009","epoch":"0000000000000007",\
        "revision":"0000000000000003"}
        """

    private func createWatch(snapshot: String?, without missing: String? = nil) throws {
        try create("watch.sqlite", number: 0x5053_5757, step: "1 state and registers", sql: Self.watchSQL) { database in
            try database.put(["snapshot", snapshot.map { Data($0.utf8) }], into: "state")
            let fence = #"{"abandoned":["0000000000000006"],"current":"0000000000000007"}"#
            try database.put(["fence", Data(fence.utf8)], into: "state")
            try database.put(
                [Data("a".utf8), "0000000000000007", "0000000000000004", Data([1, 2])], into: "register")
            if let missing { try database.execute(sql: "DELETE FROM state WHERE name = ?", arguments: [missing]) }
        }
    }

    @Test(arguments: [true, false])
    func `a watch's store of the first version keeps all that it held, and takes edits`(hasSnapshot: Bool) throws {
        try createWatch(snapshot: hasSnapshot ? Self.snapshotJSON : nil)
        var expected = WatchEngine.State(newIncarnation: sampleIncarnation)
        if hasSnapshot {
            var cells = SortedMap<CellKey, Cell>()
            cells[CellKey(kind: "thing", record: RandomID(high: 0, low: 1), group: "name")] = Cell(
                value: "e\u{301}", dot: RandomID(high: 5, low: 1),
                stamp: Stamp(milliseconds: 1_700_000_000_000, counter: 1, node: 0),
                written: Cell.Place(epoch: Epoch(number: 7), revision: 3),
                created: Cell.Place(epoch: Epoch(number: 6), revision: 1))
            expected.replica.snapshot = Snapshot(
                version: Version(epoch: Epoch(number: 7), revision: 3, chain: 9), cells: cells)
        }
        expected.replica.fence = EpochFence(current: Epoch(number: 7), abandoned: [Epoch(number: 6)])
        expected.registers["a"] = HeldRegister(
            register: Register(key: "a", order: 4, value: [1, 2]), epoch: Epoch(number: 7))

        let store = try WatchStore(at: path)

        #expect(store.setAside == nil)
        #expect(try store.load() == expected)
        #expect(try steps(store.file) == Self.watchSteps)
        var replica = Replica(state: expected.replica, node: 5)
        var generator = SplitMix64(seed: 1)
        let change = CellChange(
            key: CellKey(kind: "thing", record: RandomID(high: 0, low: 1), group: "name"), value: "Elm")
        let prepared = try replica.prepareEdit(
            [change], resolving: nil, schema: 1, wallMilliseconds: 0, generator: &generator)
        let record = try #require(prepared?.record)
        try store.write(.replica(record))
        store.close()
        expected.replica.apply(record)
        #expect(try store.load() == expected)
    }

    @Test
    func `a damaged watch's store of the first version had no edits to lose`() throws {
        for missing in ["snapshot", "fence"] {
            try createWatch(snapshot: Self.snapshotJSON, without: missing)

            let store = try WatchStore(at: path)

            #expect(store.setAside?.unreadableCount == .some(0), "\(missing)")
            #expect(store.setAside?.savedUploadCount == 0)
            #expect(try store.load().registers.isEmpty)
            store.close()
            try FileManager.default.removeItem(atPath: path + "/watch.sqlite")
        }
    }
}
