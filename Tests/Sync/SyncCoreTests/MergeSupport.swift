@testable import SyncCore

/// Cells of each authority: those that a watch may change, those that only their owner may change, and read-only ones.
let houseSchema = Schema(
    versions: 1...2,
    rules: [
        .init(kind: "note", group: "text"): .init(.hub),
        .init(kind: "note", group: "title"): .init(.shared),
        .init(kind: "note", group: "color"): .init(.shared),
        .init(kind: "note", group: "modern"): .init(.shared, editableSince: 2),
        .init(kind: "note", group: "newest"): .init(.shared, versions: 2...2),
        .init(kind: "layout", group: "order"): .init(.owner),
    ])

func title(_ number: UInt64) -> CellKey { cell("title", number) }
func color(_ number: UInt64) -> CellKey { cell("color", number) }

func cell(_ group: String, _ number: UInt64) -> CellKey {
    CellKey(kind: "note", record: RandomID(high: 0, low: number), group: group)
}

func layout(of watch: PeerKey) -> CellKey {
    CellKey(kind: "layout", record: Schema.record(of: watch), group: "order")
}

func id(_ number: UInt64) -> RandomID { RandomID(high: 77, low: number << 16) }

/// A stamp this many milliseconds after the start.
func stamp(_ milliseconds: Int64, of watch: PeerKey = key(1), counter: UInt32 = 0) -> Stamp {
    Stamp(milliseconds: moment(milliseconds).wallMilliseconds, counter: counter, node: watch.node)
}

func edit(
    _ number: UInt64, _ changes: [Edit.Change], at milliseconds: Int64 = 1000, schema: UInt32 = 2,
    resolves: RandomID? = nil
) -> Edit {
    Edit(id: id(number), changes: changes, stamp: stamp(milliseconds), schema: schema, resolves: resolves)
}

func change(_ key: CellKey, _ value: String?, base: RandomID? = nil, seen: String? = nil) -> Edit.Change {
    Edit.Change(key: key, value: value, base: base, seen: seen)
}

/// A deletion that a watch saw, and that the hub is said to have lost.
func lostDeletion(of key: CellKey, _ name: RandomID) -> Conflict {
    Conflict(
        id: name, edit: name, key: key, base: nil,
        loser: Conflict.Side(value: nil, dot: name, stamp: Stamp(milliseconds: 0, counter: 0, node: 0), author: ""),
        winner: nil, rule: .deletionLostInRestore, place: Cell.Place(epoch: Epoch(number: 9), revision: 3))
}

/// A hub's ledger that accepts uploads without engines around it.
struct MergeScript {
    var ledger: Ledger
    var generator = SplitMix64(seed: 1)
    var objection: @Sendable (CellKey, String?) -> String? = { _, _ in nil }
    /// The hub's wall clock, in milliseconds after the start.
    var now: Int64 = 0
    /// The number of paired watches.
    var watchCount = 1
    private(set) var isClockSuspect = false

    init() {
        ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
    }

    var conflicts: SortedMap<RandomID, Conflict> { ledger.state.conflicts }
    var size: ConfigurationSize { ConfigurationSize(ledger.state, schema: houseSchema) }

    func value(_ key: CellKey) -> String? { ledger.state.cells[key]?.value }
    func dot(_ key: CellKey) -> RandomID? { ledger.state.cells[key]?.dot }

    mutating func write(_ key: CellKey, _ value: String?, settling: [RandomID] = [], at milliseconds: Int64? = nil) {
        now = milliseconds ?? now
        let transaction = ledger.prepare(
            [CellChange(key: key, value: value)], settling: settling, schema: houseSchema,
            wallMilliseconds: moment(now).wallMilliseconds, generator: &generator)
        ledger.apply(transaction)
    }

    mutating func purge() {
        let later = moment(now).wallMilliseconds + Ledger.tombstoneMilliseconds + 1
        if let purge = ledger.preparePurge(seenByAll: .max, wallMilliseconds: later) { ledger.apply(purge) }
    }

    /// The result of accepting some uploads, without accepting them.
    mutating func verdict(
        _ uploads: [NumberedUpload], from watch: PeerKey = key(1), incarnation: UInt64 = 1, records: UInt32 = 2
    ) -> Ledger.UploadVerdict {
        let batch = UploadBatch(
            incarnation: RandomID(high: 0, low: incarnation), firstPending: uploads.first?.sequence ?? 1,
            uploads: uploads)
        let policy = Merge.Policy(schema: houseSchema, watchCount: watchCount, objection: objection) {
            $0 == 0 ? "hub" : "watch \($0)"
        }
        return ledger.prepare(
            batch, author: Merge.Author(peer: watch, name: "wrist", records: records), policy: policy, size: size,
            wallMilliseconds: moment(now).wallMilliseconds)
    }

    /// Accepts some uploads.
    ///
    /// Returns the transaction; nil if there is none.
    @discardableResult
    mutating func take(
        _ uploads: [NumberedUpload], from watch: PeerKey = key(1), incarnation: UInt64 = 1, records: UInt32 = 2
    ) -> Transaction? {
        guard
            case .take(let transaction, let isSuspect) = verdict(
                uploads, from: watch, incarnation: incarnation, records: records)
        else { return nil }
        isClockSuspect = isSuspect
        ledger.apply(transaction)
        return transaction
    }

    /// Accepts a watch's next edit.
    ///
    /// Returns the outcome that the watch receives.
    @discardableResult
    mutating func take(_ edit: Edit, from watch: PeerKey = key(1), records: UInt32 = 2) -> Conflict.Rule? {
        let sequence = (ledger.state.uploads[watch]?.highest ?? 0) + 1
        take([NumberedUpload(sequence: sequence, upload: .edit(edit))], from: watch, records: records)
        return ledger.state.uploads[watch]?.outcomes.first { $0.sequence == sequence }?.rule
    }

    @discardableResult
    mutating func salvage(_ conflict: Conflict, from watch: PeerKey = key(1)) -> Transaction? {
        let sequence = (ledger.state.uploads[watch]?.highest ?? 0) + 1
        return take([NumberedUpload(sequence: sequence, upload: .salvage(conflict))], from: watch)
    }
}
