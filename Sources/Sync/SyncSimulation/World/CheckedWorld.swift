import SyncCore

/// The virtual world of a run with its observers: it passes on what happens to the checks and to the models of the
/// devices.
struct CheckedWorld {
    var world: DrawnWorld
    var record: RunRecord
    /// What the applications have made so far.
    var application: Application
    var frames = FrameObserver()
    /// What is kept of each device besides.
    var hub: SimulatedHub
    var watches: [SimulatedWatch]
    var transfers: SimulatedTransfers
    /// Whether the faults have ended for good.
    private(set) var areFaultsOver = false
    /// Whether the hub was just notified of a transaction, which may have unpaired a watch.
    private var hasHubLearned = false
    /// The plan whose time has just come.
    private var due: DrawnConditions.Plan?

    init(
        world: DrawnWorld, record: RunRecord, application: Application, hub: SimulatedHub, watches: [SimulatedWatch],
        transfers: SimulatedTransfers
    ) {
        self.world = world
        self.record = record
        self.application = application
        self.hub = hub
        self.watches = watches
        self.transfers = transfers
    }

    var now: Instant { world.now }
    var options: SimulationOptions { world.conditions.options }

    /// Whether something that was drawn happens.
    mutating func passes(_ kind: Occurrence.Kind, watch: Int? = nil, number: Int) -> Bool {
        world.conditions.lots.pass(kind, watch: watch, number: number)
    }

    /// The faults end.
    mutating func endFaults() {
        areFaultsOver = true
        world.conditions.options = options.withoutFaults
    }

    // MARK: - What happens

    /// Lets the next thing happen that is due; false if nothing is left.
    mutating func step() -> Bool {
        guard world.step(until: .distantFuture, passes: false) else { return false }
        record.reach(world.now)
        settle()
        return true
    }

    /// Takes the plan whose time has just come, nil if it was something else.
    mutating func takeDue() -> DrawnConditions.Plan? { due.take() }

    /// Lets the world do what is left to be done now, and handles all observations.
    mutating func settle() {
        while record.violation == nil, let observation = world.nextObservation() { look(at: observation) }
        guard hasHubLearned else { return }
        hasHubLearned = false
        forgetUnpaired()
    }

    private mutating func look(at observation: DrawnWorld.Observation) {
        switch observation {
        case .hubTakes(let input):
            hub.takes(input, world, &record)
            frames.hubTakes(input, world, record)
        case .watchTakes(let watch, let input): watches[watch].takes(input, world, &record)
        case .hubOutput(let output): look(at: output)
        case .watchOutput(let watch, let output): look(at: output, of: watch)
        case .hubRests:
            hub.rests(world, &record)
            frames.hubRests(&world, &record)
        case .watchRests(let watch, let input): if let input { watches[watch].rests(after: input, world, &record) }
        case .pairing(let watch, let action): look(at: action, of: watch)
        case .sends(let frame, let message): sends(frame, message)
        case .outcome(let outcome, let kind, _, let connection):
            frames.look(at: outcome, of: kind, on: connection, &record)
        case .arrives(let message): frames.arrives(message, &world, &record)
        case .arrived(let message): frames.handled(message, &world, &record)
        case .delays(let message): record.count(message.isToHub ? .lateMessageAtHub : .lateMessageAtWatch)
        case .slowWrite(.hub): record.count(.hubStoreSlow)
        case .slowWrite(.watch): record.count(.watchStoreSlow)
        case .hubWrote(let written, let isKept): hubWrote(written, isKept: isKept)
        case .watchWrote(let watch, let written, let isKept):
            guard isKept else { return record.count(.watchStoreFailed) }
            watches[watch].becameDurable(written, world, &record)
        case .hubStored(.group(let group), let isKept):
            hub.stored(group, isKept: isKept, world, &record)
            hasHubLearned = hasHubLearned || isKept
        case .hubStored(.transfer, _): break
        case .fileFails: record.note(.fileWorkFailed)
        case .connects(let watch, let connection): watches[watch].connects(connection, &record)
        case .handshakeWaits: record.count(.handshakeWaited)
        case .handshakeFails(let watch, let failure): handshakeFails(failure, of: watch)
        case .socketDenied: record.count(.socketShortage)
        case .hangsUp(let watch, _): hangsUp(watch)
        case .due(let plan): due = plan
        case .alarm, .lostPower: break
        }
    }

