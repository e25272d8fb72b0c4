/// The hub's configuration and its history: the only place where versions are created.
///
/// A transaction is first prepared, then made durable by the driver, then applied:
///
///     prepare ──▶ (durable) ──▶ apply
///        └──────▶ (refused by the disk) ──▶ dropped, nothing has changed
///
/// Several transactions can be prepared before they become durable together: each but the last is staged, and the next
/// one builds on it. What the ledger says of its version, its cells and its snapshots is always what is durable.
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

    /// The sum of the durable history.
    public private(set) var state: LedgerState
    /// The sum with the staged transactions; nil without one, so that the state is never copied for a single one.
    private var staged: LedgerState?
    private var stagedCount = 0
    var clock: HybridClock
    /// Where the writes of the ``head`` are.
    var index: LedgerIndex

    /// Continues a history.
    public init(state: LedgerState) {
        self.state = state
        clock = HybridClock(node: 0, after: state.lastStamp)
        index = LedgerIndex(state)
    }

    /// The current version.
    public var version: Version { state.version }

    /// The state on which the next transaction builds: with the staged ones.
    var head: LedgerState { staged ?? state }

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
        let (head, version) = (self.head, self.head.version)
        var transaction = begin(stamp: clock.stamp(wallMilliseconds: wallMilliseconds))
        let place = Cell.Place(epoch: version.epoch, revision: version.revision + 1)
        var wanted = SortedMap<CellKey, CellChange>()
        for change in changes {
            wanted[change.key] = change
        }
        for change in wanted.values {
            let current = head.cells[change.key]
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
        transaction.settled = settled.filter { head.conflicts[$0] != nil }
        transaction.forgotten = forgotten
        transaction.released = released.filter { head.uploads[$0] != nil }
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
        Transaction(before: head.version, after: head.version, stamp: stamp)
    }

    /// Applies a durable transaction.
    ///
    /// It traps unless the transaction is for the current version.
    public mutating func apply(_ transaction: Transaction) {
        index.leave(transaction, state)
        let taken = state.advance(by: transaction)
        index.enter(transaction, state, taken)
    }

    // MARK: - Groups

    /// Lets further transactions build on one that is not durable yet.
    ///
    /// It traps unless the transaction is for the version of the ``head``.
    mutating func stage(_ transaction: Transaction) {
        var next = staged.take() ?? state
        index.leave(transaction, next)
        let taken = next.advance(by: transaction)
        index.enter(transaction, next, taken)
        staged = next
        stagedCount += 1
    }

    /// Whether a prepared transaction is the last one that was staged.
    func hasStaged(_ transaction: Transaction) -> Bool { staged?.version == transaction.after }

    /// Applies a group that is durable: the staged transactions, and those that were prepared after them.
    mutating func apply(_ group: [Transaction]) {
        if let next = staged.take() { state = next }
        for transaction in group.dropFirst(stagedCount) { apply(transaction) }
        stagedCount = 0
    }

    /// Drops the staged transactions: the disk has refused the group.
    mutating func unstage() {
        guard staged.take() != nil else { return }
        stagedCount = 0
        let stepCount = index.stepCount
        index = LedgerIndex(state)
        index.stepCount += stepCount
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
        head.conflicts[dot] != nil || head.written.contains(dot) || index.takerCount(dot) > 0
            || !index.cells(named: dot).isEmpty
    }

    /// Whether this hub has recently taken in a write that a watch reports as lost: its own write, an upload of the
    /// author, or salvage of the same cell and value.
    func knows(_ lost: Conflict) -> Bool {
        if head.written.contains(lost.id) || index.takerCount(lost.mark) > 0 { return true }
        // An entry under the plain identifier counts only among the uploads of the write's author.
        return index.peers(of: lost.loser.stamp.node).contains { head.uploads[$0]?.taken.contains(lost.id) ?? false }
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
