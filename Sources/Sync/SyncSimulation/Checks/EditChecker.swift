import SyncCore

/// What was really written, which no device in a run can know.
struct EditChecker {
    /// A write that a person made.
    struct Write {
        /// The watch, nil for the hub.
        var author: Int?
        var key: CellKey
        var value: String?
        /// The write whose value the person saw, and that value.
        var seen: RandomID?
        var seenValue: String?
        /// The edit of which it is one cell.
        var edit: RandomID
        /// Whether the person was notified that it is durable.
        var isPromised: Bool
        /// Whether a forger with a watch's key may have made it.
        var isForged = false
    }

    /// Who may change which cells.
    var schema = Application.schema
    private(set) var writes: [RandomID: Write] = [:]
    private var order: [RandomID] = []
    /// The writes that took effect in the history that the hub has now.
    private(set) var effects: Set<RandomID> = []
    /// The writes that took effect in any history, including lost ones.
    private var allEffects: Set<RandomID> = []
    /// The writes of values that were already there: they needed no change.
    private var equals: Set<RandomID> = []
    /// The conflicts that a person has settled.
    private var settled: Set<RandomID> = []
    /// By the edits with which persons at watches settle conflicts, the writes that were shown to them as lost.
    private var shownAsLost: [RandomID: Set<RandomID>] = [:]
    /// By these edits, the conflict that each settles, and the edit that lost with it.
    private var settling: [RandomID: (conflict: RandomID, edit: RandomID)] = [:]
    /// The writes that were on each watch since it was last restored.
    private var seenByWatches: [Int: Set<RandomID>] = [:]
    /// The epoch of the snapshot that each watch holds.
    private var epochs: [Int: Epoch] = [:]
    private var lostByWatches: Set<RandomID> = []
    private(set) var hasForked = false
    private var hubWasRestored = false

    mutating func add(_ dot: RandomID, _ write: Write) {
        guard writes[dot] == nil else { return }
        writes[dot] = write
        order.append(dot)
    }

    mutating func promised(_ edit: Edit) {
        for index in edit.changes.indices { writes[edit.dot(of: index)]?.isPromised = true }
    }

    /// A person at a watch makes an edit; if it settles a conflict, then with all others of the same lost edit.
    mutating func settles(_ edit: Edit, shown: Snapshot?) {
        guard let id = edit.resolves, let shown, let conflict = shown.conflicts[id] else { return }
        settling[edit.id] = (id, conflict.edit)
        shownAsLost[edit.id] = Set(shown.conflicts.values.filter { $0.edit == conflict.edit }.map(\.id))
    }

    /// A watch holds a snapshot: it knows the contents, and need not know any more what was replaced in the history of
    /// the snapshot.
    ///
    /// That is the hub's history, or one that the hub has lost and the watch has not left.
    mutating func seen(_ state: ReplicaState, by watch: Int) {
        var seen = seenByWatches[watch] ?? []
        let dropped = seen.subtracting(Self.known(state))
        let isSameHistory = epochs[watch] == state.snapshot?.version.epoch
        epochs[watch] = state.snapshot?.version.epoch
        if !dropped.isEmpty { seen.subtract(dropped.intersection(replaced(by: isSameHistory ? allEffects : effects))) }
        for (_, cell) in state.snapshot?.cells.pairs ?? SortedMap().pairs { seen.insert(cell.dot) }
        seenByWatches[watch] = seen
    }

    /// What the authors of these writes had seen.
    private func replaced(by effects: Set<RandomID>) -> Set<RandomID> {
        var replaced: Set<RandomID> = []
        for dot in effects {
            var next = writes[dot]?.seen
            while let ancestor = next, replaced.insert(ancestor).inserted { next = writes[ancestor]?.seen }
        }
        return replaced
    }

    /// Everything that the author of a write had seen, directly or through others.
    func ancestors(of dot: RandomID) -> Set<RandomID> {
        var ancestors: Set<RandomID> = []
        var next = writes[dot]?.seen
        while let ancestor = next, ancestors.insert(ancestor).inserted {
            next = writes[ancestor]?.seen
        }
        return ancestors
    }

