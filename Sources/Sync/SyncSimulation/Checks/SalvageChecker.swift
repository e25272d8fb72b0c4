import SyncCore

/// What is lost of an edit of several cells stays one edit, so that a person restores all of it or puts all of it aside.
struct SalvageChecker {
    private struct Write: Hashable {
        var peer: PeerKey
        var id: RandomID
    }

    /// By what watches have brought as salvage, the edits that they named.
    private var named: [Write: Set<RandomID>] = [:]

    // MARK: - At a watch

    /// A watch is about to store the salvage that it will bring: of what it knows of an edit, each cell names the edit.
    static func finding(_ record: ReplicaRecord, remembering state: ReplicaState, at watch: Int) -> Checks.Finding? {
        guard case .replaced(let uploads) = record.pending else { return nil }
        let waiting = Set(state.pending.map(\.upload))
        for case .salvage(let lost) in uploads.map(\.upload) where !waiting.contains(.salvage(lost)) {
            guard let edit = edit(of: lost, in: state), lost.edit != edit else { continue }
            return Checks.Finding(.atomicGroups, "watch \(watch) brings a cell of an edit, and names another edit")
        }
        return nil
    }

    /// The edit that a lost write is a part of, as far as a watch knows.
    private static func edit(of lost: Conflict, in state: ReplicaState) -> RandomID? {
        if let known = state.snapshot?.conflicts[lost.id], known.key == lost.key, known.loser == lost.loser {
            return known.edit
        }
        return state.journal.first { edit in
            edit.changes.enumerated().contains { index, change in
                edit.dot(of: index) == lost.id && change.key == lost.key && change.value == lost.loser.value
                    && edit.stamp == lost.loser.stamp
            }
        }?.id
    }

    // MARK: - At the hub

    /// Uploads arrive from a watch.
    mutating func arrives(_ uploads: [NumberedUpload], from peer: PeerKey) {
        for case .salvage(let lost) in uploads.map(\.upload) {
            named[Write(peer: peer, id: lost.id), default: []].insert(lost.edit)
        }
    }

    /// A transaction is durable: what it logs of salvage names the edit that its watch named; if the hub gave it another
    /// name, then that.
    func took(_ transaction: Transaction) -> Checks.Finding? {
        guard let progress = transaction.progress else { return nil }
        // An edit is recognised by the names of its writes, salvage by its mark.
        let salvage = Set(progress.taken).subtracting(progress.remembered)
        for (id, conflict) in transaction.logged.pairs where salvage.contains(id) {
            let edits = named[Write(peer: progress.peer, id: id)] ?? [id]
            guard !edits.contains(conflict.edit) else { continue }
            return Checks.Finding(.atomicGroups, "the hub logs a lost cell of an edit, and names another edit")
        }
        return nil
    }
}
