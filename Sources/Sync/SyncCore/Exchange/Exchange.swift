/// One side of what two devices send each other beside the configuration: user info in both directions, complication
/// items among it, and live messages with replies.
///
/// Both sides are alike; a hub has one exchange for each watch. The one rule is that of ``HubEngine``: after each
/// ``handle(_:at:)``, and after the start, drain ``nextOutput()`` until it returns nil.
///
/// What must be durable goes into one record at a time; what comes up while a record is being stored waits for the next
/// one, so a slow store gets fewer and larger records. A record that cannot be stored takes nothing with it that was
/// accepted: its requests are declined, what arrived is sent again by the peer, and the rest is tried again. The file
/// `Exchange+Store.swift` begins with a drawing of that.
public struct Exchange: Sendable {
    /// The time after which a store that failed is tried again for what no application waits for.
    static let retryAfter = Duration.seconds(1)
    /// The time for which acknowledgements and consumptions may wait for a record that is written anyway.
    static let lazyAfter = Duration.milliseconds(100)

    let configuration: Configuration
    let flaws: DesignFlaws
    /// What is durable.
    public internal(set) var state: State
    /// What became of frames since the start.
    public internal(set) var counts = Counts()
    var generator: SplitMix64
    var session: UInt64?
    var senders: PerTrack<ItemSender>
    var receiver: ItemReceiver
    var owesAcknowledgement = PerTrack(urgent: false, ordinary: false)
    /// The tracks on which an item overtook the next one, until the peer is told.
    var isMissingNext = PerTrack(urgent: false, ordinary: false)
    /// The number after which an item was last called missing in this session.
    var complainedAfter: PerTrack<UInt64?> = PerTrack(urgent: nil, ordinary: nil)
    /// Since when the wall clock has been behind the day of the budget, as far as this life has looked.
    var behindSince: Instant?
    var book = PersistenceQueue()
    var sentMessages: MessageSender
    var receivedMessages: MessageReceiver
    private var outputs: [Output] = []
    private var nextOutputIndex = 0

    /// Starts an exchange; items that arrived and were not consumed are told again first.
    ///
    /// - Parameters:
    ///   - configuration: What the exchange is told once.
    ///   - state: What its store holds.
    ///   - seed: 64 random bits of this life.
    public init(configuration: Configuration, state: State, seed: UInt64) {
        self.init(configuration: configuration, state: state, seed: seed, flaws: [])
    }

    package init(configuration: Configuration, state: State, seed: UInt64, flaws: DesignFlaws) {
        precondition((0...262_144).contains(configuration.itemByteCountMax), "items of no sensible size")
        precondition((0...524_288).contains(configuration.messageByteCountMax), "messages of no sensible size")
        precondition(configuration.inboxByteCountMax >= configuration.itemByteCountMax, "an inbox smaller than an item")
        self.configuration = configuration
        self.flaws = flaws
        self.state = state
        generator = SplitMix64(seed: seed)
        senders = PerTrack(
            urgent: ItemSender(state.outboxes.urgent), ordinary: ItemSender(state.outboxes.ordinary))
        receiver = ItemReceiver(
            countMax: configuration.inboxCountMax, byteCountMax: configuration.inboxByteCountMax, flaws: flaws)
        sentMessages = MessageSender(countMax: configuration.messageCountMax, flaws: flaws)
        receivedMessages = MessageReceiver(countMax: configuration.messageCountMax, flaws: flaws)
        guard !flaws.contains(.itemsForgetInbox) else { return }
        for item in state.inbox.items { put(.event(.itemReceived(item))) }
    }

    // MARK: - The engine's side

