/// A cell that a watch saw disappear: it held a version with the cell, then a later one of the same history without it.
///
/// Snapshots do not show deletions, so only a watch can tell a hub that was put back to before one.
public struct SeenDeletion: Hashable, Sendable {
    /// The deletions that a watch remembers; beyond that the oldest is forgotten, and a restore may bring its cell back
    /// if the watch that created it had not heard of it.
    public static let countMax = 256

    /// The cell.
    public var key: CellKey
    /// The first version without it that the watch held.
    public var place: Cell.Place

    /// Creates the memory of a deletion.
    public init(key: CellKey, place: Cell.Place) {
        self.key = key
        self.place = place
    }
}

extension [SeenDeletion] {
    /// What is remembered after a snapshot of the same history took the place of another one.
    ///
    /// A cell that is shown again was created anew by somebody.
    func following(_ held: Snapshot, by snapshot: Snapshot) -> [SeenDeletion] {
        // For other records, other cells are shown; none was deleted by that.
        guard held.version.epoch == snapshot.version.epoch, held.records == snapshot.records else { return self }
        let place = Cell.Place(epoch: snapshot.version.epoch, revision: snapshot.version.revision)
        let gone = held.cells.keys.filter { snapshot.cells[$0] == nil }
        let known = filter { snapshot.cells[$0.key] == nil && !gone.contains($0.key) }
        return (known + gone.map { SeenDeletion(key: $0, place: place) }).suffix(SeenDeletion.countMax)
    }

    /// The list as canonical JSON, for stores.
    public var json: JSONValue {
        .members(["deletions": .array(map { .members($0.key.members + [("seen", $0.place.json)]) })])
    }

    /// Reads a list from the canonical JSON of ``json``.
    ///
    /// - Throws: ``FrameFault``.
    public init(decoding bytes: [UInt8]) throws(FrameFault) {
        var deletions: [SeenDeletion] = []
        for entry in try BodyReader(bytes).objects("deletions") {
            deletions.append(
                SeenDeletion(key: try CellKey(entry), place: try Cell.Place(try entry.object("seen"))))
        }
        self = deletions
    }
}
