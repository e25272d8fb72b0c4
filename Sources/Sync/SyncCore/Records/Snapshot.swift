/// The configuration as a watch sees it at one version: only projected cells, none of them deleted.
public struct Snapshot: Hashable, Sendable {
    /// The version of the whole configuration, which also counts what is not projected.
    public var version: Version
    /// The version of the records that it was made for: a watch of another version sees other cells.
    public var records: UInt32
    /// The hub's last stamp, nil before its first: the watch's next one is greater.
    public var stamp: Stamp?
    /// The epochs that the hub's history left, each with the revision at which it did.
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

    /// Whether the history of this snapshot contains what happened at a place.
    func contains(_ place: Cell.Place) -> Bool {
        if place.epoch == version.epoch { return place.revision <= version.revision }
        guard let left = lineage[place.epoch] else { return false }
        return place.revision <= left
    }
}
