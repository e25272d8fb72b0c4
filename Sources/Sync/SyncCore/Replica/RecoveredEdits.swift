/// The writes that a watch knows from a history that the hub has left, and that are missing in the new history.
///
/// The hub knows most of them: a later write, whose author had seen them, replaced them. Only the hub knows which
/// ones it lost, because a hub that was restored unnoticed does not even know where the histories diverge. It logs
/// those that it really has lost.
struct RecoveredEdits {
    private let held: Snapshot
    private let journal: [Edit]
    private let deletions: [SeenDeletion]

    init(held: Snapshot, journal: [Edit], deletions: [SeenDeletion] = []) {
        self.held = held
        self.journal = journal
        self.deletions = deletions
    }

    /// The writes and deletions that are missing in a snapshot of another history, each once.
    func missing(in snapshot: Snapshot) -> [Conflict] {
        var seen = Set(snapshot.conflicts.values.map { RecoveredWrite($0) })
        for (key, cell) in snapshot.cells.pairs {
            seen.insert(RecoveredWrite(id: cell.dot, key: key, value: cell.value, node: cell.stamp.node))
        }
        let missing = (lostConflicts + lostEdits + lostCells + lostDeletions(in: snapshot))
            .filter { seen.insert(RecoveredWrite($0)).inserted }
        return missing.sorted { $0.id < $1.id }
    }

    private var lostCells: [Conflict] {
        held.cells.pairs.map { key, cell in
            Conflict(
                id: cell.dot, edit: cell.dot, key: key, base: nil,
                loser: Conflict.Side(value: cell.value, dot: cell.dot, stamp: cell.stamp, author: ""), winner: nil,
                rule: .lostInRestore, place: cell.written)
        }
    }

    private var lostConflicts: [Conflict] { held.conflicts.values }

    private var lostEdits: [Conflict] {
        let place = Cell.Place(epoch: held.version.epoch, revision: held.version.revision)
        return journal.flatMap { edit in
            edit.changes.enumerated().map { index, change in
                let dot = edit.dot(of: index)
                return Conflict(
                    id: dot, edit: edit.id, key: change.key, base: change.seen,
                    loser: Conflict.Side(value: change.value, dot: dot, stamp: edit.stamp, author: ""),
                    winner: nil, rule: .lostInRestore, place: place)
            }
        }
    }

    /// The deletions that this watch saw, and those of cells that are back although the watch held a version that was
    /// later than their creation and did not contain them.
    ///
    /// A deletion that the watch saw is uploaded whether the cell is back or not: the author of the cell may upload
    /// it later.
    private func lostDeletions(in snapshot: Snapshot) -> [Conflict] {
        let place = Cell.Place(epoch: held.version.epoch, revision: held.version.revision)
        let seen = Set(deletions.map(\.key))
        let back = snapshot.cells.pairs
            .filter { held.cells[$0.key] == nil && !seen.contains($0.key) && held.contains($0.value.created) }
            .map { SeenDeletion(key: $0.key, place: place) }
        return (deletions + back).map { deletion in
            let dot = RandomID(naming: deletion.key, in: deletion.place.epoch)
            return Conflict(
                id: dot, edit: dot, key: deletion.key, base: nil,
                loser: Conflict.Side(
                    value: nil, dot: dot, stamp: Stamp(milliseconds: 0, counter: 0, node: 0), author: ""),
                winner: nil, rule: .deletionLostInRestore, place: deletion.place)
        }
    }
}

/// The properties that identify salvage: an identifier alone may have been used first by a hostile watch, for another
/// write.
struct RecoveredWrite: Hashable {
    var id: RandomID
    var key: CellKey
    var value: String?
    /// The node of its author, as far as it is known.
    var node: UInt64

    init(id: RandomID, key: CellKey, value: String?, node: UInt64) {
        self.id = id
        self.key = key
        self.value = value
        self.node = node
    }

    init(_ lost: Conflict) {
        self.init(id: lost.id, key: lost.key, value: lost.loser.value, node: lost.loser.stamp.node)
    }
}

extension Upload {
    /// The write that it reports as lost; nil for an edit.
    var salvaged: RecoveredWrite? {
        switch self {
        case .edit: nil
        case .salvage(let lost): RecoveredWrite(lost)
        }
    }
}

extension RandomID {
    /// The identifier of the deletion of a cell in a history: all watches that know of the deletion derive the same
    /// one.
    init(naming key: CellKey, in epoch: Epoch) {
        var high = SplitMix64.mix(epoch.number)
        var low = SplitMix64.mix(epoch.number &+ 1)
        for byte in [Array(key.kind.utf8), [0], Array(key.group.utf8)].joined() {
            high = SplitMix64.mix(high ^ UInt64(byte))
            low = SplitMix64.mix(low &+ UInt64(byte))
        }
        self.init(high: SplitMix64.mix(high ^ key.record.high), low: SplitMix64.mix(low ^ key.record.low))
    }
}
