/// The configuration as a watch sees it at one version: only projected cells, without deleted ones.
public struct Snapshot: Hashable, Sendable {
    /// The version of the whole configuration, including cells that are not projected.
    public var version: Version
    /// The record version of the snapshot: a watch of another version sees other cells.
    public var records: UInt32
    /// The hub's last stamp, nil before its first; the watch's next stamp is greater.
    public var stamp: Stamp?
    /// The past epochs of the hub's history, each with the revision at which it ended.
    public var lineage: SortedMap<Epoch, UInt64>
    /// The cells in the order of their keys.
    public var cells: SortedMap<CellKey, Cell>
    /// The open conflicts about projected cells, by the write that lost.
    public var conflicts: SortedMap<RandomID, Conflict>

    /// Creates a snapshot.
    public init(
        version: Version, records: UInt32 = 0, stamp: Stamp? = nil, lineage: SortedMap<Epoch, UInt64> = SortedMap(),
        cells: SortedMap<CellKey, Cell>, conflicts: SortedMap<RandomID, Conflict> = SortedMap()
    ) {
        self.version = version
        self.records = records
        self.stamp = stamp
        self.lineage = lineage
        self.cells = cells
        self.conflicts = conflicts
    }

    /// Whether a place belongs to the history of this snapshot.
    func contains(_ place: Cell.Place) -> Bool {
        if place.epoch == version.epoch { return place.revision <= version.revision }
        guard let left = lineage[place.epoch] else { return false }
        return place.revision <= left
    }
}
