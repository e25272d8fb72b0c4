@testable import SyncCore
@testable import SyncStore

/// A ledger that makes transactions by a seed: always the same ones.
struct SampleHistory {
    var ledger: Ledger
    private var generator: SplitMix64

    static let schema = Schema(versions: 1...1, projected: [Schema.Name(kind: "thing", group: "name")])

    init(_ state: LedgerState = LedgerState(newEpoch: Epoch(number: 7)), seed: UInt64 = 1) {
        ledger = Ledger(state: state)
        generator = SplitMix64(seed: seed)
    }

    /// The next transaction: it writes, deletes and removes some of 40 cells.
    mutating func next() -> Transaction {
        let transaction = ledger.prepare(
            (0...generator.next() % 3).map { _ in change() }, schema: Self.schema,
            wallMilliseconds: 1_700_000_000_000 + Int64(generator.next() % 100_000), generator: &generator)
        ledger.apply(transaction)
        return transaction
    }

    /// The transaction that begins another epoch.
    mutating func fork() -> Transaction {
        let transaction = ledger.prepareFork(wallMilliseconds: 1_700_000_000_000, generator: &generator)
        ledger.apply(transaction)
        return transaction
    }

    private mutating func change() -> CellChange {
        let key = CellKey(
            kind: "thing", record: RandomID(high: 0, low: generator.next() % 20),
            group: generator.next() % 2 == 0 ? "name" : "place")
        return CellChange(key: key, value: generator.next() % 4 == 0 ? nil : "value \(generator.next())")
    }
}

extension HubStore {
    /// Opens the store of a folder at a path.
    convenience init(at path: String, firstEpoch: UInt64 = 7) throws {
        try self.init(in: StateFolder(path: path), firstEpoch: Epoch(number: firstEpoch))
    }
}

extension WatchStore {
    /// Opens the store of a folder at a path.
    convenience init(at path: String) throws {
        try self.init(in: StateFolder(path: path))
    }
}

/// Texts that a store could get wrong.
let difficultTexts = [
    "", "\0", "a\0b", "'; DROP TABLE cell; --", "\"\\\n\r\t\u{1}", "e\u{301}", "é", "🏊🏽‍♀️", "\u{10FFFF}",
    String(repeating: "long ", count: 40_000),
]
