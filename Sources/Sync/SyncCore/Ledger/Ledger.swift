/// The hub's configuration and its history: the only place where versions are created.
///
/// A transaction is first prepared, then made durable by the driver, then applied:
///
///     prepare ──▶ (durable) ──▶ apply
///        └──────▶ (refused by the disk) ──▶ dropped, nothing has changed
public struct Ledger: Hashable, Sendable {
    /// The time after which a tombstone is dropped once all watches have seen it, in milliseconds: 30 days.
    public static let tombstoneMilliseconds: Int64 = 30 * 86_400_000
    /// The time after which it is dropped even if a watch has not seen it, in milliseconds: 90 days.
    public static let tombstoneMillisecondsMax = 3 * tombstoneMilliseconds
    /// The most tombstones, half of them the hub's own and half those of watches, of each at most 512; beyond that the
    /// oldest of who has too many are dropped early.
    ///
    /// A late edit of such a cell still loses, but its conflict does not say who deleted the cell.
    public static let tombstoneCountMax = 4096
    /// The most tombstones that one transaction drops; the next one goes on.
    static let purgeCountMax = 4096

    /// The sum of the history so far.
    public private(set) var state: LedgerState
    var clock: HybridClock
    /// Where the writes of the state are.
    var index: LedgerIndex

    /// Continues a history.
    public init(state: LedgerState) {
        self.state = state
        clock = HybridClock(node: 0, after: state.lastStamp)
        index = LedgerIndex(state)
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
        limitTombstones(&transaction)
        transaction.settled = settled.filter { state.conflicts[$0] != nil }
        transaction.forgotten = forgotten
        transaction.released = released.filter { state.uploads[$0] != nil }
        return transaction.finished
    }

    /// Creates an identity for a write: an unused one, because a watch may have guessed the next random number and
    /// used it.
    private func newName(using generator: inout SplitMix64) -> RandomID {
        var name = RandomID(using: &generator)
        while knows(name) { name = RandomID(using: &generator) }
        return name
    }

    /// Prepares the transaction that begins a new epoch, because the history forked.
    public func prepareFork(generator: inout SplitMix64) -> Transaction {
        var transaction = begin(stamp: clock.current)
        transaction.after.epoch = Epoch(number: generator.next())
        return transaction.finished
    }

    func begin(stamp: Stamp) -> Transaction {
        Transaction(before: version, after: version, stamp: stamp)
    }

    /// Applies a durable transaction.
    ///
    /// It traps unless the transaction is for the current version.
    public mutating func apply(_ transaction: Transaction) {
        index.leave(transaction, state)
        let taken = state.advance(by: transaction)
        index.enter(transaction, state, taken)
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

    /// Whether the identifier belongs to a write that this history has or recently had.
    ///
    /// Of salvage, only logged conflicts count.
    func knows(_ dot: RandomID) -> Bool {
        state.conflicts[dot] != nil || state.written.contains(dot) || index.takerCount(dot) > 0
            || !index.cells(named: dot).isEmpty
    }

    /// Whether this hub has recently taken in a write that a watch reports as lost: its own write, an upload of the
    /// author, or salvage of the same cell and value.
    func knows(_ lost: Conflict) -> Bool {
        if state.written.contains(lost.id) || index.takerCount(lost.mark) > 0 { return true }
        // An entry under the plain identifier counts only among the uploads of the write's author.
        return index.peers(of: lost.loser.stamp.node).contains { state.uploads[$0]?.taken.contains(lost.id) ?? false }
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
