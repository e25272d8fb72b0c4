/// The hub's configuration and its history: the one place where versions are made.
///
/// A transaction is first prepared, then made durable by the shell, then applied:
///
///     prepare ──▶ (durable) ──▶ apply
///        └──────▶ (refused by the disk) ──▶ dropped, nothing has changed
public struct Ledger: Hashable, Sendable {
    /// The digests that are kept to recognise a watch that knows another history; more would only cost memory.
    public static let chainCountMax = 4096

    /// What the history has come to.
    public private(set) var state: LedgerState
    private var clock: HybridClock

    /// Continues a history.
    public init(state: LedgerState) {
        self.state = state
        clock = HybridClock(node: 0, after: state.lastStamp)
    }

    /// The current version.
    public var version: Version { state.version }

    /// Prepares a transaction that gives cells new values or deletes them.
    ///
    /// Changes that change nothing are left out; later changes of a cell win over earlier ones.
    public mutating func prepare(
        _ changes: [CellChange], schema: Schema, wallMilliseconds: Int64, generator: inout SplitMix64
    ) -> Transaction {
        let stamp = clock.stamp(wallMilliseconds: wallMilliseconds)
        let place = Cell.Place(epoch: version.epoch, revision: version.revision + 1)
        var transaction = Transaction(
            before: version, after: version, stamp: stamp, written: SortedMap(), removed: [])
        var wanted = SortedMap<CellKey, CellChange>()
        for change in changes {
            wanted[change.key] = change
        }
        for change in wanted.values {
            let current = state.cells[change.key]
            guard current?.value != change.value else { continue }
            if change.value == nil, !schema.projects(change.key) {
                transaction.removed.append(change.key)
            } else {
                transaction.written[change.key] = Cell(
                    value: change.value, dot: RandomID(using: &generator), stamp: stamp, written: place,
                    created: current?.created ?? place)
            }
        }
        transaction.after.revision += 1
        transaction.after.chain = transaction.digest
        return transaction
    }

    /// Prepares the transaction that begins a new epoch, because the history forked.
    public mutating func prepareFork(wallMilliseconds: Int64, generator: inout SplitMix64) -> Transaction {
        var transaction = Transaction(
            before: version, after: version, stamp: clock.stamp(wallMilliseconds: wallMilliseconds),
            written: SortedMap(), removed: [])
        transaction.after.epoch = Epoch(number: generator.next())
        transaction.after.revision += 1
        transaction.after.chain = transaction.digest
        return transaction
    }

    /// Applies a transaction that is durable.
    ///
    /// It must be for the current version; another one traps.
    public mutating func apply(_ transaction: Transaction) {
        precondition(
            transaction.before == version, "a transaction for \(transaction.before) was applied to \(version)")
        for (key, cell) in transaction.written.pairs {
            state.cells[key] = cell
        }
        for key in transaction.removed {
            state.cells[key] = nil
        }
        if transaction.forks {
            state.lineage[transaction.before.epoch] = transaction.before.revision
            state.chain = SortedMap()
        }
        state.version = transaction.after
        state.chain[transaction.after.revision] = transaction.after.chain
        if let oldest = state.chain.pairs.first?.key, state.chain.count > Self.chainCountMax {
            state.chain[oldest] = nil
        }
        state.lastStamp = transaction.stamp
    }

    /// Whether a watch knows something that this history does not contain: then the hub has lost a part of its past.
    ///
    /// It is so when the watch is ahead in this epoch, when it holds another content for a revision of it, or when
    /// it holds an epoch that this history never had.
    public func isContradicted(by known: Version) -> Bool {
        guard known.epoch == version.epoch else { return !knows(known.epoch) }
        if known.revision > version.revision { return true }
        guard let chain = state.chain[known.revision] else { return false }
        return chain != known.chain
    }

    /// Whether this history is in an epoch, or went through it.
    public func knows(_ epoch: Epoch) -> Bool {
        epoch == version.epoch || state.lineage[epoch] != nil
    }

    /// What a watch sees of the current version.
    public func snapshot(_ schema: Schema) -> Snapshot {
        var cells = SortedMap<CellKey, Cell>()
        for (key, cell) in state.cells.pairs where cell.value != nil && schema.projects(key) {
            cells[key] = cell
        }
        return Snapshot(version: version, cells: cells)
    }

    /// What a watch would see after a transaction.
    func snapshot(_ schema: Schema, after transaction: Transaction) -> Snapshot {
        var next = self
        next.apply(transaction)
        return next.snapshot(schema)
    }
}

extension Transaction {
    /// The digest over the history so far and this transaction.
    ///
    /// FNV-1a of 64 bits with a final mix: it detects accidents such as a restored backup, not forgery, since only
    /// the hub writes the history.
    fileprivate var digest: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func feed(_ bytes: some Sequence<UInt8>) {
            for byte in bytes {
                hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
            }
        }
        let head: JSONValue = .members([
            "chain": .hexadecimal(before.chain), "epoch": .hexadecimal(after.epoch.number),
            "revision": .hexadecimal(after.revision), "stamp": .integer(stamp.milliseconds),
            "counter": .integer(Int64(stamp.counter)),
            "removed": .array(removed.map { .string("\($0.kind)/\($0.record.hexadecimal)/\($0.group)") }),
        ])
        feed(head.encoded)
        feed(Snapshot(version: before, cells: written).encoded)
        return SplitMix64.mix(hash)
    }
}