    // MARK: - Transactions

    /// A transaction is durable.
    mutating func tookEffect(
        _ transaction: Transaction, after before: LedgerState, authors: [PeerKey: (watch: Int, isHostile: Bool)]
    ) -> Checks.Finding? {
        let author = transaction.progress.flatMap { authors[$0.peer] }
        if transaction.forks { hasForked = true }
        settled.formUnion(transaction.settled)
        settled.formUnion(settledAtOnce(transaction, after: before))
        for (key, cell) in transaction.written.pairs where writes[cell.dot] == nil {
            let seen = before.cells[key]
            add(
                cell.dot,
                Write(
                    author: author?.watch, key: key, value: cell.value, seen: seen?.dot, seenValue: seen?.value,
                    edit: cell.dot, isPromised: author == nil, isForged: author?.isHostile ?? false))
        }
        // A watch that creates a cell anew has seen that it is deleted, even if a later edit of the batch has the cell
        // now.
        let taken = (transaction.progress?.taken ?? []).filter { transaction.logged[$0] == nil }
        for dot in transaction.written.values.map(\.dot) + taken where writes[dot]?.seen == nil {
            guard let key = writes[dot]?.key, let gone = before.cells[key], gone.value == nil else { continue }
            if gone.dot != dot { writes[dot]?.seen = gone.dot }
        }
        if let finding = takes(transaction, after: before) { return finding }
        return judge(transaction, after: before, isHostile: author?.isHostile ?? false)
    }

    /// The writes that lose in a transaction and are settled in it.
    ///
    /// A person at a watch settles a conflict, and the hub, which does not know that yet, is restored to a copy from
    /// before the conflict. Then the watch's next batch brings the write that wins and after it the person's request:
    /// the conflict enters the log and leaves it within one transaction, and appears in no list. Nothing is lost
    /// silently, since the person saw the value and decided. In all other cases the check is as strict as before: a
    /// write counts only if it was shown to the person as lost, if the hub carried out the request in this transaction,
    /// and if the write was there before or came with the batch. The request does not excuse what the hub drops earlier
    /// or later.
    private func settledAtOnce(_ transaction: Transaction, after before: LedgerState) -> Set<RandomID> {
        guard let progress = transaction.progress else { return [] }
        let taken = Set(progress.taken)
        let carriedOut = taken.subtracting(progress.outcomes.map(\.id))
        let shown = carriedOut.reduce(into: Set<RandomID>()) { $0.formUnion(shownAsLost[$1] ?? []) }
        return shown.filter { dot in
            guard let key = writes[dot]?.key, transaction.logged[dot] == nil else { return false }
            let stands = (transaction.written[key] ?? before.cells[key])?.dot == dot
            return !stands && (before.cells[key]?.dot == dot || taken.contains(dot))
        }
    }

    /// Of two edits of a cell in one transaction only the later one is left in it, but both took effect.
    private mutating func takes(_ transaction: Transaction, after before: LedgerState) -> Checks.Finding? {
        let taken = (transaction.progress?.taken ?? []).filter { transaction.logged[$0] == nil }
        for dot in taken {
            guard let write = writes[dot] else { continue }
            let standing = transaction.written[write.key] ?? before.cells[write.key]
            if standing?.dot != dot, standing?.value == write.value { equals.insert(dot) }
        }
        for dot in taken + transaction.written.values.filter({ $0.stamp.node == 0 }).map(\.dot) {
            allEffects.insert(dot)
            guard !effects.insert(dot).inserted, writes[dot]?.isForged != true else { continue }
            return Checks.Finding(.exactlyOnce, "the write \(name(dot)) takes effect twice")
        }
        return nil
    }