    private mutating func look(at output: HubEngine.Output) {
        record.line(.hub, "   -> \(output.traceText)")
        switch output {
        case .send(let frame, let name):
            frames.hubSends(frame, on: VirtualNetwork.connection(name), world, &record)
        case .persist(let group):
            for transaction in group {
                record.trace.mix(transaction.after)
                record.fail(record.checks.stamps(transaction))
            }
            if group.count > 1 { record.count(.groupStored) }
            record.checks.uploads.groupBegan()
        case .record(let peer, let stored):
            if let watch = world.watch(of: peer) { record.stores(stored, at: Side(watch: watch, isHub: true), world) }
        case .transfer(let peer, let output):
            guard let watch = world.watch(of: peer) else { break }
            transfers.look(at: output, of: Side(watch: watch, isHub: true), &world, &record)
        case .close: record.count(.connectionClosedByHub)
        case .admit(let keys):
            record.trace.mix(UInt64(keys.count))
            record.fail(record.checks.admits(keys, at: world.moment(at: .hub).monotonic))
        case .answer(let request, let answer): answered(request, answer)
        case .event(let event): hub.happened(event, world, &frames, &record)
        }
    }

    private mutating func look(at output: WatchEngine.Output, of watch: Int) {
        record.line(.watch(watch), "   -> \(output.traceText)")
        let side = Side(watch: watch, isHub: false)
        switch output {
        case .send(let frame): watches[watch].sends(frame, world, &frames, &record)
        case .reconnect: record.count(.watchReconnected)
        case .persist(let stored):
            watches[watch].stores(stored, world, &record)
            if case .transfer(let stored) = stored { record.stores(stored, at: side, world) }
        case .transfer(let output): transfers.look(at: output, of: side, &world, &record)
        case .answer(let request, let answer): watches[watch].answered(request, answer, world, &record)
        case .event(let event): watches[watch].happened(event, world, &frames, &record)
        }
    }

    private mutating func sends(_ frame: Frame, _ message: VirtualNetwork.Message) {
        frames.sends(frame, message, world, &record)
        let watch = world.watch(on: message)
        guard message.isToHub, options.replayRate > 0, watches[watch].role == .paired else { return }
        watches[watch].capture(message)
    }

    private mutating func handshakeFails(_ failure: ConnectionSupervisor.HandshakeFailure, of watch: Int) {
        let mark: CoverageMark =
            switch failure {
            case .denied: .dialNotAdmitted
            case .undecided: .handshakeUndecided
            case .brokenOff: .handshakeBrokenOff
            case .wrongAnswer: .handshakeWrongAnswer
            }
        record.count(mark)
        record.line(.watch(watch), "gets no connection: \(failure)")
    }

    private mutating func hangsUp(_ watch: Int) {
        // For long enough to see what happens to the bytes of files that have arrived.
        guard record.quiet.phase == .newSessions else { return }
        let until = now.advanced(by: .seconds(1))
        world.changeLink(of: watch) { $0.silence(toHub: true, toWatch: true, until: until) }
    }

    // MARK: - Requests

    /// The hub answered one of its application's requests.
    private mutating func answered(_ request: RequestID, _ answer: HubEngine.Answer) {
        record.trace.mix(request.number)
        if transfers.hubAnswers(request, answer, &record) { return }
        guard let invitation = hub.answered(request, answer, &record) else { return }
        for watch in invitation.watches {
            // A watch that is being paired, or that is paired and known, does not use another invitation.
            guard watches[watch].role == .idle || isForgotten(watch) else { continue }
            become(watch, .pairing(invitation: invitation.key))
        }
    }

    /// The application of the hub requests something.
    mutating func askHub(_ request: RequestID, for wanted: SimulatedHub.Request, _ input: HubEngine.Input) {
        hub.asked(request, for: wanted)
        give(input)
    }

    /// A request of the application of a side that has to be answered once.
    mutating func newRequest(at side: Side) -> RequestID {
        let request = application.nextRequest()
        transfers.asked(request, at: side)
        return request
    }

    /// The person at a watch changes cells.
    mutating func edit(_ changes: [CellChange], at watch: Int) {
        guard world.watches[watch].engine != nil else { return }
        let request = application.nextRequest()
        watches[watch].wants(changes, as: request, world)
        give(.edit(request, changes), to: watch)
    }

    /// The person at a watch restores a conflict, or dismisses it.
    mutating func settle(_ conflict: Conflict, isRestored: Bool, at watch: Int) {
        guard let snapshot = world.watches[watch].engine?.snapshot else { return }
        let request = application.nextRequest()
        watches[watch].wants(settled: conflict, isRestored: isRestored, in: snapshot, as: request, world)
        give(.settle(request, conflict: conflict.id, restoring: isRestored), to: watch)
    }

