internal import SyncCore

/// The changes at the hub that an edit met when it took effect and that its author had not seen.
struct MergeResult: Hashable {
    /// Whether somebody else had already entered the same values.
    var isSame = false
    /// The values of others that lost against the edit, as open conflicts.
    var beaten: [Conflict] = []
    /// The other cells of its records that somebody else changed since: both changes were kept.
    var neighbours: [CellKey] = []

    /// Compares an edit with the snapshot that came with the confirmation.
    ///
    /// - Parameters:
    ///   - edit: The edit.
    ///   - origin: The writes of the cells of its records when it was made; nil if unknown.
    ///   - snapshot: The snapshot.
    ///   - own: The writes of this watch's edits.
    init(_ edit: Edit, since origin: [CellKey: RandomID]?, in snapshot: Snapshot, own: Set<RandomID>) {
        let changed = Set(edit.changes.map(\.key))
        isSame =
            !edit.changes.isEmpty
            && edit.changes.enumerated().allSatisfy { index, change in
                guard let cell = snapshot.cells[change.key] else { return false }
                return cell.value == change.value && !own.contains(cell.dot) && cell.dot != change.base
            }
        let dots = Set(edit.changes.indices.map(edit.dot))
        beaten = snapshot.conflicts.values.filter { conflict in
            conflict.winner.map { dots.contains($0.dot) } ?? false
        }
        guard let origin else { return }
        neighbours = snapshot.cells.pairs.filter { key, cell in
            !changed.contains(key) && Self.isNear(key, changed) && origin[key] != cell.dot && !own.contains(cell.dot)
        }.map(\.key)
    }

    /// The writes of the cells in the same records as an edit's.
    static func origin(of edit: Edit, in snapshot: Snapshot?) -> [CellKey: RandomID] {
        let changed = Set(edit.changes.map(\.key))
        let near = snapshot?.cells.pairs.filter { isNear($0.key, changed) } ?? []
        return Dictionary(near.map { ($0.key, $0.value.dot) }) { $1 }
    }

    private static func isNear(_ key: CellKey, _ changed: Set<CellKey>) -> Bool {
        changed.contains { $0.kind == key.kind && $0.record == key.record }
    }
}
