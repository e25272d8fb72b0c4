/// A watch's half of the engine: it keeps the newest snapshot and registers, across restarts and lost links.
///
/// The one rule is that of ``HubEngine``: after each ``handle(_:at:)`` drain ``nextOutput()`` until it returns nil.
public struct WatchEngine: Sendable {
    private let configuration: Configuration
    private var link: WatchLink
    private var context: ContextReceiver
    private var cache: RegisterCache
    private var live: LiveReceiver
    private var fence: EpochFence
    private var generator: SplitMix64
    private let flaws: DesignFlaws
    /// What the hub's wall clock showed last, nil before the hub told it in this life of the watch.
    public private(set) var hubTime: HubTime?
    private var shownLink = Link.waiting
    private var outputs: [Output] = []
    private var nextOutputIndex = 0

    /// Starts a watch.
    ///
    /// - Parameters:
    ///   - configuration: What the watch is told once.
    ///   - state: What its store holds.
    ///   - seed: 64 random bits of this life.
    public init(configuration: Configuration, state: State, seed: UInt64) {
        self.init(configuration: configuration, state: state, seed: seed, flaws: [])
    }

    package init(configuration: Configuration, state: State, seed: UInt64, flaws: DesignFlaws) {
        precondition((1...1024).contains(configuration.window), "a window of \(configuration.window), not of 1…1024")
        precondition(configuration.name.utf8.count <= 256, "a name of more than 256 bytes: \(configuration.name)")
        self.configuration = configuration
        self.flaws = flaws
        link = WatchLink(flaws: flaws)
        context = ContextReceiver(held: state.snapshot, flaws: flaws)
        cache = RegisterCache(state.registers, flaws: flaws)
        live = LiveReceiver(window: configuration.window, flaws: flaws)
        fence = state.fence
        generator = SplitMix64(seed: seed)
    }

    // MARK: - The driver's side

