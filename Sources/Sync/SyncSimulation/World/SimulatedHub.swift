import SyncCore

/// What a run keeps of the hub outside of its device, and what it checks there.
struct SimulatedHub {
    /// A request to the hub.
    enum Request {
        /// A change of cells, or of something else that has a version to expect; nil if it expects none.
        case change(expected: Version?)
        /// A conflict is to be settled; nil for one that does not exist.
        case settling(Conflict?, isRestored: Bool)
        case unpairing
        /// An invitation, with its key and the watches that will get it.
        case invitation(PeerKey, watches: [Int])

        fileprivate var expected: Version? {
            switch self {
            case .change(let expected): expected
            case .settling, .unpairing, .invitation: nil
            }
        }
    }

    /// A copy of the store, and what the checks knew when it was made.
    struct Backup {
        var state: HubMemory
        var history: VersionChecker.Point?
        /// The writes that had taken effect.
        var effects: Set<RandomID>
        /// By watch, what its store of files held and what had arrived from it.
        var files: [SimulatedFiles]
        var arrivals: [ArrivalChecker.Arrivals]
    }

    /// The copies of the store that are kept.
    private static let backupCountMax = 20

    /// Whether the hub is ever restored from a copy of its store, so that copies are worth keeping.
    private let keepsBackups: Bool
    /// Copies of the store, oldest first; also of histories that were lost since.
    private(set) var backups: [Backup] = []
    /// A crash that waits for the next transaction to become durable.
    private var crashAtNextStore: HubCrash?
    /// The requests that wait for an answer since the start.
    private var requests: [UInt64: Request] = [:]
    /// The state that the engine knows as durable; behind its disk while the notification is on its way.
    private var confirmed: LedgerState
    /// What the store held before the last record.
    private var former: LedgerState
    /// The states between the transactions of the last group that became durable.
    private var within: [LedgerState] = []
    /// The sides whose session has just ended.
    private var endedSessions: [Side] = []

    init(ledger: LedgerState, keepsBackups: Bool) {
        self.keepsBackups = keepsBackups
        confirmed = ledger
        former = ledger
    }

    // MARK: - The process

    /// A process starts with what is durable.
    mutating func starts(_ world: DrawnWorld, _ record: inout RunRecord) {
        confirmed = world.hub.stored.ledger
        requests = [:]
        crashAtNextStore = nil
        record.line(.hub, "starts life \(world.hub.device.run) at revision \(confirmed.version.revision)")
        record.trace.mix(1)
        record.checks.hubStarted(confirmed, at: world.moment(at: .hub))
    }

    /// The process ends.
    mutating func ends() {
        requests = [:]
        crashAtNextStore = nil
    }

    /// Whether something is durable of which the engine was not notified.
    func isBehind(_ world: DrawnWorld) -> Bool { world.hub.stored.ledger.version != confirmed.version }

    /// Lets the process crash as soon as the next transaction is durable.
    mutating func plan(_ crash: HubCrash) { crashAtNextStore = crash }

    /// Takes the crash that waits for a durable transaction, if there is one.
    mutating func takeCrash() -> HubCrash? { crashAtNextStore.take() }

    // MARK: - Inputs and outputs

    func takes(_ input: HubEngine.Input, _ world: DrawnWorld, _ record: inout RunRecord) {
        if case .unroutable = input { record.count(.connectionUnroutable) }
        record.countStep()
        record.line(.hub, "<- \(input.traceText)")
        record.checks.clock.looked(at: world.moment(at: .hub).wallMilliseconds)
    }

    mutating func rests(_ world: DrawnWorld, _ record: inout RunRecord) {
        for side in endedSessions { record.fail(record.checks.messages.sessionEnded(side)) }
        endedSessions = []
        if let engine = world.hub.engine { record.fail(record.checks.bounds(of: engine)) }
    }

    mutating func happened(
        _ event: HubEngine.Event, _ world: DrawnWorld, _ frames: inout FrameObserver, _ record: inout RunRecord
    ) {
        switch event {
        case .dropped(_, let drop):
            record.checks.uploads.refused()
            if case .fault = drop { frames.dropped(&record) }
            if case .notHeard = drop { frames.droppedUnseen() }
        case .uploadsContradicted(let peer):
            record.checks.uploads.refused()
            if let watch = world.watch(of: peer) { record.quiet.contradicts(watch) }
        case .linked(let peer, _):
            if let watch = world.watch(of: peer) { record.checks.parts.sessionBegan(Side(watch: watch, isHub: true)) }
        case .unlinked(let peer, _, _):
            guard let watch = world.watch(of: peer) else { break }
            endedSessions.append(Side(watch: watch, isHub: true))
            record.checks.parts.sessionEnded(Side(watch: watch, isHub: true), now: record.now)
        case .conflictsFull(let peer):
            if let watch = world.watch(of: peer) { record.checks.windows.uploadsWait(of: watch) }
        case .conflicted(let conflicts):
            for conflict in conflicts { record.note(CoverageMark(conflict.rule)) }
        case .acknowledged, .paired, .refused, .committed, .uploadsTaken, .clockSuspect, .forked, .duplicateWatch,
            .cutOff, .registerRefused, .notStored:
            break
        }
        if let mark = CoverageMark(event) { record.note(mark) }
    }

