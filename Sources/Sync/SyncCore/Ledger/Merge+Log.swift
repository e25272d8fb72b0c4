/// Adds conflicts to the conflict log and removes settled ones.
extension Merge {
    // MARK: - Salvage

    /// Logs a write that the hub has lost, or keeps a tombstone for it; false if there is nothing to do.
    mutating func salvage(_ lost: Conflict) -> Bool {
        if lost.isSeenDeletion, cell(lost.key)?.value == nil { return leaveTrace(of: lost) }
        var conflict = lost
        conflict.place = place
        conflict.winner = cell(lost.key).map(side)
        if conflict.loser.author.isEmpty { conflict.loser.author = policy.name(lost.loser.stamp.node) }
        put(conflict)
        return true
    }

    /// Keeps a tombstone for a deletion that the hub has lost together with the cell, if a watch that created the
    /// cell may upload it again.
    private mutating func leaveTrace(of deletion: Conflict) -> Bool {
        guard cell(deletion.key) == nil, policy.schema.rule(of: deletion.key)?.authority != .hub else { return false }
        // The tombstone is stamped now, and its retention starts now. The author of the deletion is unknown, so the
        // uploading watch is used instead.
        let now = clock.stamp(wallMilliseconds: wallMilliseconds)
        write(
            Cell(
                value: nil, dot: deletion.id,
                stamp: Stamp(milliseconds: now.milliseconds, counter: now.counter, node: author.node), written: place,
                created: .never(in: place.epoch)),
            at: deletion.key)
        return true
    }

    // MARK: - The log

    mutating func put(_ conflict: Conflict) {
        var conflict = conflict
        if let value = conflict.winner?.value, value.utf8.count > Edit.valueByteCountMax {
            // The value is in its cell, where everybody can read it.
            conflict.winner?.value = nil
        }
        conflict = ConfigurationSize.trimmed(conflict)
        room.log(conflict)
        transaction.logged[conflict.id] = conflict
        // A conflict with this identifier that was settled earlier in the same batch is a different one.
        transaction.settled.removeAll { $0 == conflict.id }
    }

    /// Settles a conflict together with the others of its edit.
    mutating func settle(_ id: RandomID) {
        for conflict in conflicts(ofEditOf: id) {
            transaction.logged[conflict.id] = nil
            room.settle(conflict, isOwn: state.bringers[conflict.id].map { $0 == author.peer } ?? isNew(conflict))
            if state.conflicts[conflict.id] != nil { transaction.settled.append(conflict.id) }
        }
    }

    private func isNew(_ conflict: Conflict) -> Bool { state.conflicts[conflict.id] == nil }

    /// The open conflicts of the edit whose loss caused the conflict `id`.
    func conflicts(ofEditOf id: RandomID) -> [Conflict] {
        let open = state.conflicts.values.filter { !transaction.settled.contains($0.id) } + transaction.logged.values
        steps.count += open.count
        return open.ofEdit(with: id)
    }

    /// Why the conflict log has no room for the worst result of an upload; nil if it has.
    func obstacle(to upload: Upload) -> Conflict.Rule? {
        switch upload {
        case .salvage(let conflict) where conflict.isSeenDeletion && cell(conflict.key)?.value == nil:
            return nil
        case .salvage(let conflict):
            let values = [conflict.base, conflict.loser.value, cell(conflict.key)?.value]
            return room.obstacle(toConflicts: 1, values: values)
        case .edit(let edit):
            guard !edit.changes.isEmpty else { return nil }
            let values = edit.changes.flatMap { [$0.value, $0.seen, cell($0.key)?.value] }
            let rule = room.obstacle(toConflicts: edit.changes.count, values: values)
            return rule != nil && leavesNoMore(edit) ? nil : rule
        }
    }

    /// Whether an edit takes effect, and does not make the log fuller for any watch.
    ///
    /// So edits that lose nothing go on while a watch has no room for conflicts, and a person can restore a losing value
    /// there, which is a way to make room.
    private func leavesNoMore(_ edit: Edit) -> Bool {
        var trial = self
        return trial.takesEffect(edit) && trial.room.leavesAsMuchRoom(than: room)
    }
}
