/// A watch's half of the engine: it keeps the newest snapshot and registers, across restarts and lost links.
///
/// The one rule is that of ``HubEngine``: after each ``handle(_:at:)`` drain ``nextOutput()`` until it returns nil.
public struct WatchEngine: Sendable {
    private let configuration: Configuration
    private var link = WatchLink()
    private var context: ContextReceiver
    private var cache: RegisterCache
    private var live: LiveReceiver
    private var fence: EpochFence
    private var generator: SplitMix64
    private var hubTime: (milliseconds: Int64, at: Instant)?
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
        self.configuration = configuration
        context = ContextReceiver(held: state.snapshot)
        cache = RegisterCache(state.registers)
        live = LiveReceiver(window: configuration.window)
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
        case .persisted(let record): persisted(record)
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

    /// The hub's wall clock in milliseconds since 1970, nil before the hub told it in this life of the watch.
    ///
    /// It runs on the watch's monotonic clock, so a jump of the watch's own wall clock does not matter.
    public func hubMilliseconds(at now: Instant) -> Int64? {
        hubTime.map { $0.milliseconds + $0.at.duration(to: now).wholeNanoseconds / 1_000_000 }
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
        live = LiveReceiver(window: configuration.window)
        hubTime = (welcome.hubMilliseconds, now)
    }

    private mutating func refused(_ frame: Frame, now: Instant) throws(FrameFault) {
        let refusal = try Refusal(frame)
        let nonce = try Refusal.nonce(frame)
        guard link.refused(refusal, nonce: nonce, session: frame.session, now: now) else {
            return drop(.old(.refuse))
        }
    }

    private mutating func receivedInSession(_ frame: Frame, now: Instant) throws(FrameFault) {
        guard frame.session == link.session?.id else { return drop(.foreignSession) }
        switch frame.kind {
        case .pong:
            let pong = try Pong(frame)
            guard let roundTrip = link.ponged(pong, now: now) else { return }
            hubTime = (pong.hubMilliseconds + roundTrip.wholeNanoseconds / 2_000_000, now)
        case .context:
            received(try Snapshot(frame), session: frame.session)
        default:
            let register = try Register(frame)
            received(register, of: try Register.epoch(frame), number: frame.sequence, now: now)
        }
    }

    private mutating func received(_ snapshot: Snapshot, session: UInt64) {
        guard fence.pass(snapshot.version.epoch) != .abandoned else {
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
        guard live.arrived(number, now: now) else { return drop(.old(.register)) }
        guard fence.pass(epoch) != .abandoned, cache.take(register, of: epoch, now: now) else {
            return drop(.old(.register))
        }
        put(.event(.registerChanged(register)))
    }

    // MARK: - The store

    private mutating func persisted(_ record: Record) {
        guard case .snapshot(let snapshot, _) = record else { return }
        let next = context.persisted()
        put(.event(.snapshotChanged(snapshot)))
        if let session = link.session { put(.send(snapshot.version.acknowledgement(session: session.id))) }
        if let next { put(.persist(.snapshot(next, fence))) }
    }

    private mutating func persistFailed(_ record: Record, reason: String, now: Instant) {
        put(.event(.notStored(reason)))
        switch record {
        case .snapshot:
            if let next = context.persistFailed() { put(.persist(.snapshot(next, fence))) }
        case .registers(let registers, _):
            cache.flushFailed(registers, now: now)
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
            let wire = UInt32(FrameCodec.wireMajor)
            let hello = Hello(
                nonce: nonce, wire: wire...wire, schema: configuration.schemaVersions, name: configuration.name,
                known: context.held?.version, window: configuration.window)
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
