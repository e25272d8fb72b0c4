/// What a watch knows of a history that the hub has left, and does not see in the new one.
///
/// The hub knows most of it: it was replaced by somebody who had seen it. Only the hub can tell, since a hub that was put
/// back unnoticed does not even know from where its history differs; it logs what it really has lost.
struct RecoveredEdits {
    private let held: Snapshot
    private let journal: [Edit]
    private let deletions: [SeenDeletion]
    private let flaws: DesignFlaws

    init(held: Snapshot, journal: [Edit], deletions: [SeenDeletion] = [], flaws: DesignFlaws) {
        self.held = held
        self.journal = journal
        self.deletions = deletions
        self.flaws = flaws
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

    private var lostConflicts: [Conflict] {
        flaws.contains(.watchForgetsConflicts) ? [] : held.conflicts.values
    }

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

    /// The deletions that this watch saw, and those of cells that are back although it held a version in which they had
    /// been created, and did not have them.
    ///
    /// What it saw disappear is brought whether the cell is back or not: its author may bring it back later.
    private func lostDeletions(in snapshot: Snapshot) -> [Conflict] {
        guard !flaws.contains(.watchForgetsDeletions) else { return [] }
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

/// A write by which salvage is told apart: a name alone may be that of what a hostile watch brought first.
struct RecoveredWrite: Hashable {
    var id: RandomID
    var key: CellKey
    var value: String?
    /// Who made it, as far as is known.
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
    /// The write that it brings as lost, nil for an edit.
    var salvaged: RecoveredWrite? {
        switch self {
        case .edit: nil
        case .salvage(let lost): RecoveredWrite(lost)
        }
    }
}

extension RandomID {
    /// The name of the deletion of a cell in a history: each watch that knows of it gives it the same.
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
