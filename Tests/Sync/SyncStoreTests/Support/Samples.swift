import TestSupport

@testable import SyncCore
@testable import SyncStore

/// A ledger whose transactions are generated from a seed.
///
/// The hub writes, and three watches upload edits that may not know each other.
struct SampleHistory {
    var ledger: Ledger
    private var generator: SplitMix64
    private var watches: [SampleWatch]

    static let schema = Schema(
        versions: 1...1, rules: [Schema.Name(kind: "thing", group: "name"): Schema.Rule(.shared)])

    init(_ state: LedgerState = LedgerState(newEpoch: Epoch(number: 7)), seed: UInt64 = 1) {
        ledger = Ledger(state: state)
        generator = SplitMix64(seed: seed)
        watches = (1...3).map { SampleWatch(peer: samplePeer($0), incarnation: RandomID(high: 9, low: UInt64($0))) }
    }

    /// The next transaction: it writes, deletes and removes some of 40 cells, accepts edits, resolves conflicts, or
    /// removes a watch's transfers or uploads.
    mutating func next() -> Transaction {
        let transaction =
            switch generator.next() % 20 {
            case 0..<8: takeIn() ?? write()
            case 8, 9: write(settling: ledger.state.conflicts.keys)
            case 10: write(forgetting: [watches[Int(generator.next() % 3)].peer])
            case 11: write(releasing: [watches[Int(generator.next() % 3)].peer])
            default: write()
            }
        ledger.apply(transaction)
        return transaction
    }

    /// The transaction that begins another epoch.
    mutating func fork() -> Transaction {
        let transaction = ledger.prepareFork(generator: &generator)
        ledger.apply(transaction)
        return transaction
    }

    private mutating func write(
        settling settled: [RandomID] = [], forgetting: [PeerKey] = [], releasing: [PeerKey] = []
    ) -> Transaction {
        ledger.prepare(
            (0...generator.next() % 3).map { _ in change() },
            settling: settled.filter { _ in generator.next() % 2 == 0 }, forgetting: forgetting,
            releasing: releasing, schema: Self.schema, wallMilliseconds: wallMilliseconds(), generator: &generator)
    }

    private mutating func wallMilliseconds() -> Int64 {
        1_700_000_000_000 + Int64(generator.next() % 100_000)
    }

    private mutating func change() -> CellChange {
        CellChange(key: key(), value: generator.next() % 4 == 0 ? nil : "value \(generator.next())")
    }

    private mutating func key() -> CellKey {
        CellKey(
            kind: "thing", record: RandomID(high: 0, low: generator.next() % 20),
            group: generator.next() % 2 == 0 ? "name" : "place")
    }

    // MARK: - Watches

    private struct SampleWatch {
        var peer: PeerKey
        var incarnation: RandomID
    }

    /// The transaction that accepts a watch's uploads; nil if the hub accepts none of them.
    private mutating func takeIn() -> Transaction? {
        let index = Int(generator.next() % 3)
        // Now and then a watch begins a new numbering.
        if generator.next() % 8 == 0 { watches[index].incarnation = RandomID(using: &generator) }
        let watch = watches[index]
        let mark = ledger.state.uploads[watch.peer]
        let highest = mark?.incarnation == watch.incarnation ? mark?.highest ?? 0 : 0
        let batch = UploadBatch(
            incarnation: watch.incarnation, firstPending: max(1, highest),
            uploads: (1...1 + generator.next() % 3).map { offset in
                NumberedUpload(sequence: highest + offset, upload: .edit(edit(by: watch.peer)))
            })
        let policy = Merge.Policy(
            schema: Self.schema, objection: { _, value in value?.hasPrefix("unfit") == true ? "no" : nil },
            name: { "node \($0)" })
        let verdict = ledger.prepare(
            batch, author: Merge.Author(peer: watch.peer, name: "a watch", records: 1), policy: policy,
            size: ConfigurationSize(ledger.state, schema: Self.schema), wallMilliseconds: wallMilliseconds())
        guard case .take(let transaction, _) = verdict else { return nil }
        return transaction
    }

    /// An edit of a cell.
    ///
    /// Every second one does not know the present value, and some are not acceptable to the hub.
    private mutating func edit(by peer: PeerKey) -> Edit {
        let key = key()
        let current = ledger.state.cells[key]
        let seen = generator.next() % 2 == 0 ? current : nil
        let word = generator.next() % 3 == 0 ? "unfit" : "edited"
        return Edit(
            id: RandomID(using: &generator),
            changes: [
                Edit.Change(
                    key: key, value: generator.next() % 4 == 0 ? nil : "\(word) \(generator.next())",
                    base: seen?.dot ?? (generator.next() % 2 == 0 ? RandomID(using: &generator) : nil),
                    seen: seen?.value)
            ], stamp: Stamp(milliseconds: wallMilliseconds(), counter: 0, node: peer.node), schema: 1,
            resolves: ledger.state.conflicts.keys.first)
    }
}

/// The key of a sample watch.
func samplePeer(_ number: Int) -> PeerKey {
    guard let peer = PeerKey(bytes: Array(repeating: UInt8(truncatingIfNeeded: number), count: 32)) else {
        preconditionFailure("32 bytes are a key")
    }
    return peer
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
        try self.init(in: StateFolder(path: path), newIncarnation: sampleIncarnation)
    }
}

/// The incarnation of a sample watch's new store.
let sampleIncarnation = RandomID(high: 1, low: 1)

/// Texts that a store could corrupt.
let difficultTexts = [
    "", "\0", "a\0b", "'; DROP TABLE cell; --", "\"\\\n\r\t\u{1}", "e\u{301}", "é", "🏊🏽‍♀️", "\u{10FFFF}",
    String(repeating: "long ", count: 40_000),
]