    // MARK: - Requests

    mutating func asked(_ request: RequestID, for wanted: Request) { requests[request.number] = wanted }

    /// The first request that was not answered yet.
    var unanswered: UInt64? { requests.keys.min() }

    /// The hub has answered a request of its application; returns the invitation that is valid now, if it is one.
    mutating func answered(
        _ request: RequestID, _ answer: HubEngine.Answer, _ record: inout RunRecord
    ) -> (key: PeerKey, watches: [Int])? {
        let wanted = requests.removeValue(forKey: request.number)
        if case .settling(let conflict?, let isRestored) = wanted {
            settled(conflict, isRestored: isRestored, answer, &record)
        }
        if case .done = answer, case .unpairing = wanted { record.count(.watchUnpaired) }
        let wasNothing = record.checks.isLastAnswer(answer)
        if let mark = CoverageMark(answer, wasNothing: wasNothing) { record.note(mark) }
        if case .refused(let fault) = answer { record.fail(record.quiet.hubDeclines(fault)) }
        record.fail(record.checks.answers(request, answer, expected: wanted.map(\.expected)))
        guard case .done = answer, case .invitation(let key, let watches) = wanted else { return nil }
        return (key, watches)
    }

    /// The hub has settled a conflict: a value that had to be restored is the current one now.
    private func settled(
        _ conflict: Conflict, isRestored: Bool, _ answer: HubEngine.Answer, _ record: inout RunRecord
    ) {
        guard case .done(let version) = answer, let confirmed = record.checks.confirmed else { return }
        record.count(isRestored ? .conflictRestoredByHub : .conflictPutAside)
        // Later transactions of the same group may have written the cell again.
        let result = within.first { $0.version == version } ?? confirmed
        if result.conflicts[conflict.id] != nil { record.fail(.restorable, "a conflict is settled and open") }
        if isRestored, result.cells[conflict.key]?.value != conflict.loser.value {
            record.fail(.restorable, "a value was put back and does not stand")
        }
    }

    // MARK: - The disk

    /// A group of transactions is durable.
    mutating func becameDurable(_ group: [Transaction], _ world: DrawnWorld, _ record: inout RunRecord) {
        let stored = world.hub.stored
        let authors = world.authors(record.hostile)
        within = []
        for (position, transaction) in group.enumerated() {
            let before = former
            // What the store holds between the transactions of a group follows from them; what it holds after them is
            // what the store says.
            if position == group.count - 1 {
                former = stored.ledger
            } else {
                former.apply(transaction)
                within.append(former)
            }
            record.fail(record.checks.becameDurable(former, schema: Application.schema))
            record.fail(HistoryChecker.finding(transaction, from: before, to: former))
            record.fail(record.checks.uploads.took(transaction, after: before))
            record.fail(record.checks.edits.tookEffect(transaction, after: before, authors: authors))
        }
        guard keepsBackups else { return }
        if backups.count == Self.backupCountMax { backups.removeFirst() }
        let sides = world.watches.indices.map { Side(watch: $0, isHub: true) }
        backups.append(
            Backup(
                state: stored, history: record.checks.versions.point, effects: record.checks.edits.effects,
                files: sides.map { world.files[$0] }, arrivals: sides.map { record.checks.arrivals[$0] }))
    }

    /// The engine is about to be notified of the result of a group of transactions.
    mutating func stored(
        _ group: [Transaction], isKept: Bool, _ world: DrawnWorld, _ record: inout RunRecord
    ) {
        record.checks.uploads.groupEnded()
        guard isKept else { return }
        for transaction in group { confirmed.apply(transaction) }
        record.checks.hubLearned(confirmed, at: world.moment(at: .hub))
        record.checks.isolation.committed(to: world.watches.map(\.key), now: record.now)
    }

    /// A copy has replaced the store.
    mutating func restored(to backup: Backup, _ world: inout DrawnWorld, _ record: inout RunRecord) {
        record.line(.hub, "is put back to \(backup.state.ledger.version.traceText)")
        world.restore(.hub(backup.state, files: backup.files), at: .hub)
        former = backup.state.ledger
        record.checks.versions.replace(by: backup.history)
        record.checks.edits.hubRestored(backup.effects)
        for watch in world.watches.indices {
            let side = Side(watch: watch, isHub: true)
            let held = world.transferState(of: side)
            world.tidyFiles(of: side, keeping: [])
            record.checks.arrivals.restored(side, to: backup.arrivals[watch], holding: held)
            record.checks.budgets.restored(side)
        }
    }
}

extension VirtualDevice<HubEngine, HubMemory> {
    /// A hub that does not run yet, drawn by what a run allows.
    init(options: SimulationOptions, streams: SplitMix64) {
        var draws = streams.stream(2)
        let clock = SimulatedClock(options: options, draws: &draws)
        var state = LedgerState(newEpoch: Epoch(number: draws.next()))
        var aging = streams.stream(4)
        if aging.chance(options.agedChance), aging.chance(0.25) {
            for _ in 0..<LedgerState.lineageCountMax - aging.below(3) { state.lineage[Epoch(number: aging.next())] = 0 }
        }
        self.init(stored: HubMemory(ledger: state), clock: clock)
    }
}
