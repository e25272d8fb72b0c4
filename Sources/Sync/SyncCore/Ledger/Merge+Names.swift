/// The names of what comes in.
///
/// A watch names what it writes, and what it brings as salvage. One that is paired and hostile may use the name of
/// another's write, or bring that write with another value before somebody who knows the true one. So a name alone proves
/// nothing: what uses another's gets a name of its own, and both are kept.
extension Merge {
    /// A write that stands or is logged under some name.
    private struct NamedWrite {
        var key: CellKey
        var value: String?
        var node: UInt64
    }

    /// What stands or is logged under a name: hardly ever more than one write.
    private func writes(named dot: RandomID) -> [NamedWrite] {
        let logged = [state.conflicts[dot], transaction.logged[dot]].compactMap(\.self)
            .map { NamedWrite(key: $0.key, value: $0.loser.value, node: $0.loser.stamp.node) }
        let standing = [state.cells, transaction.written].flatMap { cells in
            cells.pairs.filter { $0.value.dot == dot }
                .map { NamedWrite(key: $0.key, value: $0.value.value, node: $0.value.stamp.node) }
        }
        return logged + standing
    }

    // MARK: - Edits

    /// An edit, under another name if it uses that of another's write.
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

    /// Whether a change uses the name of another write.
    ///
    /// The same write may be known already: another watch brought it after a restore.
    private func isOfAnother(_ edit: Edit, _ index: Int) -> Bool {
        let (dot, change) = (edit.dot(of: index), edit.changes[index])
        let known = writes(named: dot)
        guard known.isEmpty else {
            return known.contains {
                $0.key != change.key || $0.value != change.value || $0.node != author.node
            }
        }
        return isGone(dot) { $0 != author.peer }
    }

    /// Whether a write had the name that is replaced or settled by now: who has seen that one may still speak of it.
    private func isGone(_ dot: RandomID, of isAuthor: (PeerKey) -> Bool = { _ in true }) -> Bool {
        state.written.contains(dot)
            || state.uploads.pairs.contains { peer, uploads in isAuthor(peer) && uploads.taken.contains(dot) }
    }

    // MARK: - Salvage

    /// Whether the hub knows a write that a watch believes lost.
    func isKnown(_ lost: Conflict) -> Bool {
        writes(named: lost.id).contains { $0.key == lost.key && $0.value == lost.loser.value } || state.knows(lost)
    }

    /// Salvage that the hub does not know, under another name if it uses that of another write.
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

    // MARK: - What is known when it comes again

    /// Remembers an edit by the names of its writes.
    private mutating func remember(_ edit: Edit, _ progress: inout UploadProgress) {
        let dots = edit.changes.isEmpty ? [edit.id] : edit.dots
        progress.taken += dots
        progress.remembered += dots
        taken.append(dots)
    }

    /// Remembers an edit, and what it is called here if it got another name.
    mutating func remember(_ edit: Edit, as named: Edit, _ progress: inout UploadProgress) {
        remember(edit, &progress)
        guard named.id != edit.id else { return }
        remember(named, &progress)
        // What its author makes on top of it is made on what is here instead.
        for index in edit.changes.indices {
            reject(RejectedWrite(dot: edit.dot(of: index), base: named.dot(of: index)), &progress)
        }
    }

    /// Remembers salvage, and what it is called here if it got another name.
    mutating func remember(_ lost: Conflict, as named: Conflict, _ progress: inout UploadProgress) {
        progress.taken.append(named.id)
        // Somebody who knew it under the other name may bring it once more.
        let marks = named.id == lost.id ? [lost.mark] : [lost.mark, named.mark]
        progress.remembered += marks
        taken.append(marks)
    }

    /// Remembers a write beneath which the hub looks for what its author saw.
    mutating func reject(_ write: RejectedWrite, _ progress: inout UploadProgress) {
        progress.rejected.append(write)
        rejected.append(write)
    }
}