    /// The application of a side reacts to what its engine reported, if its process still runs.
    mutating func react(_ reaction: Reaction, at side: Side, run: Int) {
        guard run == world.run(of: side.device), world.hasEngine(side) else { return }
        switch reaction {
        case .consumeItem(let id): give(.exchange(.consumed(id)), to: side)
        case .consumeFile(let id):
            guard let held = world.heldFiles(side), held.received.contains(where: { $0.id == id }) else { return }
            give(.files(.consumed(id)), to: side)
            // If the store fails, the application has to repeat its input.
            world.plan(reaction, at: side, after: .seconds(3))
        case .takeResult(let id):
            guard let held = world.heldFiles(side), held.results.contains(where: { $0.id == id }) else { return }
            give(.files(.resultTaken(id)), to: side)
            world.plan(reaction, at: side, after: .seconds(3))
        case .reply(let id, let choice): reply(choice, to: id, at: side)
        }
    }

    private mutating func reply(_ choice: Reaction.ReplyChoice, to id: MessageID, at side: Side) {
        let request = newRequest(at: side)
        record.checks.messages.answers(id, at: side)
        switch choice {
        case .reply: give(.exchange(.reply(request, id, [1])), to: side)
        case .replyTooMuch:
            let byteCount = transfers.configuration.exchange.messageByteCountMax + 1
            give(.exchange(.reply(request, id, [UInt8](repeating: 0, count: byteCount))), to: side)
        case .decline: give(.exchange(.decline(request, id, .failed, text: "no")), to: side)
        }
    }

    // MARK: - Inputs

    /// Gives the hub's engine an input, and carries out its outputs.
    mutating func give(_ input: HubEngine.Input) {
        guard record.violation == nil else { return }
        world.give(input)
        settle()
    }

    /// Gives a watch's engine an input, and carries out its outputs.
    mutating func give(_ input: WatchEngine.Input, to watch: Int) {
        guard record.violation == nil else { return }
        world.give(input, to: watch)
        settle()
    }

    /// Gives the engine of a side an input, and carries out its outputs.
    mutating func give(_ input: TransferInput, to side: Side) {
        guard record.violation == nil else { return }
        world.give(input, to: side)
        settle()
    }

    // MARK: - The hub's process

    mutating func startHub() {
        guard world.hub.engine == nil else { return }
        world.start(.hub)
        hub.starts(world, &record)
        forgetUnpaired()
        settleStart()
        for register in application.newestRegisters { give(.publish(register)) }
    }

    /// Engines that start report again what their applications did not take.
    private mutating func settleStart() {
        transfers.isStarting = true
        settle()
        transfers.isStarting = false
    }

    /// Ends the hub's process; it starts again after a while, or if that is nil, on request.
    mutating func crashHub(downtime: Duration?) {
        guard world.hub.engine != nil else { return }
        record.count(.hubCrashed)
        record.line(.hub, "crashes")
        record.noteSuperseded(world.hub.engine)
        record.checks.isolation.forget()
        record.checks.uploads.forget()
        keepHubTail()
        if hub.isBehind(world) { record.count(.hubStoredUntold) }
        if world.stop(.hub) > 0 { record.count(.hubLostUnstored) }
        hub.ends()
        for watch in watches.indices { forgetProcess(of: Side(watch: watch, isHub: true)) }
        if let downtime { world.plan(.startHub, at: now.advanced(by: downtime + .milliseconds(1))) }
    }

    /// The hub crashes, and may find an earlier copy of its store when it starts.
    mutating func crashHub(_ crash: HubCrash) {
        crashHub(downtime: crash.downtime)
        let backups = crash.isRecent ? hub.backups.suffix(4) : hub.backups[...]
        guard crash.rollsBack, !backups.isEmpty else { return }
        let backup = backups[backups.endIndex - 1 - Int(crash.age % UInt64(backups.count))]
        guard backup.state.ledger.version != world.hub.stored.ledger.version,
            passes(.hubRollback, number: crash.number)
        else { return }
        record.count(.hubRolledBack)
        hub.restored(to: backup, &world, &record)
    }

    /// The process of a side ends, and with it its requests and what it knew of its peer.
    private mutating func forgetProcess(of side: Side) {
        transfers.processEnds(at: side, &world, &record)
        world.conditions.heard[side.index] = Instant(nanoseconds: .min)
        record.checks.reachability.forget(side)
    }

    private mutating func hubWrote(_ written: HubRecord, isKept: Bool) {
        guard isKept else { return record.count(.hubStoreFailed) }
        becameDurable(written)
        if !areFaultsOver, let crash = hub.takeCrash() { crashHub(crash) }
    }

    /// Some of what was not synced may be on the disk; the store finds it at its next start, and no engine was
    /// notified.
    private mutating func keepHubTail() {
        let disk = world.hub.device.disk
        let tail = world.conditions.hubDiskFaults.unsyncedTail(
            of: disk, chance: options.tailChance, lots: &world.conditions.lots)
        guard let tail else { return }
        if tail.isTorn { record.count(.hubTailTorn) }
        if tail.isReordered { record.count(.storeTailReordered) }
        for job in disk.jobs.prefix(tail.keptCount) {
            record.count(.hubTailKept)
            world.keepUnsynced(job.number, at: .hub)
            becameDurable(job.record)
        }
    }

