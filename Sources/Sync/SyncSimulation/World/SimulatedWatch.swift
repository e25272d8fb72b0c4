import SyncCore

/// What a run keeps of a watch and of its person, outside of its device, and what it checks there.
struct SimulatedWatch {
    /// What the watch has to do with the hub; it remembers that in a crash.
    enum Role: Equatable {
        /// It was never invited.
        case idle
        /// It holds an invitation and wants to be paired.
        case pairing(invitation: PeerKey)
        /// It knows that it is paired.
        case paired
    }

    /// A copy of the store, and what the checks knew when it was made.
    struct Backup {
        var state: WatchEngine.State
        var files: SimulatedFiles
        var arrivals: ArrivalChecker.Arrivals
    }

    /// A request of the person that waits for its answer.
    private struct PendingRequest {
        let request: RequestID
        /// What the person saw of the cells that are to change.
        let seen: [CellKey: VisibleCell]
        /// The values of the edit to restore, if the request is to restore one.
        let restored: [CellKey: String?]?
    }

    /// The body of a credit that names nothing as missing.
    private static let creditOfAll = Array(#"{"missing":[]}"#.utf8)
    /// The copies of the store that are kept.
    private static let backupCountMax = 12

    let number: Int
    var role = Role.idle
    /// Whether a watch is ever restored, so that copies are worth keeping.
    private let keepsBackups: Bool
    /// The last messages that it sent with its own key, oldest first.
    private(set) var captured: [VirtualNetwork.Message] = []
    /// Copies of the store, oldest first; also of processes with another continuation, as a clone's.
    private(set) var backups: [Backup] = []
    /// The requests that wait for an answer, oldest first.
    private var pendingRequests: [PendingRequest] = []
    /// Whether this process has greeted on its connection, to count what it sends again.
    private var hasGreeted = false
    /// The fence of the store before the last record.
    private var formerFence: EpochFence
    /// Its own values that it showed before the input that it is given.
    private var shown: [(key: CellKey, cell: VisibleCell)] = []

    init(number: Int, fence: EpochFence, keepsBackups: Bool) {
        self.number = number
        self.keepsBackups = keepsBackups
        formerFence = fence
    }

    private var side: Side { Side(watch: number, isHub: false) }

    private func device(_ world: DrawnWorld) -> VirtualWatch { world.watches[number] }

    // MARK: - The process

    /// Its process starts, or ends.
    mutating func forgetProcess() {
        hasGreeted = false
        pendingRequests = []
    }

    /// It has a connection.
    mutating func connects(_ connection: Int, _ record: inout RunRecord) {
        record.line(.watch(number), "has connection \(connection)")
        record.checks.reachability.connected(number, now: record.now)
        hasGreeted = false
    }

    /// Remembers a message that it sent.
    mutating func capture(_ message: VirtualNetwork.Message) {
        if captured.count == 64 { captured.removeFirst(32) }
        captured.append(message)
    }

    // MARK: - Inputs and outputs

    mutating func takes(_ input: WatchEngine.Input, _ world: DrawnWorld, _ record: inout RunRecord) {
        record.countStep()
        record.line(.watch(number), "<- \(input.traceText)")
        if case .persisted(.replica) = input { shown = ownCells(world) } else { shown = [] }
    }

    func rests(after input: WatchEngine.Input, _ world: DrawnWorld, _ record: inout RunRecord) {
        if case .disconnected = input { record.fail(record.checks.messages.sessionEnded(side)) }
        if !shown.isEmpty { checkShown(world, &record) }
        guard let engine = device(world).engine else { return }
        record.fail(record.checks.bounds(of: engine, watch: number))
        guard number != record.hostile else { return }
        record.fail(record.checks.reachability.finding(number, link: engine.linkState, now: record.now))
    }

    mutating func sends(
        _ frame: Frame, _ world: DrawnWorld, _ frames: inout FrameObserver, _ record: inout RunRecord
    ) {
        record.fail(record.checks.watchSends(frame, durable: device(world).device.stored))
        frames.sends(frame, at: side, world, &record)
        if frame.kind == .hello {
            if hasGreeted { record.count(.greetedAgain) }
            hasGreeted = true
        }
        if frame.kind == .credit, frame.body != Self.creditOfAll { record.count(.creditNamedMissing) }
    }

    func happened(
        _ event: WatchEngine.Event, _ world: DrawnWorld, _ frames: inout FrameObserver, _ record: inout RunRecord
    ) {
        if case .linkChanged(let link) = event {
            if link == .linked {
                record.checks.parts.sessionBegan(side)
            } else {
                record.checks.parts.sessionEnded(side, now: record.now)
            }
        }
        switch event {
        case .linkChanged(.linked):
            record.note(.watchLinked)
            // An attacker who forges a greeting of the watch gets its answer.
            if number != record.hostile { record.fail(record.checks.reachability.calledUp(number)) }
        case .linkChanged(.lost): record.note(.watchLost)
        case .linkChanged(.refused): record.note(.watchRefused)
        case .linkChanged(.waiting): break
        case .snapshotChanged(let snapshot):
            record.note(.snapshotShown)
            record.trace.mix(snapshot.version)
            if record.checks.isNewEpoch(snapshot.version.epoch, for: number) { record.note(.watchFollowedNewEpoch) }
            record.fail(record.checks.shows(number, snapshot, durable: device(world).device.stored))
        case .registerChanged(let register):
            record.note(.registerShown)
            record.trace.mix(register.order)
            let epoch = device(world).engine?.registers[register.key]?.epoch
            record.fail(record.checks.shows(number, register, epoch: epoch))
        case .dropped(.foreignSession): record.note(.watchDroppedForeignSession)
        case .dropped(.old(.context)): record.note(.watchDroppedOldContext)
        case .dropped(.old(.register)), .dropped(.old(.registers)): record.note(.watchDroppedOldRegister)
        case .dropped(.old(.welcome)): record.note(.watchDroppedOldWelcome)
        case .dropped(.fault): frames.dropped(&record)
        case .editsConfirmed(let edits):
            for edit in edits { record.note(edit.rule == nil ? .editConfirmed : .editLost) }
        case .dropped, .hubForked, .notStored: break
        }
    }

    // MARK: - Requests

    /// Whether all requests were answered.
    var hasAllAnswers: Bool { pendingRequests.isEmpty }

    /// The person requests some changes.
    mutating func wants(_ changes: [CellChange], as request: RequestID, _ world: DrawnWorld) {
        guard let engine = device(world).engine else { return }
        let seen = seen(Set(changes.map(\.key)), in: engine)
        pendingRequests.append(PendingRequest(request: request, seen: seen, restored: nil))
    }

    /// The person requests that a conflict be settled which the snapshot shows.
    mutating func wants(
        settled conflict: Conflict, isRestored: Bool, in snapshot: Snapshot, as request: RequestID, _ world: DrawnWorld
    ) {
        guard let engine = device(world).engine else { return }
        let together = snapshot.conflicts.values.filter { $0.edit == conflict.edit }
        let values = Dictionary(together.map { ($0.key, $0.loser.value) }, uniquingKeysWith: { $1 })
        let seen = seen(Set(values.keys), in: engine)
        pendingRequests.append(PendingRequest(request: request, seen: seen, restored: isRestored ? values : nil))
    }

    /// What the person knows of some cells: what is shown, and what the person has deleted.
    private func seen(_ keys: Set<CellKey>, in engine: WatchEngine) -> [CellKey: VisibleCell] {
        let view = engine.view
        let known = keys.map { key -> (CellKey, VisibleCell?) in
            let own = Self.lastOwnWrite(of: key, in: engine)
            return (key, view[key] ?? own.map { VisibleCell(value: $0.value, dot: $0.dot, isPending: true) })
        }
        return Dictionary(uniqueKeysWithValues: known).compactMapValues { $0 }
    }

    private static func lastOwnWrite(of key: CellKey, in engine: WatchEngine?) -> (dot: RandomID, value: String?)? {
        for pending in engine?.replica.pending.reversed() ?? [] {
            guard case .edit(let edit) = pending.upload,
                let index = edit.changes.firstIndex(where: { $0.key == key })
            else { continue }
            return (edit.dot(of: index), edit.changes[index].value)
        }
        return nil
    }

    /// It stores something: if that is an edit, it is that of the oldest request.
    func stores(_ stored: WatchEngine.Record, _ world: DrawnWorld, _ record: inout RunRecord) {
        guard case .replica(let replica) = stored else { return }
        if number != record.hostile, let engine = device(world).engine {
            record.fail(SalvageChecker.finding(replica, remembering: engine.replica, at: number))
        }
        guard case .added(let upload) = replica.pending,
            case .edit(let edit) = upload.upload
        else { return }
        let (pending, watch) = (pendingRequests.first, device(world))
        record.fail(
            ClockChecker.finding(
                edit, of: number, node: watch.key.node, remembering: watch.device.stored.replica))
        record.checks.edits.settles(edit, shown: watch.engine?.snapshot)
        for (index, change) in edit.changes.enumerated() {
            // The person knows his own earlier edits, although the store was still busy with them.
            let own = Self.lastOwnWrite(of: change.key, in: watch.engine)
            let shown = pending?.seen[change.key]
            record.checks.edits.add(
                edit.dot(of: index),
                EditChecker.Write(
                    author: number, key: change.key, value: change.value,
                    seen: own?.dot ?? (pending == nil ? change.base : shown?.dot),
                    seenValue: own == nil ? (pending == nil ? change.seen : shown?.value) : own?.value,
                    edit: edit.id, isPromised: false, isForged: number == record.hostile))
        }
    }

    mutating func answered(
        _ request: RequestID, _ answer: WatchEngine.Answer, _ world: DrawnWorld, _ record: inout RunRecord
    ) {
        record.trace.mix(request.number)
        guard let place = pendingRequests.firstIndex(where: { $0.request == request }) else {
            return record.fail(.answers, "request \(request.number) of watch \(number) is answered a second time")
        }
        let pending = pendingRequests.remove(at: place)
        switch answer {
        case .accepted(let edit):
            record.note(pending.restored == nil ? .editAccepted : .conflictRestoredByWatch)
            record.checks.edits.promised(edit)
            record.fail(accepted(edit, pending, world))
        case .unchanged:
            record.note(.editUnchanged)
            record.declined("unchanged", at: side)
        case .refused(.notStored): record.note(.editNotStored)
        case .refused(.unknownConflict): record.note(.editUnknownConflict)
        case .refused(let fault): record.fail(.boundedQueues, "watch \(number) refuses an edit: \(fault)")
        }
    }

    private func accepted(_ edit: Edit, _ pending: PendingRequest, _ world: DrawnWorld) -> Checks.Finding? {
        let durable = device(world).device.stored.replica
        let isDurable =
            durable.pending.contains { $0.upload.id == edit.id } || durable.journal.contains { $0.id == edit.id }
        guard isDurable else {
            return Checks.Finding(.durabilityOrder, "watch \(number) accepts an edit before it is durable")
        }
        guard let view = device(world).engine?.view else { return nil }
        // What already was as requested when the person acted needed no edit, whatever came from the hub meanwhile.
        for (key, value) in pending.restored ?? [:]
        where view[key]?.value != value && pending.seen[key]?.value != value {
            return Checks.Finding(.restorable, "watch \(number) restores a value and does not show it")
        }
        return nil
    }

    // MARK: - What is shown

    /// The own values that it shows, and that the hub has not confirmed.
    private func ownCells(_ world: DrawnWorld) -> [(key: CellKey, cell: VisibleCell)] {
        guard let engine = device(world).engine, !engine.pendingEdits.isEmpty else { return [] }
        return engine.view.pairs.filter(\.value.isPending).map { ($0.key, $0.value) }
    }

    /// An own value, once shown, is only replaced by what the hub decided after it had received the edit.
    private func checkShown(_ world: DrawnWorld, _ record: inout RunRecord) {
        guard number != record.hostile, let engine = device(world).engine else { return }
        let (view, checks) = (engine.view, record.checks)
        let ledger = world.hub.stored.ledger
        // The history of a hub that was restored since does not contain what the hub had done.
        let isSameHistory = engine.snapshot.map { checks.versions.holds($0.version) } ?? false
        for (key, old) in shown {
            let new = view[key]
            guard new?.dot != old.dot, !engine.pendingEdits.contains(where: { $0.changes.contains { $0.key == key } })
            else { continue }
            let isTaken = ledger.uploads.values.contains { $0.taken.contains(old.dot) }
            let isLogged =
                ledger.conflicts[old.dot] != nil || engine.snapshot?.conflicts[old.dot] != nil
                || checks.edits.isSettled(old.dot)
            let isKnown = checks.edits.effects.contains(old.dot) || isLogged || isTaken
            if !isKnown, isSameHistory {
                record.fail(
                    .readYourWrites,
                    "watch \(number) lost its own \(checks.edits.name(old.dot)) before the hub had it")
            }
            guard let new, new.value != old.value, !checks.edits.hasForked, !isLogged, isSameHistory else { continue }
            if checks.edits.ancestors(of: old.dot).contains(new.dot) {
                let (new, old) = (checks.edits.name(new.dot), checks.edits.name(old.dot))
                record.fail(.noFlicker, "watch \(number) shows \(new) again after its own \(old)")
            }
        }
    }

    // MARK: - The disk

    /// A record is durable.
    mutating func becameDurable(_ stored: WatchEngine.Record, _ world: DrawnWorld, _ record: inout RunRecord) {
        let state = device(world).device.stored
        record.fail(HistoryChecker.finding(number, from: formerFence, to: state.replica.fence))
        formerFence = state.replica.fence
        switch stored {
        case .replica(let replica):
            if replica.movesSnapshot { record.checks.edits.seen(state.replica, by: number) }
            if replica.delta != nil {
                record.note(.deltaStored)
                record.fail(record.checks.versions.stored(state.replica.snapshot, byDeltaAt: number))
            }
        case .registers: record.fail(record.checks.watchStored(number, state))
        case .transfer(let transfer): record.becameDurable(transfer, at: side, holding: state.transfers)
        }
        if keepsBackups { backUp(world, record.checks.arrivals[side]) }
    }

    /// Keeps a copy of the store.
    private mutating func backUp(_ world: DrawnWorld, _ arrivals: ArrivalChecker.Arrivals) {
        if backups.count == Self.backupCountMax { backups.removeFirst() }
        backups.append(
            Backup(state: device(world).device.stored, files: world.files[side], arrivals: arrivals))
    }

    /// A copy of the store replaces it, perhaps that of a process with another continuation: a clone.
    mutating func restore(_ backup: Backup, _ world: inout DrawnWorld, _ record: inout RunRecord) {
        record.count(.watchRolledBack)
        record.line(
            .watch(number), "is put back to \(backup.state.replica.snapshot?.version.traceText ?? "nothing")")
        let current = device(world).device.stored
        backUp(world, record.checks.arrivals[side])
        world.restore(.watch(backup.state, files: backup.files), at: .watch(number))
        formerFence = backup.state.replica.fence
        world.tidyFiles(of: side, keeping: [])
        record.checks.arrivals.restored(side, to: backup.arrivals, holding: backup.state.transfers)
        record.checks.budgets.restored(side)
        record.checks.edits.watchRestored(
            from: current.replica, to: backup.state.replica, others: world.watches.map(\.device.stored.replica))
        record.checks.versions.restored(number, to: backup.state.replica)
        record.checks.registers.restored(number)
    }
}

extension VirtualWatch {
    /// A watch that does not run yet, drawn by what a run allows.
    init(number: Int, options: SimulationOptions, transfers: TransferConfiguration, streams: SplitMix64) {
        var draws = streams.stream(2)
        let clock = SimulatedClock(options: options, draws: &draws)
        var state = WatchEngine.State(newIncarnation: RandomID(using: &draws))
        var aging = streams.stream(4)
        if aging.chance(options.agedChance) {
            let count = EpochFence.abandonedCountMax - aging.below(2)
            state.replica.fence = EpochFence(abandoned: (0..<count).map { _ in Epoch(number: aging.next()) })
        }
        // Some watches are of versions without deltas.
        var habits = streams.stream(5)
        let key = PeerKey.simulated(kind: 1, number: UInt64(number), draw: draws.next())
        var configuration = WatchEngine.Configuration(
            name: "watch \(number)", app: nil, schemaVersions: 1...1, window: draws.pick([1, 2, 4, 16, 64]),
            node: key.node, transfers: transfers, takesDeltas: !habits.chance(0.25))
        // Every third watch, the first one among them, is of a version that takes one register value a frame.
        configuration.takesRegisters = !number.isMultiple(of: 3)
        self.init(
            device: VirtualDevice(stored: state, clock: clock), configuration: configuration, key: key)
    }
}
