/// The hub's configuration and its history: the only place where versions are created.
///
/// A transaction is first prepared, then made durable by the driver, then applied:
///
///     prepare ──▶ (durable) ──▶ apply
///        └──────▶ (refused by the disk) ──▶ dropped, nothing has changed
public struct Ledger: Hashable, Sendable {
    /// The least time for which a tombstone is kept, in milliseconds: 30 days.
    public static let tombstoneMilliseconds: Int64 = 30 * 86_400_000
    /// The most tombstones; beyond that the oldest are dropped early.
    ///
    /// A late edit of such a cell still loses, but its conflict does not say who deleted the cell.
    public static let tombstoneCountMax = 4096

    /// The sum of the history so far.
    public private(set) var state: LedgerState
    var clock: HybridClock

    /// Continues a history.
    public init(state: LedgerState) {
        self.state = state
        clock = HybridClock(node: 0, after: state.lastStamp)
    }

    /// The current version.
    public var version: Version { state.version }

    // MARK: - Transactions of the hub

    /// Prepares a transaction that gives cells new values or deletes them.
    ///
    /// Changes without effect are left out; of several changes of a cell, the last one counts.
    ///
    /// - Parameters:
    ///   - changes: What to change.
    ///   - settled: Conflicts to settle; those that are not open are ignored.
    ///   - forgotten: Watches whose user info, messages and files are removed.
    ///   - released: Watches whose upload records are removed.
    ///   - schema: Which cells watches see.
    ///   - wallMilliseconds: The wall clock, in milliseconds since 1970.
    ///   - generator: Creates the identities of the writes.
    /// - Returns: The transaction, which may change nothing.
    public mutating func prepare(
        _ changes: [CellChange], settling settled: [RandomID] = [], forgetting forgotten: [PeerKey] = [],
        releasing released: [PeerKey] = [], schema: Schema, wallMilliseconds: Int64, generator: inout SplitMix64
    ) -> Transaction {
        var transaction = begin(stamp: clock.stamp(wallMilliseconds: wallMilliseconds))
        let place = Cell.Place(epoch: version.epoch, revision: version.revision + 1)
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
                    value: change.value, dot: newName(using: &generator), stamp: transaction.stamp, written: place,
                    created: current.flatMap(\.firstPlace) ?? place)
            }
        }
        transaction.settled = settled.filter { state.conflicts[$0] != nil }
        transaction.forgotten = forgotten
        transaction.released = released.filter { state.uploads[$0] != nil }
        return transaction.finished
    }

    /// Creates an identity for a write: an unused one, because a watch may have guessed the next random number and
    /// used it.
    private func newName(using generator: inout SplitMix64) -> RandomID {
        var name = RandomID(using: &generator)
        while state.knows(name) { name = RandomID(using: &generator) }
        return name
    }

    /// Prepares the transaction that begins a new epoch, because the history forked.
    public func prepareFork(generator: inout SplitMix64) -> Transaction {
        var transaction = begin(stamp: clock.current)
        transaction.after.epoch = Epoch(number: generator.next())
        return transaction.finished
    }

    /// Prepares the transaction that drops the tombstones that are no longer needed; nil if there are none.
    ///
    /// - Parameters:
    ///   - seenByAll: The highest revision that every watch holds.
    ///   - wallMilliseconds: The wall clock, in milliseconds since 1970.
    /// - Returns: The transaction, nil if there is nothing to drop.
    public func preparePurge(seenByAll: UInt64, wallMilliseconds: Int64) -> Transaction? {
        let oldest = wallMilliseconds &- Self.tombstoneMilliseconds
        let traces = state.cells.pairs.filter { $0.value.value == nil }
        var purged = traces.filter { $0.value.stamp.milliseconds < oldest && $0.value.written.revision <= seenByAll }
        if traces.count - purged.count > Self.tombstoneCountMax {
            purged = Array(traces.sorted { $0.value.stamp < $1.value.stamp }.dropLast(Self.tombstoneCountMax))
        }
        guard !purged.isEmpty else { return nil }
        var transaction = begin(stamp: clock.current)
        transaction.removed = purged.map(\.key).sorted()
        return transaction.finished
    }

    func begin(stamp: Stamp) -> Transaction {
        Transaction(before: version, after: version, stamp: stamp)
    }

    /// Applies a durable transaction.
    ///
    /// It traps unless the transaction is for the current version.
    public mutating func apply(_ transaction: Transaction) {
        state.apply(transaction)
    }

    // MARK: - Questions

    /// Whether a watch knows something that this history does not contain, so that the hub has lost a part of its
    /// history.
    ///
    /// That is the case if the watch is ahead in this epoch, if it has another chain for a revision of this epoch, or
    /// if it follows an epoch that this history never had.
    public func isContradicted(by known: Version) -> Bool {
        guard known.epoch == version.epoch else { return !knows(known.epoch) }
        if known.revision > version.revision { return true }
        guard let chain = state.chain[known.revision] else { return false }
        return chain != known.chain
    }

    /// Whether this history is in an epoch, or was in it before.
    public func knows(_ epoch: Epoch) -> Bool {
        epoch == version.epoch || state.lineage[epoch] != nil
    }

    /// What a watch sees of the current version.
    ///
    /// - Parameters:
    ///   - schema: What watches see.
    ///   - records: The record version that the watch reads; by default the newest.
    /// - Returns: The snapshot.
    public func snapshot(_ schema: Schema, records: UInt32? = nil) -> Snapshot {
        let records = records ?? schema.versions.upperBound
        var snapshot = Snapshot(
            version: version, records: records, stamp: state.lastStamp, lineage: state.lineage, cells: SortedMap())
        for (key, cell) in state.cells.pairs where cell.value != nil && schema.projects(key, to: records) {
            snapshot.cells[key] = cell
        }
        for (id, conflict) in state.conflicts.pairs where schema.projects(conflict.key, to: records) {
            snapshot.conflicts[id] = conflict
        }
        return snapshot
    }
}

extension Transaction {
    /// The transaction with the version that results from it.
    var finished: Transaction {
        var finished = self
        finished.after.revision += 1
        finished.after.chain = finished.digest
        return finished
    }
}
