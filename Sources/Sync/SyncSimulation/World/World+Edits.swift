import SyncCore

/// A wish of the person at a watch that waits for its answer.
struct UserRequest {
    let request: RequestID
    /// What the person saw of the cells that are to change.
    let seen: [CellKey: VisibleCell]
    /// The conflict that is to be put back, with the values of its edit.
    var restored: (conflict: RandomID, values: [CellKey: String?])?
}

/// The person at a watch, and what the watch shows of what the person did.
extension World {
    /// By key, the watches and whether somebody else has their key, too.
    var authors: [PeerKey: (watch: Int, isHostile: Bool)] {
        Dictionary(uniqueKeysWithValues: watches.indices.map { (world.watches[$0].key, ($0, $0 == hostile)) })
    }

    /// Whether a side belongs to the watch whose key somebody uses to forge frames.
    func isHostile(_ side: Side) -> Bool { side.watch == hostile }

    // MARK: - Wishes

    mutating func wish(_ changes: [CellChange], at watch: Int) {
        guard let engine = world.watches[watch].engine else { return }
        let seen = seen(Set(changes.map(\.key)), in: engine, at: watch)
        let request = application.nextRequest()
        watches[watch].wishes.append(UserRequest(request: request, seen: seen))
        stepWatch(watch, .edit(request, changes))
    }

    mutating func settle(_ conflict: Conflict, restoring: Bool, at watch: Int) {
        guard let engine = world.watches[watch].engine, let snapshot = engine.snapshot else { return }
        let together = snapshot.conflicts.values.filter { $0.edit == conflict.edit }
        let request = application.nextRequest()
        let values = Dictionary(together.map { ($0.key, $0.loser.value) }, uniquingKeysWith: { $1 })
        let seen = seen(Set(values.keys), in: engine, at: watch)
        watches[watch].wishes.append(
            UserRequest(request: request, seen: seen, restored: restoring ? (conflict.id, values) : nil))
        stepWatch(watch, .settle(request, conflict: conflict.id, restoring: restoring))
    }

    /// What the person at a watch knows of some cells: what is shown, and what the person has deleted.
    private func seen(_ keys: Set<CellKey>, in engine: WatchEngine, at watch: Int) -> [CellKey: VisibleCell] {
        let view = engine.view
        let known = keys.map { key -> (CellKey, VisibleCell?) in
            let own = lastOwnWrite(of: key, at: watch)
            return (key, view[key] ?? own.map { VisibleCell(value: $0.value, dot: $0.dot, isPending: true) })
        }
        return Dictionary(uniqueKeysWithValues: known).compactMapValues { $0 }
    }

    /// A watch stores something: if it is an edit, it is the oldest wish.
    mutating func noteWish(_ record: WatchEngine.Record, of watch: Int) {
        guard case .replica(let record) = record, case .added(let upload) = record.pending,
            case .edit(let edit) = upload.upload
        else { return }
        let wish = watches[watch].wishes.first
        fail(
            ClockChecker.finding(
                edit, of: watch, node: world.watches[watch].key.node,
                remembering: world.watches[watch].device.stored.replica))
        checks.edits.settles(edit, shown: world.watches[watch].engine?.snapshot)
        for (index, change) in edit.changes.enumerated() {
            // What the person did before, the person knows, although the store was still busy with it.
            let own = lastOwnWrite(of: change.key, at: watch)
            let shown = wish?.seen[change.key]
            checks.edits.add(
                edit.dot(of: index),
                EditChecker.Write(
                    author: watch, key: change.key, value: change.value,
                    seen: own?.dot ?? (wish == nil ? change.base : shown?.dot),
                    seenValue: own == nil ? (wish == nil ? change.seen : shown?.value) : own?.value,
                    edit: edit.id, isPromised: false, isForged: watch == hostile))
        }
    }

    private func lastOwnWrite(of key: CellKey, at watch: Int) -> (dot: RandomID, value: String?)? {
        for pending in world.watches[watch].engine?.replica.pending.reversed() ?? [] {
            guard case .edit(let edit) = pending.upload,
                let index = edit.changes.firstIndex(where: { $0.key == key })
            else { continue }
            return (edit.dot(of: index), edit.changes[index].value)
        }
        return nil
    }

