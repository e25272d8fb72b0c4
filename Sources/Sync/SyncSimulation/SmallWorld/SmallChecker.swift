import SyncCore

/// What must hold in a small world, at each step and at the end, judged by what really happened there.
struct SmallChecker: Sendable {
    /// What really happened.
    var truth = SmallGroundTruth()
    /// What broke first, nil if nothing did.
    private(set) var violation: SmallViolation?
    /// The number of the present operation, by which its writes are known.
    private(set) var operation = 0

    /// Another operation is done.
    mutating func beginOperation() { operation += 1 }

    mutating func fail(_ rule: Violation.Rule, _ text: String) {
        if violation == nil { violation = SmallViolation(rule: rule, text: text, operation: operation) }
    }

    // MARK: - At each step

    /// A transaction takes effect.
    mutating func took(_ transaction: Transaction) {
        // Of two edits of a cell in one transaction only the later one is left in it, but both took effect.
        let taken = (transaction.progress?.taken ?? []).filter { transaction.logged[$0] == nil }
        for dot in taken + transaction.ownWrites where !truth.effects.insert(dot).inserted {
            fail(.exactlyOnce, "the write of operation \(name(dot)) took effect twice")
        }
        guard !truth.hasForked else { return }
        for (loser, conflict) in transaction.logged.pairs {
            guard let winner = conflict.winner?.dot, truth.ancestors(of: winner).contains(loser) else { continue }
            fail(.noFalseConflict, "\(name(loser)) lost against \(name(winner)), whose author had seen it")
        }
    }

    /// The cells that a watch has edited and shows.
    static func shownCells(_ replica: Replica) -> [(key: CellKey, cell: VisibleCell)] {
        let keys = replica.state.pending.flatMap { pending -> [CellKey] in
            if case .edit(let edit) = pending.upload { edit.changes.map(\.key) } else { [] }
        }
        return keys.compactMap { key in replica.view(of: key).map { (key, $0) } }
    }

    /// An own value, once shown, is only replaced by what the hub decided after it had received the edit.
    mutating func shows(
        _ replica: Replica, of watch: Int, after before: [(key: CellKey, cell: VisibleCell)], by hubState: LedgerState
    ) {
        for (key, old) in before where old.isPending {
            let new = replica.view(of: key)
            guard new?.dot != old.dot else { continue }
            let isTaken = hubState.uploads.values.contains { $0.taken.contains(old.dot) }
            let isLogged = hubState.conflicts[old.dot] != nil
            let isKnown = truth.effects.contains(old.dot) || isLogged || isTaken
            // The history of a hub that was restored since does not contain what the hub had done.
            let isSameHistory = hubState.version.epoch == replica.state.snapshot?.version.epoch
            if !isKnown, isSameHistory {
                fail(.readYourWrites, "watch \(watch) lost its own \(name(old.dot)) before the hub had it")
            }
            // After a restore a write may reach the hub before the write that it was based on. It loses then, which is
            // visible to all, and what arrives later may be its ancestor; so does a deletion, against any value that it
            // was not made for.
            let isRestored = truth.hasForked && isLogged
            if let new, !isRestored, truth.ancestors(of: old.dot).contains(new.dot) {
                fail(.noFlicker, "watch \(watch) shows \(name(new.dot)) again after its own \(name(old.dot))")
            }
            let isExplained =
                isLogged || replica.state.snapshot?.conflicts[old.dot] != nil || truth.effects.contains(old.dot)
            if new == nil, old.value != nil, !isExplained, isSameHistory {
                fail(.noFlicker, "watch \(watch) shows nothing after its own \(name(old.dot))")
            }
        }
    }

    /// A watch is about to store a snapshot.
    mutating func takes(_ snapshot: Snapshot, after held: Version?, at watch: Int) {
        let version = snapshot.version
        if let held, held.epoch == version.epoch, version.revision < held.revision {
            fail(.monotonicReads, "watch \(watch) went from revision \(held.revision) to \(version.revision)")
        }
        let place = Cell.Place(epoch: version.epoch, revision: version.revision)
        let digest = snapshot.cells.hashValue
        if let known = truth.observed[place], known != digest {
            fail(.oneContentPerVersion, "two contents for revision \(version.revision) of one epoch")
        }
        truth.observed[place] = digest
    }

