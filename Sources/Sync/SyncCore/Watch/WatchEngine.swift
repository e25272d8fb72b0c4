/// The watch's half of the engine: it keeps the newest snapshot and registers across restarts and lost links.
///
/// As with ``HubEngine``, drain ``nextOutput()`` until it returns nil after each ``handle(_:at:)``.
public struct WatchEngine: Sendable {
    private let configuration: Configuration
    private var link: WatchLink
    private var replicaMachine: ReplicaStateMachine
    private var uploads = UploadSender()
    /// The hub's last reason not to take in the next upload.
    private var obstacle: Conflict.Rule?
    private var transfers: Transfers
    /// The session in which transfers are active, nil without one.
    private var transferSession: UInt64?
    private var cache: RegisterCache
    private var live: LiveReceiver
    private var fence: EpochFence
    private var generator: SplitMix64
    /// The hub's last wall clock time; nil until the hub sends one after the watch started.
    public private(set) var hubTime: HubTime?
    private var shownLink = Link.waiting
    private var outputs: [Output] = []
    private var nextOutputIndex = 0

    /// Starts a watch.
    ///
    /// Items and files that the application has not consumed yet are reported again, so drain the outputs.
    ///
    /// - Parameters:
    ///   - configuration: What never changes while the watch runs.
    ///   - state: What its store holds.
    ///   - seed: 64 random bits, different at each start.
    public init(configuration: Configuration, state: State, seed: UInt64) {
        precondition((1...1024).contains(configuration.window), "a window of \(configuration.window), not of 1…1024")
        precondition(configuration.name.utf8.count <= 256, "a name of more than 256 bytes: \(configuration.name)")
        self.configuration = configuration
        link = WatchLink()
        let replica = Replica(state: state.replica, node: configuration.node)
        replicaMachine = ReplicaStateMachine(replica, schema: configuration.schemaVersions.upperBound)
        cache = RegisterCache(state.registers)
        live = LiveReceiver(window: configuration.window)
        fence = state.replica.fence
        generator = SplitMix64(seed: seed)
        transfers = Transfers(
            configuration: configuration.transfers, state: state.transfers, seed: generator.next())
        let outputs = transfers.outputs()
        perform(outputs)
    }

    // MARK: - The driver's side