    mutating func answered(_ request: RequestID, _ answer: WatchEngine.Answer, at watch: Int) {
        trace.mix(request.number)
        guard let place = watches[watch].wishes.firstIndex(where: { $0.request == request }) else {
            return fail(.answers, "request \(request.number) of watch \(watch) is answered a second time")
        }
        let wish = watches[watch].wishes.remove(at: place)
        switch answer {
        case .accepted(let edit):
            note(wish.restored == nil ? .editAccepted : .conflictRestoredByWatch)
            checks.edits.promised(edit)
            fail(accepted(edit, wish, at: watch))
        case .unchanged:
            note(.editUnchanged)
            declined("unchanged", at: Side(watch: watch, isHub: false))
        case .refused(.notStored): note(.editNotStored)
        case .refused(.unknownConflict): note(.editUnknownConflict)
        case .refused(let fault): fail(.boundedQueues, "watch \(watch) refuses an edit: \(fault)")
        }
    }

    private func accepted(_ edit: Edit, _ wish: UserRequest, at watch: Int) -> Checks.Finding? {
        let durable = world.watches[watch].device.stored.replica
        let isDurable =
            durable.pending.contains { $0.upload.id == edit.id } || durable.journal.contains { $0.id == edit.id }
        guard isDurable else {
            return Checks.Finding(.durabilityOrder, "watch \(watch) accepts an edit before it is durable")
        }
        guard let view = world.watches[watch].engine?.view else { return nil }
        // What stood as wanted when the person acted needed no edit, whatever came from the hub meanwhile.
        for (key, value) in wish.restored?.values ?? [:]
        where view[key]?.value != value && wish.seen[key]?.value != value {
            return Checks.Finding(.restorable, "watch \(watch) restores a value and does not show it")
        }
        return nil
    }

    // MARK: - What is shown

    /// Whether an input may change what a watch shows.
    func changesView(_ input: WatchEngine.Input) -> Bool {
        if case .persisted(.replica) = input { true } else { false }
    }

    /// The own values that a watch shows, and that the hub has not confirmed.
    func shownCells(_ watch: Int) -> [(key: CellKey, cell: VisibleCell)] {
        guard let engine = world.watches[watch].engine, !engine.pendingEdits.isEmpty else { return [] }
        return engine.view.pairs.filter(\.value.isPending).map { ($0.key, $0.value) }
    }

    /// An own value, once shown, only gives way to what the hub decided after it had taken it in.
    mutating func checkShown(_ watch: Int, _ before: [(key: CellKey, cell: VisibleCell)]) {
        guard watch != hostile, let engine = world.watches[watch].engine else { return }
        let view = engine.view
        let ledger = world.hub.stored.ledger
        // What a hub that was put back since had done, its history no longer tells.
        let isSameHistory = engine.snapshot.map { checks.versions.holds($0.version) } ?? false
        for (key, old) in before {
            let new = view[key]
            guard new?.dot != old.dot, !engine.pendingEdits.contains(where: { $0.changes.contains { $0.key == key } })
            else { continue }
            let isTaken = ledger.uploads.values.contains { $0.taken.contains(old.dot) }
            let isLogged =
                ledger.conflicts[old.dot] != nil || engine.snapshot?.conflicts[old.dot] != nil
                || checks.edits.isSettled(old.dot)
            let isKnown = checks.edits.effects.contains(old.dot) || isLogged || isTaken
            if !isKnown, isSameHistory {
                fail(
                    .readYourWrites,
                    "watch \(watch) lost its own \(checks.edits.name(old.dot)) before the hub had it")
            }
            guard let new, new.value != old.value, !checks.edits.hasForked, !isLogged, isSameHistory else { continue }
            if checks.edits.ancestors(of: old.dot).contains(new.dot) {
                let (new, old) = (checks.edits.name(new.dot), checks.edits.name(old.dot))
                fail(.noFlicker, "watch \(watch) shows \(new) again after its own \(old)")
            }
        }
    }

    // MARK: - Copies of a watch's store

    /// A watch's store is put back to an earlier copy, or to that of a life that went another way: a clone.
    mutating func restoreWatch(_ watch: Int, _ backup: SimulatedWatch.Backup) {
        occasions.note(.watchRolledBack)
        trace.line(
            now, .watch(watch), "is put back to \(backup.state.replica.snapshot?.version.traceText ?? "nothing")")
        let side = Side(watch: watch, isHub: false)
        let current = world.watches[watch].device.stored
        watches[watch].backUp(watchBackup(watch))
        world.restore(.watch(backup.state, files: backup.files), at: .watch(watch))
        _ = watches[watch].replaceFence(by: backup.state.replica.fence)
        world.tidyFiles(of: side, keeping: [])
        checks.arrivals.restored(side, to: backup.arrivals, holding: backup.state.transfers)
        checks.budgets.restored(side)
        checks.edits.watchRestored(
            from: current.replica, to: backup.state.replica, others: world.watches.map(\.device.stored.replica))
        checks.versions.restored(watch, to: backup.state.replica)
        checks.registers.restored(watch)
    }
}