    /// Takes in what happened.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained: \(input)")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        let now = moment.monotonic
        switch input {
        case .connected: perform(link.connected(now: now, nonce: generator.next()))
        case .disconnected: link.disconnected()
        case .received(let parts): received(parts, now: now)
        case .persisted(let record): persisted(record, now: now)
        case .persistFailed(let record, let reason): persistFailed(record, reason: reason, now: now)
        case .retry: retry(now: now)
        case .farewell: sayFarewell(now: now)
        case .timeReached: break
        }
        perform(link.deadlineReached(now: now, nonce: generator.next()))
        giveCredit(now: now)
        flush(now: now, early: false)
        showLink()
    }

    /// The next thing to do, nil when all is done.
    public mutating func nextOutput() -> Output? {
        guard nextOutputIndex < outputs.count else { return nil }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    /// When to come back at the latest with ``Input/timeReached``.
    public var nextDeadline: Instant? {
        [link.deadline, link.session == nil ? nil : live.deadline, cache.deadline].compactMap(\.self).min()
    }

    // MARK: - The application's side

    /// The snapshot that is durable and shown, nil before the first.
    public var snapshot: Snapshot? { context.held }

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

    private mutating func received(_ parts: [[UInt8]], now: Instant) {
        do throws(FrameFault) {
            let frame = try FrameCodec.frame(of: parts)
            switch frame.kind {
            case .welcome: welcomed(try Welcome(frame), session: frame.session, now: now)
            case .refuse: try refused(frame, now: now)
            case .pong, .context, .register: try receivedInSession(frame, now: now)
            case .bye: if frame.session == link.session?.id { perform(.reconnect) }
            case .hello, .ping, .credit, .pair, .paired, .contextAcknowledged:
                drop(.wrongDirection(frame.kind))
            }
        } catch {
            drop(.fault(error))
        }
    }

    private mutating func welcomed(_ welcome: Welcome, session: UInt64, now: Instant) {
        guard link.welcomed(welcome, session: session, now: now) else { return drop(.old(.welcome)) }
        live = LiveReceiver(window: configuration.window, flaws: flaws)
        hubTime = HubTime(milliseconds: welcome.hubMilliseconds, at: now)
    }

    private mutating func refused(_ frame: Frame, now: Instant) throws(FrameFault) {
        let refusal = try Refusal(frame)
        let nonce = try Refusal.nonce(frame)
        guard link.refused(refusal, nonce: nonce, session: frame.session, now: now) else {
            return drop(.old(.refuse))
        }
    }

    private mutating func receivedInSession(_ frame: Frame, now: Instant) throws(FrameFault) {
        guard frame.session == link.session?.id || flaws.contains(.watchIgnoresSessions) else {
            return drop(.foreignSession)
        }
        switch frame.kind {
        case .pong:
            let pong = try Pong(frame)
            guard let roundTrip = link.ponged(pong, now: now) else { return }
            hubTime = HubTime(
                milliseconds: pong.hubMilliseconds &+ roundTrip.wholeNanoseconds / 2_000_000, at: now)
        case .context:
            received(try Snapshot(frame), session: frame.session)
        default:
            let register = try Register(frame)
            received(register, of: try Register.epoch(frame), number: frame.sequence, now: now)
        }
    }

    private mutating func received(_ snapshot: Snapshot, session: UInt64) {
        guard passes(snapshot.version.epoch) else {
            put(.event(.hubForked(snapshot.version.epoch)))
            return drop(.old(.context))
        }
        switch context.received(snapshot) {
        case .store(let snapshot): put(.persist(.snapshot(snapshot, fence)))
        case .acknowledge(let version): put(.send(version.acknowledgement(session: session)))
        case .none: drop(.old(.context))
        }
    }

    private mutating func received(_ register: Register, of epoch: Epoch, number: UInt64, now: Instant) {
        // What belongs to a history that is over does not count as arrived: the hub sends it again in the new one.
        guard passes(epoch), live.arrived(number, now: now),
            cache.take(register, of: epoch, now: now)
        else { return drop(.old(.register)) }
        put(.event(.registerChanged(register)))
    }

    /// Whether the watch may take something of an epoch; it follows an epoch that is new.
    private mutating func passes(_ epoch: Epoch) -> Bool {
        fence.pass(epoch) != .abandoned || flaws.contains(.watchIgnoresLeftEpochs)
    }

    // MARK: - The store

    private mutating func persisted(_ record: Record, now: Instant) {
        switch record {
        case .snapshot(let snapshot, _):
            let next = context.persisted()
            put(.event(.snapshotChanged(snapshot)))
            if let session = link.session { put(.send(snapshot.version.acknowledgement(session: session.id))) }
            store(next, now: now)
        case .registers:
            cache.flushed()
        }
    }

    private mutating func persistFailed(_ record: Record, reason: String, now: Instant) {
        put(.event(.notStored(reason)))
        switch record {
        case .snapshot:
            store(context.persistFailed(), now: now)
        case .registers(let registers, _):
            cache.flushFailed(registers, now: now)
        }
    }

    /// Stores the snapshot that waited for the one before, or sends the greeting that waited for the store.
    private mutating func store(_ next: Snapshot?, now: Instant) {
        if let next {
            put(.persist(.snapshot(next, fence)))
        } else if link.isGreeting, !flaws.contains(.watchGreetsWhileStoring) {
            perform(link.connected(now: now, nonce: generator.next()))
        }
    }

    private mutating func flush(now: Instant, early: Bool) {
        let changed = cache.flush(now: now, early: early)
        if !changed.isEmpty { put(.persist(.registers(changed, fence))) }
    }

    // MARK: - The link

    private mutating func perform(_ action: WatchLink.Action) {
        switch action {
        case .greet(let nonce):
            // The hub builds on what the greeting says that the watch holds, so that must not change behind its back.
            guard !context.isStoring || flaws.contains(.watchGreetsWhileStoring) else { return }
            let wire = UInt32(FrameCodec.wireMajor)
            let hello = Hello(
                nonce: nonce, wire: wire...wire, schema: configuration.schemaVersions, name: configuration.name,
                epoch: fence.current, known: context.held?.version, window: configuration.window)
            put(.send(hello.frame))
        case .ping(let ping, let session):
            put(.send(ping.frame(session: session)))
        case .reconnect:
            link.disconnected()
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

    private mutating func sayFarewell(now: Instant) {
        if let session = link.session { put(.send(Frame(kind: .bye, session: session.id))) }
        link.disconnected()
        flush(now: now, early: true)
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
