/// Checks the identifiers of uploaded writes, and replaces those that belong to another write.
///
/// A watch chooses the identifiers of its writes and of its salvage. A paired but hostile watch may reuse the
/// identifier of another author's write, or upload that write with another value before a watch uploads the true one.
/// So an identifier alone proves nothing: a write that reuses one gets a new identifier, and both writes are kept.
extension Merge {
    /// A current or logged write with a given identifier.
    private struct NamedWrite {
        var key: CellKey
        var value: String?
        var node: UInt64
    }

    /// The current and logged writes with an identifier, hardly ever more than one.
    private func writes(named dot: RandomID) -> [NamedWrite] {
        let logged = [state.conflicts[dot], transaction.logged[dot]].compactMap(\.self)
            .map { NamedWrite(key: $0.key, value: $0.loser.value, node: $0.loser.stamp.node) }
        let stored = ledger.index.cells(named: dot).compactMap { key in
            state.cells[key].map { NamedWrite(key: key, value: $0.value, node: $0.stamp.node) }
        }
        let written = (written[dot] ?? []).compactMap { key -> NamedWrite? in
            // A later upload of the batch may have replaced it.
            guard let cell = transaction.written[key], cell.dot == dot else { return nil }
            return NamedWrite(key: key, value: cell.value, node: cell.stamp.node)
        }
        steps.count += 1 + logged.count + stored.count + written.count
        return logged + stored + written
    }

    // MARK: - Edits

    /// An edit; with a new identifier if its own belongs to another write.
    func named(_ edit: Edit) -> Edit {
        var named = edit
        while named.changes.indices.contains(where: { isOfAnother(named, $0) }) {
            var name = DerivedName("edit")
            name.feed(named.id)
            name.feed(author.node)
            name.feed(state.version.chain)
            named.id = name.id
        }
        return named
    }

    /// Whether a change uses the identifier of another write.
    ///
    /// The hub may already know the same write: another watch uploaded it after a restore.
    private func isOfAnother(_ edit: Edit, _ index: Int) -> Bool {
        let (dot, change) = (edit.dot(of: index), edit.changes[index])
        let known = writes(named: dot)
        guard known.isEmpty else {
            return known.contains {
                $0.key != change.key || $0.value != change.value || $0.node != author.node
            }
        }
        return isGone(dot, exceptOf: author.peer)
    }

    /// Whether the identifier belonged to a write that was replaced or settled; watches that have seen that write may
    /// still refer to it.
    private func isGone(_ dot: RandomID, exceptOf author: PeerKey? = nil) -> Bool {
        let isAuthors = author.flatMap { state.uploads[$0]?.taken.contains(dot) } ?? false
        return state.written.contains(dot) || ledger.index.takerCount(dot) > (isAuthors ? 1 : 0)
    }

    // MARK: - Salvage

    /// Whether the hub knows a write that a watch reports as lost.
    func isKnown(_ lost: Conflict) -> Bool {
        writes(named: lost.id).contains { $0.key == lost.key && $0.value == lost.loser.value } || ledger.knows(lost)
    }

    /// Salvage that the hub does not know; with a new identifier if its own belongs to another write.
    func named(_ lost: Conflict) -> Conflict {
        var named = lost
        while !writes(named: named.id).isEmpty || isGone(named.id) {
            var name = DerivedName("conflict")
            name.feed(named.mark)
            name.feed(state.version.chain)
            named.id = name.id
            named.edit = name.id
            named.loser.dot = name.id
        }
        return named
    }

    // MARK: - Recognizing repeated writes

    /// Remembers an edit by the identifiers of its writes.
    private mutating func remember(_ edit: Edit, _ progress: inout UploadProgress) {
        let dots = edit.changes.isEmpty ? [edit.id] : edit.dots
        progress.taken += dots
        progress.remembered += dots
        taken.append(dots)
    }

    /// Remembers an edit under its own identifier, and under its new one if it got one.
    mutating func remember(_ edit: Edit, as named: Edit, _ progress: inout UploadProgress) {
        remember(edit, &progress)
        guard named.id != edit.id else { return }
        remember(named, &progress)
        // Later edits of the author build on the old identifiers; this maps them to the new ones.
        for index in edit.changes.indices {
            reject(RejectedWrite(dot: edit.dot(of: index), base: named.dot(of: index)), &progress)
        }
    }

    /// Remembers salvage under its own identifier, and under its new one if it got one.
    mutating func remember(_ lost: Conflict, as named: Conflict, _ progress: inout UploadProgress) {
        progress.taken.append(named.id)
        // A watch that received it under the new identifier may upload it once more.
        let marks = named.id == lost.id ? [lost.mark] : [lost.mark, named.mark]
        progress.remembered += marks
        taken.append(marks)
    }

    /// Remembers a rejected write, so that later edits on top of it are compared with what its author had seen.
    mutating func reject(_ write: RejectedWrite, _ progress: inout UploadProgress) {
        progress.rejected.append(write)
        rejected[write.dot] = .some(write.base)
    }
}