    /// Handles an input.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained: \(input)")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        let now = moment.monotonic
        switch input {
        case .connected: perform(link.connected(now: now, nonce: generator.next()))
        case .disconnected: disconnected()
        case .received(let parts): received(parts, at: moment)
        case .persisted(let record): persisted(record, at: moment)
        case .persistFailed(let record, let reason): persistFailed(record, reason: reason, at: moment)
        case .edit(let request, let changes):
            perform(
                replicaMachine.requested(.change(changes), by: request, mergeContext(moment), &generator), at: moment)
        case .settle(let request, let conflict, let restoring):
            let edit = ReplicaStateMachine.EditRequest.settle(conflict: conflict, restoring: restoring)
            perform(replicaMachine.requested(edit, by: request, mergeContext(moment), &generator), at: moment)
        case .transfer(let input): perform(transfers.handle(input, at: moment))
        case .retry: retry(now: now)
        case .farewell: sendGoodbye(at: moment)
        case .timeReached: break
        }
        perform(link.deadlineReached(now: now, nonce: generator.next()))
        giveCredit(now: now)
        upload(now: now)
        flush(now: now, early: false)
        serveTransfers(at: moment)
        showLink()
    }

    private var hasOutput: Bool { nextOutputIndex < outputs.count }

    /// The next output; nil when all were taken.
    public mutating func nextOutput() -> Output? {
        guard hasOutput else { return nil }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    /// The latest time for the next ``Input/timeReached``.
    public var nextDeadline: Instant? {
        var deadline = earlier(earlier(link.deadline, cache.deadline), transfers.nextDeadline)
        guard link.session != nil else { return deadline }
        deadline = earlier(deadline, live.deadline)
        return replicaMachine.mayUpload ? earlier(deadline, uploads.deadline) : deadline
    }

    /// Whether the hub answers and nothing is under way: only heartbeats are due, for as long as nothing else happens.
    package var isResting: Bool {
        guard let session = link.session, session.isAnswered, !hasOutput else { return false }
        let deadlines = [cache.deadline, transfers.nextDeadline, live.deadline]
        return deadlines.allSatisfy { $0 == nil } && (!replicaMachine.mayUpload || uploads.deadline == nil)
    }

    // MARK: - The application's side

    /// The snapshot that is durable and shown; nil before the first.
    public var snapshot: Snapshot? { replicaMachine.replica.state.snapshot }

    /// The cells as the person sees them: the snapshot with the person's pending edits on top.
    public var view: SortedMap<CellKey, VisibleCell> { replicaMachine.replica.view }

    /// The person's edits that the hub has not confirmed yet, in order.
    public var pendingEdits: [Edit] { replicaMachine.replica.pendingEdits }

    /// The user info that the hub has not acknowledged yet, oldest first.
    public var outstandingItems: [OutstandingItem] { transfers.outstanding }

    /// The durable state of the transfers with the hub.
    public var transferState: TransferState { transfers.state }

    /// Why the hub does not take in the pending edits and salvage, according to its last receipt; nil if nothing
    /// blocks them.
    ///
    /// It is ``Conflict/Rule/logFull`` or ``Conflict/Rule/shareFull``; the uploads go on when conflicts are settled.
    public var uploadObstacle: Conflict.Rule? { replica.pending.isEmpty ? nil : obstacle }

    /// Everything that the watch remembers of the configuration.
    public var replica: ReplicaState { replicaMachine.replica.state }

    /// The newest values by key.
    public var registers: SortedMap<String, HeldRegister> { cache.registers }

    /// The epochs that the watch has seen.
    public var epochs: EpochFence { fence }

    /// The state of the link.
    public var linkState: Link {
        switch link.state {
        case .open: .linked
        case .refused(let refusal, _): .refused(refusal)
        case .down, .greeting: link.lastAnswer.map { .lost(lastAnswer: $0) } ?? .waiting
        }
    }

    // MARK: - Frames

    private mutating func received(_ parts: [[UInt8]], at moment: Moment) {
        do throws(FrameError) {
            let frame = try FrameCodec.frame(of: parts)
            switch frame.kind {
            case .welcome: welcomed(try Welcome(frame), session: frame.session, at: moment)
            case .refuse: try refused(frame, now: moment.monotonic)
            case .pong, .context, .register, .registers, .message, .reply, .messageError, .item, .itemAcknowledged,
                .offer, .pull, .chunk, .done, .abort:
                try receivedInSession(frame, at: moment)
            case .bye: if frame.session == link.session?.id { perform(.reconnect) }
            case .hello, .ping, .credit, .pair, .paired, .contextAcknowledged, .upload:
                drop(.wrongDirection(frame.kind))
            }
        } catch {
            drop(.fault(error))
        }
    }

    private mutating func welcomed(_ welcome: Welcome, session: UInt64, at moment: Moment) {
        let now = moment.monotonic
        guard link.welcomed(welcome, session: session, now: now) else { return drop(.old(.welcome)) }
        live = LiveReceiver(window: configuration.window)
        hubTime = HubTime(milliseconds: welcome.hubMilliseconds, at: now)
        uploads.reset()
        perform(replicaMachine.sessionOpened(welcome.uploads, mergeContext(moment), &generator), at: moment)
        closeTransfers(at: moment)
        transferSession = session
        perform(transfers.sessionOpened(session, peer: welcome.items, at: moment))
    }

    // MARK: - Transfers

    private mutating func serveTransfers(at moment: Moment) {
        if transferSession != nil, transferSession != link.session?.id { closeTransfers(at: moment) }
        guard let deadline = transfers.nextDeadline, deadline <= moment.monotonic else { return }
        perform(transfers.timeReached(at: moment))
    }

    private mutating func closeTransfers(at moment: Moment) {
        guard transferSession != nil else { return }
        transferSession = nil
        perform(transfers.sessionClosed(at: moment))
    }

    private mutating func perform(_ outputs: [TransferOutput]) {
        for output in outputs {
            if let frame = output.frame {
                put(.send(frame))
            } else if output == .exchange(.endSession) {
                perform(.reconnect)
            } else if let record = output.record {
                put(.persist(.transfer(record)))
            } else {
                put(.transfer(output))
            }
        }
    }

    private mutating func refused(_ frame: Frame, now: Instant) throws(FrameError) {
        let refusal = try Refusal(frame)
        let nonce = try Refusal.nonce(frame)
        guard link.refused(refusal, nonce: nonce, session: frame.session, now: now) else {
            return drop(.old(.refuse))
        }
    }

    private mutating func disconnected() {
        link.disconnected()
        uploads.reset()
    }

    private mutating func receivedInSession(_ frame: Frame, at moment: Moment) throws(FrameError) {
        let now = moment.monotonic
        guard frame.session == link.session?.id else { return drop(.foreignSession) }
        switch frame.kind {
        case .pong:
            let pong = try Pong(frame)
            guard let roundTrip = link.pongReceived(pong, now: now) else { return }
            hubTime = HubTime(
                milliseconds: pong.hubMilliseconds &+ roundTrip.wholeNanoseconds / 2_000_000, at: now)
        case .context:
            received(try ContextFrame(frame), at: moment)
        case .message, .reply, .messageError, .item, .itemAcknowledged, .offer, .pull, .chunk, .done, .abort:
            perform(transfers.received(frame, at: moment))
        case .register:
            let (register, epoch) = try Register.read(frame)
            received([register], of: epoch, frame, now: now)
        case .registers:
            let (registers, epoch) = try RegisterBatch.read(frame)
            received(registers, of: epoch, frame, now: now)
        case .hello, .welcome, .refuse, .ping, .bye, .credit, .pair, .paired, .contextAcknowledged, .upload:
            // `received(_:at:)` handles these kinds before it calls this function.
            break
        }
    }

    private mutating func received(_ context: ContextFrame, at moment: Moment) {
        let epoch = context.version.epoch
        // Only a whole snapshot leads to another epoch.
        guard context.snapshot != nil || epoch == fence.current else { return drop(.foreignBase) }
        guard passes(epoch) else {
            put(.event(.hubForked(epoch)))
            return drop(.old(.context))
        }
        // The receipt counts even if the snapshot is not new: the hub sends one for the receipt alone.
        let isOurs = context.receipt?.incarnation == replicaMachine.replica.state.incarnation
        obstacle = isOurs ? context.receipt?.obstacle : nil
        perform(replicaMachine.received(context, mergeContext(moment), &generator), at: moment)
    }

    private mutating func received(_ registers: [Register], of epoch: Epoch, _ frame: Frame, now: Instant) {
        // A register of a history that is over does not count as arrived: the hub sends it again in the new one.
        guard passes(epoch) else { return drop(.old(frame.kind)) }
        for (offset, register) in registers.enumerated() {
            let isNew = live.arrived(frame.sequence + UInt64(offset), now: now)
            if isNew, cache.take(register, of: epoch, now: now) {
                put(.event(.registerChanged(register)))
            } else {
                drop(.old(frame.kind))
            }
        }
    }

    /// Whether the watch may accept something of an epoch; it follows the epoch if it is new.
    private mutating func passes(_ epoch: Epoch) -> Bool {
        fence.pass(epoch) != .abandoned
    }

    // MARK: - The store

    /// Whether something is being stored that a greeting says.
    private var isStoringPosition: Bool { replicaMachine.isStoringPosition || transfers.isStoringPosition }

    private mutating func persisted(_ record: Record, at moment: Moment) {
        let wasStoringPosition = isStoringPosition
        switch record {
        case .replica(let record):
            perform(replicaMachine.persisted(record, mergeContext(moment), &generator), at: moment)
        case .registers(_, let fence):
            cache.flushed()
            replicaMachine.followed(fence)
        case .transfer(let record):
            perform(transfers.handle(record.persisted, at: moment))
        }
        if wasStoringPosition { greetIfWaiting(at: moment) }
    }

    private mutating func persistFailed(_ record: Record, reason: String, at moment: Moment) {
        put(.event(.notStored(reason)))
        let wasStoringPosition = isStoringPosition
        switch record {
        case .replica:
            perform(replicaMachine.persistFailed(reason: reason, mergeContext(moment), &generator), at: moment)
            if !replicaMachine.mayUpload, !replicaMachine.isStoringPosition, link.session != nil {
                // The new numbering could not be stored: the next session compares again.
                perform(.reconnect)
            }
        case .registers(let registers, _):
            cache.flushFailed(registers, now: moment.monotonic)
        case .transfer(let record):
            perform(transfers.handle(record.failed(reason: reason), at: moment))
        }
        if wasStoringPosition { greetIfWaiting(at: moment) }
    }

    /// Sends the greeting that had to wait for the store.
    private mutating func greetIfWaiting(at moment: Moment) {
        guard link.isGreeting, !isStoringPosition else { return }
        perform(link.connected(now: moment.monotonic, nonce: generator.next()))
    }

    private func mergeContext(_ moment: Moment) -> ReplicaStateMachine.Context {
        ReplicaStateMachine.Context(wallMilliseconds: moment.wallMilliseconds, fence: fence)
    }

    private mutating func perform(_ actions: [ReplicaStateMachine.Action], at moment: Moment) {
        for action in actions {
            switch action {
            case .store(let record): put(.persist(.replica(record)))
            case .old: drop(.old(.context))
            case .foreignBase: drop(.foreignBase)
            case .acknowledge(let version): acknowledge(version)
            case .answer(let request, let answer): put(.answer(request, answer))
            case .held(let snapshot, let confirmed):
                put(.event(.snapshotChanged(snapshot)))
                if !confirmed.isEmpty { put(.event(.editsConfirmed(confirmed))) }
                acknowledge(snapshot.version)
            }
        }
    }

    private mutating func acknowledge(_ version: Version) {
        if let session = link.session { put(.send(version.acknowledgement(session: session.id))) }
    }

    private mutating func upload(now: Instant) {
        guard let session = link.session, replicaMachine.mayUpload,
            let batch = uploads.next(replicaMachine.replica.state, now: now)
        else { return }
        put(.send(batch.frame(session: session.id)))
    }

    private mutating func flush(now: Instant, early: Bool) {
        let changed = cache.flush(now: now, early: early)
        if !changed.isEmpty { put(.persist(.registers(changed, fence))) }
    }

    // MARK: - The link

    private mutating func perform(_ action: WatchLink.Action) {
        switch action {
        case .greet(let nonce):
            // The hub relies on what the greeting says that the watch holds, so that must not change after the
            // greeting.
            guard !isStoringPosition else { return }
            replicaMachine.greeted()
            let wire = UInt32(FrameCodec.wireMajor)
            let hello = Hello(
                nonce: nonce, wire: wire...wire, schema: configuration.schemaVersions, name: configuration.name,
                app: configuration.app, epoch: fence.current, known: snapshot?.version,
                knownRecords: snapshot?.records ?? 0, items: transfers.positions,
                window: configuration.window, takesDeltas: configuration.takesDeltas,
                takesRegisters: configuration.takesRegisters)
            put(.send(hello.frame))
        case .ping(let ping, let session):
            put(.send(ping.frame(session: session)))
        case .reconnect:
            disconnected()
            put(.reconnect)
        case .none:
            break
        }
    }

    private mutating func giveCredit(now: Instant) {
        guard let session = link.session, let credit = live.credit(now: now) else { return }
        put(.send(credit.frame(session: session.id)))
    }

    private mutating func retry(now: Instant) {
        guard link.session == nil else { return }
        perform(.reconnect)
    }

    private mutating func sendGoodbye(at moment: Moment) {
        if let session = link.session { put(.send(Frame(kind: .bye, session: session.id))) }
        link.disconnected()
        flush(now: moment.monotonic, early: true)
        perform(transfers.ending(at: moment))
    }

    private mutating func showLink() {
        let current = linkState
        guard current != shownLink else { return }
        shownLink = current
        put(.event(.linkChanged(current)))
    }

    private mutating func drop(_ reason: Drop) {
        put(.event(.dropped(reason)))
    }

    private mutating func put(_ output: Output) {
        outputs.append(output)
    }
}