    private func judge(_ transaction: Transaction, after before: LedgerState, isHostile: Bool) -> Checks.Finding? {
        for (loser, conflict) in transaction.logged.pairs where !hasForked && !isHostile {
            guard let winner = conflict.winner?.dot, ancestors(of: winner).contains(loser) else { continue }
            return Checks.Finding(
                .noFalseConflict, "\(name(loser)) lost against \(name(winner)), whose author had seen it")
        }
        guard let progress = transaction.progress, !isHostile else { return nil }
        if let finding = refusal(in: transaction, progress, after: before) { return finding }
        for (key, cell) in transaction.written.pairs {
            guard let write = writes[cell.dot] else { continue }
            guard write.value == cell.value, write.key == key else {
                return Checks.Finding(.atomicGroups, "\(name(cell.dot)) shows a value that nobody entered")
            }
            // The tombstone of a deletion that the hub had lost changes nothing that a device shows.
            let isTrace = cell.value == nil && before.cells[key]?.value == nil
            if !isTrace, let finding = authority(key, of: progress.peer) { return finding }
            let hadEffect = write.seen.map { effects.contains($0) } ?? false
            let isGone = before.cells[key]?.value == nil && write.seenValue != nil && hadEffect
            let sawOwn = write.seen.map { progress.taken.contains($0) } ?? false
            guard !isGone || sawOwn || write.value == nil else {
                return Checks.Finding(.noZombies, "\(name(cell.dot)) brings a deleted cell back by an edit of it")
            }
        }
        return split(transaction, progress)
    }

    /// An edit of the current value by an author who had seen that value takes effect.
    ///
    /// So does an edit that restores a value against the very deletion that it lost against.
    ///
    /// Salvage never takes effect, and keeps the rule by which it lost in the lost history: it is not an edit.
    private func refusal(
        in transaction: Transaction, _ progress: UploadProgress, after before: LedgerState
    ) -> Checks.Finding? {
        let taken = progress.taken.compactMap { writes[$0]?.key }
        // An edit is recognised by the names of its writes, salvage by its mark.
        let edited = Set(progress.taken).intersection(progress.remembered)
        for (loser, conflict) in transaction.logged.pairs where edited.contains(loser) {
            // Only the hub knows what a batch has done to the cell before; other rules check more than this one.
            guard [.newest, .owner, .deleted, .unseen].contains(conflict.rule), let write = writes[loser],
                taken.count(where: { $0 == write.key }) == 1, let standing = before.cells[write.key]
            else { continue }
            // An author who restores a value against a deletion has seen that in the log. A hub that was restored to a
            // copy from before the conflict does not know that; then the value is logged once more, and nothing is
            // lost.
            let isUnknown = settling[write.edit].map { before.conflicts[$0.conflict] == nil } ?? false
            if standing.dot == write.seen, standing.value != nil || !isUnknown {
                return Checks.Finding(.noFalseConflict, "\(name(loser)) lost, and its author had seen what stands")
            }
            // All conflicts of an edit are settled together, by the first device that settles one of them.
            guard standing.value == nil, write.seen == nil, let (settled, edit) = settling[write.edit],
                settling.values.count(where: { $0.edit == edit }) == 1, before.conflicts[settled]?.edit == edit,
                before.conflicts.values.contains(where: {
                    $0.edit == edit && $0.key == write.key && $0.winner?.dot == standing.dot
                })
            else { continue }
            return Checks.Finding(.restorable, "\(name(loser)) is put back, and loses against the same deletion again")
        }
        return nil
    }

    private func authority(_ key: CellKey, of peer: PeerKey) -> Checks.Finding? {
        let isAllowed =
            switch schema.rule(of: key)?.authority {
            case .shared: true
            case .owner: key.record == Schema.record(of: peer)
            case .hub, nil: false
            }
        return isAllowed ? nil : Checks.Finding(.authority, "a watch changes \(key.kind)/\(key.group)")
    }

    /// An edit takes effect as a whole or not at all.
    private func split(_ transaction: Transaction, _ progress: UploadProgress) -> Checks.Finding? {
        // What a later edit of the batch has replaced took effect before.
        let lost = Set(
            transaction.logged.values.filter { conflict in
                progress.taken.contains(conflict.id)
                    && !(conflict.winner.map { progress.taken.contains($0.dot) } ?? false)
            }.compactMap { writes[$0.id]?.edit })
        for cell in transaction.written.values {
            guard let write = writes[cell.dot], lost.contains(write.edit) else { continue }
            return Checks.Finding(.atomicGroups, "a part of the edit of \(name(cell.dot)) takes effect, a part not")
        }
        return nil
    }