    /// Takes in what happened.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained: \(input)")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        let now = moment.monotonic
        // What is over is over before anything else, so that no reply comes after its deadline.
        deadlineReached(now: now)
        switch input {
        case .sessionOpened(let number, let peer): sessionOpened(number, peer: peer)
        case .sessionClosed: sessionClosed()
        case .received(let frame): received(frame, now: now)
        case .transfer(let request, let transfer): self.transfer(transfer, for: request)
        case .cancel(let request, let id): cancel(id, for: request)
        case .consumed(let id): consumed(id)
        case .message(let request, let message): send(message, for: request, now: now)
        case .reply(let request, let id, let payload): reply(payload, to: id, for: request)
        case .decline(let request, let id, let refusal, let text):
            answer(.declined(refusal, text: text), to: id, for: request)
        case .persisted(let record): persisted(record)
        case .persistFailed(let record, let reason): persistFailed(record, reason: reason, now: now)
        case .ending: book.hurry(now: now)
        case .timeReached: break
        }
        store(at: moment)
        sendItems(now: now)
        acknowledge()
    }

    /// The next thing to do, nil when all is done.
    public mutating func nextOutput() -> Output? {
        guard nextOutputIndex < outputs.count else {
            // A hub has an exchange for each watch, and most of them rest: none keeps room for outputs.
            outputs = []
            nextOutputIndex = 0
            return nil
        }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    /// When to come back at the latest with ``Input/timeReached``.
    public var nextDeadline: Instant? {
        let items = earlier(senders.urgent.deadline, senders.ordinary.deadline)
        let messages = earlier(sentMessages.deadline, receivedMessages.deadline)
        return earlier(earlier(items, messages), storeDeadline)
    }

    // MARK: - The application's side

    /// How far this side has received durably: what its greeting tells the peer.
    public var positions: ItemPositions { state.inbox.positions }

    /// The items that are durable here and not known to be at the peer, oldest first (rule R96).
    public var outstanding: [OutstandingItem] {
        ItemTrack.allCases.flatMap { track -> [OutstandingItem] in
            let outbox = state.outboxes[track]
            return outbox.items.enumerated().compactMap { (index, item) -> OutstandingItem? in
                let number = outbox.acknowledged + UInt64(index) + 1
                guard number > senders[track].acknowledged else { return nil }
                let isSent = number <= senders[track].sentThrough
                return OutstandingItem(item: item, track: track, progress: isSent ? .underWay : .waiting)
            }
        }.sorted { $0.item.ordinal < $1.item.ordinal }
    }

    /// How many more complication items go with priority on the day of this wall time.
    public func remainingUrgentCount(wallMilliseconds: Int64) -> Int {
        state.budget.remaining(of: configuration.urgentPerDay, wallMilliseconds: wallMilliseconds)
    }

    // MARK: - Sessions

    private mutating func sessionOpened(_ number: UInt64, peer: ItemPositions) {
        if session != nil { sessionClosed() }
        session = number
        for track in ItemTrack.allCases { senders[track].sessionOpened(peer[track]) }
        sentMessages.sessionOpened()
        receivedMessages.reset()
    }

    private mutating func sessionClosed() {
        session = nil
        for track in ItemTrack.allCases {
            senders[track].sessionClosed()
            owesAcknowledgement[track] = false
            isMissingNext[track] = false
            complainedAfter[track] = nil
        }
        receiver.sessionClosed()
        receivedMessages.reset()
        for outcome in sentMessages.sessionClosed() { put(.answer(outcome.request, outcome.answer)) }
    }

    private mutating func deadlineReached(now: Instant) {
        for track in ItemTrack.allCases { senders[track].deadlineReached(now: now) }
        receivedMessages.deadlineReached(now: now)
        for outcome in sentMessages.deadlineReached(now: now) { put(.answer(outcome.request, outcome.answer)) }
    }

    private mutating func received(_ frame: Frame, now: Instant) {
        guard let session, frame.session == session else { return drop(.foreignSession(frame.kind)) }
        do throws(FrameFault) {
            switch frame.kind {
            case .item: received(try ItemFrame(frame), session: session)
            case .itemAcknowledged: acknowledged(try ItemAcknowledgement(frame), now: now)
            case .message: received(try MessageFrame(frame), session: session, now: now)
            case .reply, .messageError: received(try MessageAnswerFrame(frame), number: frame.sequence)
            case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .context,
                .contextAcknowledged, .upload, .offer, .pull, .chunk, .done, .abort:
                drop(.foreignKind(frame.kind))
            }
        } catch {
            drop(.fault(error))
        }
    }

    mutating func drop(_ reason: Drop) {
        put(.event(.dropped(reason)))
    }

    mutating func put(_ output: Output) {
        outputs.append(output)
    }
}