    /// What a delta makes of the snapshot that a watch holds is the snapshot that it gets.
    mutating func compares(_ snapshot: Snapshot, with delta: SnapshotDelta, of held: Snapshot, at watch: Int) {
        var after = held
        after.apply(delta)
        if after != snapshot { fail(.exactDeltas, "a delta makes something else of what watch \(watch) holds") }
    }

    // MARK: - At the end

    /// Everything has come to rest.
    mutating func ends(_ ledger: Ledger, _ replicas: [Replica]) {
        let snapshot = ledger.snapshot(SmallWorld.schema)
        for (number, replica) in replicas.enumerated() where replica.state.snapshot?.cells != snapshot.cells {
            return fail(.convergence, "watch \(number) does not hold the hub's cells")
        }
        let kept = keptWrites(ledger.state)
        for dot in truth.order where !kept.contains(dot) && !isExcused(dot, ledger.state, replicas) {
            return fail(.noSilentLoss, "the write of operation \(name(dot)) is gone without a trace")
        }
    }

    /// The writes that are shown, are logged, or were replaced by an author who had seen them.
    private func keptWrites(_ state: LedgerState) -> Set<RandomID> {
        var kept = Set(state.cells.values.map(\.dot)).union(state.conflicts.keys)
        for dot in kept.union(truth.effects) { kept.formUnion(truth.ancestors(of: dot)) }
        for dot in truth.order where isDeletionInEffect(dot, state) { kept.formUnion(truth.ancestors(of: dot)) }
        return kept
    }

    private func isDeletionInEffect(_ dot: RandomID, _ state: LedgerState) -> Bool {
        guard let write = truth.writes[dot], write.isDeletion else { return false }
        return state.cells[write.key]?.value == nil
            || state.conflicts.values.contains { $0.rule == .deletionLostInRestore && $0.key == write.key }
    }

    /// The two acceptable losses, and deletions that are no longer needed.
    private func isExcused(_ dot: RandomID, _ state: LedgerState, _ replicas: [Replica]) -> Bool {
        guard let write = truth.writes[dot] else { return true }
        if isDeletionInEffect(dot, state) { return true }
        if write.isDeletion, truth.effects.contains(dot), let current = state.cells[write.key] {
            // Another author created the cell anew, without knowing what the deletion removed.
            let line = truth.ancestors(of: current.dot).union([current.dot])
            if line.isDisjoint(with: truth.ancestors(of: dot)) { return true }
        }
        guard write.author != nil else {
            // Only the hub ever had it, and the hub was restored.
            return truth.hubWasRestored && !truth.isSeen(dot)
        }
        let isWaiting = replicas.contains { $0.state.pending.contains { $0.upload.id == dot } }
        return !isWaiting && !truth.effects.contains(dot) && truth.lostByWatches.contains(dot)
    }

    private func name(_ dot: RandomID) -> String {
        truth.writes[dot].map { "\($0.operation)" } ?? "?"
    }

    // MARK: - For comparison with another implementation

    /// The end of a run, identified by the operations in which things were made: the cells with their current write,
    /// and the writes in the log of conflicts.
    func outcome(of state: LedgerState) -> SmallOutcome {
        var outcome = SmallOutcome()
        for (key, cell) in state.cells.pairs where cell.value != nil {
            outcome.cells.append([Int(key.record.low), truth.writes[cell.dot]?.operation ?? -1])
        }
        for conflict in state.conflicts.values {
            if conflict.rule == .deletionLostInRestore {
                outcome.lostDeletions.append(Int(conflict.key.record.low))
            } else {
                outcome.losers.append(truth.writes[conflict.id]?.operation ?? -1)
            }
        }
        outcome.losers.sort()
        outcome.lostDeletions.sort()
        return outcome
    }
}

/// How a small world ended.
package struct SmallOutcome: Hashable, Sendable {
    /// The cells that are not deleted: the operation that created each, and the operation of its current write.
    package var cells: [[Int]] = []
    /// The operations whose writes are in the log of conflicts.
    package var losers: [Int] = []
    /// The cells whose deletion is in the log of conflicts.
    package var lostDeletions: [Int] = []

    package init() {}
}
