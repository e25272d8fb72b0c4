/// The difference between two versions of one history, for a watch that holds the earlier one.
///
/// The lineage is not part of it: it changes only when a new epoch begins, and then a whole snapshot is sent.
public struct SnapshotDelta: Hashable, Sendable {
    /// The version to which it applies.
    public var base: Version
    /// The version that results, of the same epoch; ``base`` itself if nothing has changed.
    public var version: Version
    /// The record version of both snapshots.
    public var records: UInt32
    /// The hub's last stamp at the resulting version.
    public var stamp: Stamp?
    /// The cells that were written since the base, in the order of their keys.
    public var written: SortedMap<CellKey, Cell>
    /// The cells that the base shows and the result does not, in ascending order.
    public var gone: [CellKey]
    /// The conflicts that were logged since the base, by the write that lost.
    public var logged: SortedMap<RandomID, Conflict>
    /// The conflicts that are open in the base and not in the result, in ascending order.
    public var settled: [RandomID]

    /// Creates a difference; by default one in which only the version changes.
    public init(
        base: Version, version: Version, records: UInt32 = 0, stamp: Stamp? = nil,
        written: SortedMap<CellKey, Cell> = SortedMap(), gone: [CellKey] = [],
        logged: SortedMap<RandomID, Conflict> = SortedMap(), settled: [RandomID] = []
    ) {
        self.base = base
        self.version = version
        self.records = records
        self.stamp = stamp
        self.written = written
        self.gone = gone
        self.logged = logged
        self.settled = settled
    }

    /// Whether it changes no cell and no conflict.
    var isEmpty: Bool { written.isEmpty && gone.isEmpty && logged.isEmpty && settled.isEmpty }
}

extension Snapshot {
    /// Whether a delta leads on from exactly this snapshot, and takes nothing away that is not in it.
    package func isBase(of delta: SnapshotDelta) -> Bool {
        version == delta.base && records == delta.records && delta.gone.allSatisfy { cells[$0] != nil }
            && delta.settled.allSatisfy { conflicts[$0] != nil }
    }

    /// Applies a delta of this snapshot; the time it takes grows with what has changed.
    ///
    /// A store that keeps rows does the same to its rows; the store's tests compare the two.
    package mutating func apply(_ delta: SnapshotDelta) {
        version = delta.version
        stamp = delta.stamp
        cells.merge(delta.written)
        cells.remove(delta.gone)
        conflicts.merge(delta.logged)
        conflicts.remove(delta.settled)
    }
}
