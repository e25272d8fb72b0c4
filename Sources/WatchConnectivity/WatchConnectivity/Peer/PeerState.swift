package import SyncCore

/// One device's half of a pairing: what lies between an app's session and the link, and outlives the app.
///
/// It is pure: after the start and after each ``handle(_:at:)``, drain ``nextOutput()`` until it returns nil.
///
///     the session ── calls ──▶ ┌───────────┐ ── requests ──▶ the engine ──▶ the other device
///                              │ Companion │
///     the delegate ◀─ calls ── └───────────┘ ◀─── events ─── the engine ◀── the other device
///                                    │ records
///                                  a disk
///
/// Each lane has its own file: the status of the devices, contexts, messages, user info, files. All of them meet in the
/// delivery, which calls the app with one thing at a time.
package struct PeerState: Sendable {
    package let configuration: Configuration

    // MARK: The machine

    var moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0)
    var generator: SplitMix64
    private var outputs: [Output] = []
    private var nextOutputIndex = 0
    private var lastTag: UInt64 = 0
    /// What follows from the answers that the engine owes.
    private var asked: [EngineTag: @Sendable (inout PeerState, TransferAnswer?) -> Void] = [:]
    private var lastRecord: UInt64 = 0
    /// What follows once a record is durable, or is known not to be.
    private var storing: [UInt64: @Sendable (inout PeerState, Bool) -> Void] = [:]
    /// What the disk did not take, and nobody can be refused for: it is tried again.
    private var unstored: [String: [UInt8]?] = [:]
    private(set) var storeRetryAt: Instant?
    /// Whether the engine's driver is about to end, or has: then no transfer is handed over before the next one runs.
    private(set) var isEngineEnding = false

    // MARK: The device and the app

    var device: DeviceSide
    var appState = AppState.notRunning
    /// Whether the process has high priority in the background; it ends with the process.
    var hasPriority = false
    var endedProcessCount: UInt64 = 0
    var activation = WCSessionActivationState.notActivated

    // MARK: The lanes

    var contexts: ContextQueue
    var messages = MessageQueue()
    var infos: UserInfoQueue
    var files: FileQueue
    var budget: ComplicationBudget
    var drops: CancellationQueue
    var desk: DelegateCallQueue
    var backgroundTime = BackgroundTime()

    /// Starts a companion.
    ///
    /// - Parameters:
    ///   - configuration: What it is told once.
    ///   - stored: What its store holds, by key.
    ///   - holdings: What the engine's store holds at the same time.
    ///   - seed: 64 random bits of this life.
    package init(configuration: Configuration, stored: [String: [UInt8]], holdings: Holdings, seed: UInt64) {
        self.configuration = configuration
        generator = SplitMix64(seed: seed)
        device = DeviceSide(stored)
        contexts = ContextQueue(stored)
        infos = UserInfoQueue(stored)
        files = FileQueue(stored)
        budget = ComplicationBudget(stored)
        drops = CancellationQueue(stored)
        desk = DelegateCallQueue(seed: configuration.behaviour.drainOrderSeed)
        if let version = contexts.received?.version, version != contexts.givenVersion {
            let pending = ContextQueue.Pending(ticket: desk.nextTicket(), arrival: contexts.received)
            if let pending { contexts.inbox.append(pending) }
        }
        if contexts.incarnation == nil { contexts.incarnation = RandomID(using: &generator) }
        desk.noticed = facts
        reconcile(holdings)
    }

    var role: Role { configuration.role }

    var behaviour: SessionBehaviour { configuration.behaviour }

    // MARK: - Inputs

    /// Takes in what happened.
    package mutating func handle(_ input: Input, at moment: Moment) {
        beginTurn(at: moment)
        timeReached()
        switch input {
        case .activate(let hasDelegate): activate(hasDelegate: hasDelegate)
        case .delegateSet: desk.isDelegateGone = false
        case .leave: leave()
        case .delivered(let id, let handling): delivered(id, handling)
        case .reply(let id, let payload): reply(payload, to: id)
        case .appState(let state): appBecomes(state)
        case .priority(let hasPriority): priorityBecomes(hasPriority)
        case .backgroundTaskCompleted: backgroundTaskCompleted()
        case .send(let token, let live, let hasErrorHandler, let hasDelegate):
            send(live, as: token, hasErrorHandler: hasErrorHandler, hasDelegate: hasDelegate)
        case .updateContext(let payload, let hasDelegate): updateContext(payload, hasDelegate: hasDelegate)
        case .transferUserInfo(let id, let payload, let isComplication, let hasDelegate):
            transferUserInfo(id, payload, isComplication: isComplication, hasDelegate: hasDelegate)
        case .transferFile(let id, let path, let metadata, let copy, let hasDelegate):
            transferFile(id, path: path, metadata: metadata, copy: copy, hasDelegate: hasDelegate)
        case .cancel(let id): cancel(id)
        case .link(let isOpen): linkBecomes(isOpen: isOpen)
        case .paired(let isPaired): pairingBecomes(isPaired)
        case .installed(let isInstalled): installationBecomes(isInstalled)
        case .complication(let isEnabled): complicationBecomes(isEnabled: isEnabled)
        case .locked(let isLocked): lockBecomes(isLocked)
        case .watchOnly(let isWatchOnly): watchOnlyBecomes(isWatchOnly)
        case .engineAnswered(let tag, let answer): asked.removeValue(forKey: tag)?(&self, answer)
        case .engineEvent(.exchange(let event)): exchangeTells(event)
        case .engineEvent(.files(let event)): filesTell(event)
        case .engineEnding: isEngineEnding = true
        case .engineStarted(let holdings):
            isEngineEnding = false
            reconcile(holdings)
        case .fileCopied(let id, let copied): fileCopied(id, copied)
        case .fileNotCopied(let id, let code): fileNotCopied(id, code)
        case .persisted(let record): storing.removeValue(forKey: record.number)?(&self, true)
        case .persistFailed(let record, let reason):
            warn("the disk did not take \(record.changes.map(\.key).joined(separator: ", ")): \(reason)")
            storing.removeValue(forKey: record.number)?(&self, false)
        case .timeReached: break
        }
        notice()
        pump()
        deliverNext()
    }

    /// Begins to take something in.
    mutating func beginTurn(at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "something happened before the outputs were drained")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        self.moment = moment
        budget.look(at: moment, behaviour)
    }

    private mutating func exchangeTells(_ event: Exchange.Event) {
        switch event {
        case .itemReceived(let item): received(item)
        case .itemDelivered(let id): itemDelivered(id)
        case .itemsLost(_, let numbers):
            warn("the other device was restored and lost user info that it had: numbers \(numbers)")
        case .messageReceived(let message): received(message)
        case .dropped(let drop): note(.link("a frame was dropped: \(drop)"))
        case .notStored(let reason): warn("the engine's disk did not take a record: \(reason)")
        }
    }

    /// What is due by the time alone.
    private mutating func timeReached() {
        statusTimeReached()
        messagesTimeReached()
        backgroundTimeReached()
    }

    /// Hands on what can go now.
    private mutating func pump() {
        storeAgain()
        sendStatus()
        sendContext()
        sendMessages()
        handOverInfos()
        handOverFiles()
        sendDrops()
    }

    // MARK: - Outputs

    /// The next thing to do, nil when all is done.
    package mutating func nextOutput() -> Output? {
        guard nextOutputIndex < outputs.count else {
            outputs = []
            nextOutputIndex = 0
            return nil
        }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    mutating func put(_ output: Output) {
        outputs.append(output)
    }

    /// Makes changes durable; `then` runs when they are, or with false when they are not.
    mutating func store(_ changes: [StoredChange], then: @escaping @Sendable (inout PeerState, Bool) -> Void) {
        lastRecord += 1
        storing[lastRecord] = then
        for change in changes { unstored[change.key] = nil }
        put(.persist(Record(number: lastRecord, changes: changes)))
    }

    /// Makes changes durable, sooner or later; `then` runs if they are so at once.
    mutating func store(
        _ changes: [StoredChange], thenIfDurable then: @escaping @Sendable (inout PeerState) -> Void = { _ in }
    ) {
        store(changes) { me, isDurable in
            guard !isDurable else { return then(&me) }
            for change in changes { me.unstored[change.key] = .some(change.value) }
            me.storeRetryAt = me.moment.monotonic.advanced(by: .seconds(1))
        }
    }

    /// Tries again what the disk did not take.
    private mutating func storeAgain() {
        guard let due = storeRetryAt, due <= moment.monotonic else { return }
        storeRetryAt = nil
        guard !unstored.isEmpty else { return }
        store(unstored.sorted { $0.key < $1.key }.map { StoredChange(key: $0.key, value: $0.value) })
    }

    /// Asks the engine; `then` runs with its answer, nil if its driver ended.
    mutating func ask(
        _ request: EngineRequest, then: @escaping @Sendable (inout PeerState, TransferAnswer?) -> Void
    ) {
        lastTag += 1
        let tag = EngineTag(number: lastTag)
        asked[tag] = then
        put(.engine(tag, request))
    }

    /// Tells the engine what it does not answer.
    mutating func tell(_ request: EngineRequest) {
        lastTag += 1
        put(.engine(EngineTag(number: lastTag), request))
    }

    /// Writes a line of the trace, if there is one.
    mutating func note(_ event: @autoclosure () -> TraceEvent) {
        guard configuration.isTraced else { return }
        put(.trace(event()))
    }

    /// Points out what a developer should look at.
    mutating func warn(_ text: String) {
        put(.trace(.warning(text)))
    }
}
