/// A cell whose deletion a watch saw: it held a version with the cell, then a later one of the same history without
/// it.
///
/// Snapshots contain no deletions. So if the hub is restored to a state before the deletion, only such a watch can
/// report it.
public struct SeenDeletion: Hashable, Sendable {
    /// The most deletions that a watch remembers; beyond that it forgets the oldest.
    ///
    /// A restore may then bring the cell back, if the watch that created the cell did not know of the deletion.
    public static let countMax = 256

    /// The cell.
    public var key: CellKey
    /// The first version without the cell that the watch held.
    public var place: Cell.Place

    /// Creates a deletion.
    public init(key: CellKey, place: Cell.Place) {
        self.key = key
        self.place = place
    }
}

extension [SeenDeletion] {
    /// The deletions to remember after a snapshot of the same history replaced another one.
    ///
    /// A cell that is in the snapshot again was created anew.
    func following(_ held: Snapshot, by snapshot: Snapshot) -> [SeenDeletion] {
        // With another record version, other cells are shown; none of those was deleted.
        guard held.version.epoch == snapshot.version.epoch, held.records == snapshot.records else { return self }
        let place = Cell.Place(epoch: snapshot.version.epoch, revision: snapshot.version.revision)
        let gone = held.cells.keys.filter { snapshot.cells[$0] == nil }
        let known = filter { snapshot.cells[$0.key] == nil && !gone.contains($0.key) }
        return (known + gone.map { SeenDeletion(key: $0, place: place) }).suffix(SeenDeletion.countMax)
    }

    /// The deletions to remember after a delta of the snapshot that is held.
    func following(_ held: Snapshot, by delta: SnapshotDelta) -> [SeenDeletion] {
        let place = Cell.Place(epoch: delta.version.epoch, revision: delta.version.revision)
        let gone = Set(delta.gone)
        let known = filter { held.cells[$0.key] == nil && delta.written[$0.key] == nil && !gone.contains($0.key) }
        return (known + delta.gone.map { SeenDeletion(key: $0, place: place) }).suffix(SeenDeletion.countMax)
    }
}