    private mutating func becameDurable(_ written: HubRecord) {
        switch written {
        case .group(let group): hub.becameDurable(group, world, &record)
        case .transfer(let peer, let transfer):
            // A step that was under way when its watch was unpaired has no effect: the store keeps nothing of it.
            guard let watch = world.watch(of: peer), world.hub.stored.isPaired(peer) else { return }
            let held = world.hub.stored.transfers[peer] ?? TransferState()
            record.becameDurable(transfer, at: Side(watch: watch, isHub: true), holding: held)
        }
    }

    /// The exchange with watches that are no longer paired is over, on the hub's side.
    private mutating func forgetUnpaired() {
        for watch in watches.indices where !record.checks.isPaired(world.watches[watch].key) {
            let side = Side(watch: watch, isHub: true)
            // The budget may have been spent on items that were not reported, and parts may be of a file that never
            // arrived.
            record.checks.budgets.restored(side)
            record.checks.parts.forget(side)
            record.checks.messages.forgetReceived(at: side)
            guard record.checks.arrivals.isInUse(side) else { continue }
            record.checks.arrivals.forgot(side)
            transfers.processEnds(at: side, &world, &record)
            world.removeFiles(of: side)
        }
    }

    // MARK: - The watches' processes

    /// Whether a watch counts as paired at itself and not at the hub.
    func isForgotten(_ watch: Int) -> Bool {
        watches[watch].role == .paired && !record.checks.isPaired(world.watches[watch].key)
    }

    mutating func startWatch(_ watch: Int) {
        guard !world.watches[watch].isAlive else { return }
        switch watches[watch].role {
        case .idle: return
        case .pairing(let invitation): world.startPairing(watch, invitation: invitation)
        case .paired: world.start(.watch(watch))
        }
        watches[watch].forgetProcess()
        record.line(.watch(watch), "starts life \(world.run(of: .watch(watch))) as \(watches[watch].role)")
        record.trace.mix(2)
        guard world.watches[watch].engine != nil else { return settle() }
        record.fail(record.checks.watchStarted(watch, with: world.watches[watch].device.stored))
        settleStart()
    }

    /// Ends a watch's process; it starts again after a while, or if that is nil, on request.
    mutating func crashWatch(_ watch: Int, downtime: Duration?) {
        guard world.watches[watch].isAlive else { return }
        record.line(.watch(watch), "ends life \(world.run(of: .watch(watch)))")
        keepTail(of: watch)
        if world.stop(.watch(watch)) > 0 { record.count(.watchLostUnstored) }
        watches[watch].forgetProcess()
        forgetProcess(of: Side(watch: watch, isHub: false))
        if let downtime { world.plan(.startWatch(watch), at: now.advanced(by: downtime + .milliseconds(1))) }
    }

    /// As at the hub: what was not synced may be on the disk all the same.
    private mutating func keepTail(of watch: Int) {
        let disk = world.watches[watch].device.disk
        let tail = world.conditions.watchDiskFaults[watch].unsyncedTail(
            of: disk, chance: options.tailChance, lots: &world.conditions.lots)
        guard let tail else { return }
        if tail.isTorn { record.count(.watchTailTorn) }
        if tail.isReordered { record.count(.storeTailReordered) }
        for job in disk.jobs.prefix(tail.keptCount) {
            record.count(.watchTailKept)
            world.keepUnsynced(job.number, at: .watch(watch))
            watches[watch].becameDurable(job.record, world, &record)
        }
    }

    private mutating func look(at action: PairingClient.Action, of watch: Int) {
        record.countStep()
        switch action {
        case .send(let frame): record.line(.watch(watch), "   -> \(frame.traceText)")
        case .done:
            record.count(.pairingAnswered)
            become(watch, .paired)
        case .failed(let refusal):
            record.count(.pairingRefused)
            record.line(.watch(watch), "pairing refused: \(refusal.text)")
            become(watch, .idle)
        case .none: break
        }
    }

    /// Ends a watch's process and starts the one of its new role.
    private mutating func become(_ watch: Int, _ role: SimulatedWatch.Role) {
        let downtime = world.conditions.watchDraws[watch].duration(
            .process, world.run(of: .watch(watch)), upTo: .milliseconds(20))
        crashWatch(watch, downtime: downtime)
        watches[watch].role = role
        if !world.watches[watch].isAlive { world.plan(.startWatch(watch), at: now.advanced(by: .milliseconds(30))) }
    }
}