    // MARK: - Restores

    mutating func hubRestored(_ effects: Set<RandomID>) {
        self.effects = effects
        hubWasRestored = true
    }

    /// A watch is restored; `others` are the states of all watches afterwards.
    mutating func watchRestored(from: ReplicaState, to: ReplicaState, others: [ReplicaState]) {
        lostByWatches.formUnion(Self.known(from).subtracting(Self.known(to)))
        for (watch, state) in others.enumerated() {
            seenByWatches[watch] = Self.known(state, pending: false)
            epochs[watch] = state.snapshot?.version.epoch
        }
    }

    private static func known(_ state: ReplicaState, pending: Bool = true) -> Set<RandomID> {
        var known = Set(state.journal.flatMap { edit in edit.changes.indices.map { edit.dot(of: $0) } })
        if let snapshot = state.snapshot {
            for (_, cell) in snapshot.cells.pairs { known.insert(cell.dot) }
            known.formUnion(snapshot.conflicts.keys)
        }
        guard pending else { return known }
        for pending in state.pending {
            known.insert(pending.upload.id)
            guard case .edit(let edit) = pending.upload else { continue }
            known.formUnion(edit.changes.indices.map { edit.dot(of: $0) })
        }
        return known
    }

    // MARK: - The end

    /// Looks for a durable write that is gone without a trace; nil if there is none.
    ///
    /// - Parameters:
    ///   - state: The hub's state at the end.
    ///   - watches: The states of the watches.
    ///   - paired: The watches that could bring what the hub has lost.
    /// - Returns: The first such write, in words.
    func lost(in state: LedgerState, watches: [ReplicaState], paired: [Int]) -> String? {
        let conflicts = state.conflicts
        let lostDeletions = Set(
            conflicts.values.filter { $0.rule == .deletionLostInRestore }.map(\.key))
        func isDeletionInEffect(_ dot: RandomID) -> Bool {
            guard let write = writes[dot], write.value == nil else { return false }
            return state.cells[write.key]?.value == nil || lostDeletions.contains(write.key)
        }
        var kept = Set(state.cells.values.map(\.dot)).union(conflicts.keys).union(settled)
        // What waits at a watch is not lost; that nothing waits at a paired one is checked elsewhere.
        for replica in watches {
            for upload in replica.pending.map(\.upload) {
                switch upload {
                case .edit(let edit): kept.formUnion(edit.changes.indices.map { edit.dot(of: $0) })
                case .salvage(let conflict): kept.insert(conflict.id)
                }
            }
        }
        for dot in kept.union(effects) { kept.formUnion(ancestors(of: dot)) }
        for dot in order where isDeletionInEffect(dot) { kept.formUnion(ancestors(of: dot)) }
        for dot in order where !kept.contains(dot) && !isDeletionInEffect(dot) {
            guard let write = writes[dot], write.isPromised, !write.isForged else { continue }
            if schema.rule(of: write.key) == nil, write.author == nil { continue }
            if equals.contains(dot) { continue }
            if write.value == nil, effects.contains(dot), let current = state.cells[write.key] {
                let line = ancestors(of: current.dot).union([current.dot])
                if line.isDisjoint(with: ancestors(of: dot)) { continue }
            }
            // A watch that the restored hub does not know any more cannot bring what it wrote or saw.
            let couldBring = paired.contains { $0 == write.author || seenByWatches[$0]?.contains(dot) ?? false }
            if hubWasRestored, !couldBring, write.author == nil || !effects.contains(dot) { continue }
            if write.author != nil, !effects.contains(dot), lostByWatches.contains(dot) { continue }
            return "the write \(name(dot)) is gone without a trace"
        }
        return nil
    }

    /// Whether a person has settled the conflict of a write.
    func isSettled(_ dot: RandomID) -> Bool { settled.contains(dot) }

    func name(_ dot: RandomID) -> String {
        guard let write = writes[dot] else { return "?" }
        return "\(write.value ?? "deletion") of \(write.key.kind)/\(write.key.group)"
    }
}
