/// One side of the exchange of user info and live messages between two devices: user info in both directions,
/// including complication items, and live messages with replies.
///
/// Both sides are alike; a hub has one exchange for each watch. As with ``HubEngine``, drain ``nextOutput()`` until
/// it returns nil, after the start and after each ``handle(_:at:)``.
///
/// Only one record is stored at a time; changes that arise meanwhile wait for the next record, so a slow store gets
/// fewer and larger records. When a record cannot be stored, no accepted item is lost: the record's requests are
/// declined, the peer sends its items again, and the rest is tried again. A diagram is at the top of
/// `Exchange+Store.swift`.
public struct Exchange: Sendable {
    /// The time after which a failed record is tried again if no application request is in it.
    static let retryAfter = Duration.seconds(1)
    /// The time for which acknowledgements and consumptions may wait for a record that is due anyway.
    static let lazyAfter = Duration.milliseconds(100)

    let configuration: Configuration
    /// The durable state.
    public internal(set) var state: State
    /// Counts of frames since the start.
    public internal(set) var counts = Counts()
    var generator: SplitMix64
    var session: UInt64?
    var senders: PerTrack<ItemSender>
    var receiver: ItemReceiver
    var owesAcknowledgement = PerTrack(urgent: false, ordinary: false)
    /// The tracks on which an item arrived before an earlier one, until the peer is notified.
    var isMissingNext = PerTrack(urgent: false, ordinary: false)
    /// The number after which an item was last reported missing in this session.
    var reportedMissingAfter: PerTrack<UInt64?> = PerTrack(urgent: nil, ordinary: nil)
    /// Since when the wall clock has been behind the day of the budget, as far as it was checked since the start.
    var behindSince: Instant?
    var book = PersistenceQueue()
    var sentMessages: MessageSender
    var receivedMessages: MessageReceiver
    private var outputs: [Output] = []
    private var nextOutputIndex = 0

    /// Starts an exchange.
    ///
    /// Items that arrived and were not consumed are reported again first.
    ///
    /// - Parameters:
    ///   - configuration: What never changes while the process runs.
    ///   - state: What its store holds.
    ///   - seed: 64 random bits, different at each start.
    public init(configuration: Configuration, state: State, seed: UInt64) {
        precondition((0...262_144).contains(configuration.itemByteCountMax), "items of no sensible size")
        precondition((0...524_288).contains(configuration.messageByteCountMax), "messages of no sensible size")
        precondition(configuration.inboxByteCountMax >= configuration.itemByteCountMax, "an inbox smaller than an item")
        self.configuration = configuration
        self.state = state
        generator = SplitMix64(seed: seed)
        senders = PerTrack(
            urgent: ItemSender(state.outboxes.urgent), ordinary: ItemSender(state.outboxes.ordinary))
        receiver = ItemReceiver(
            countMax: configuration.inboxCountMax, byteCountMax: configuration.inboxByteCountMax)
        sentMessages = MessageSender(countMax: configuration.messageCountMax)
        receivedMessages = MessageReceiver(countMax: configuration.messageCountMax)
        for item in state.inbox.items { put(.event(.itemReceived(item))) }
    }

    // MARK: - The engine's side

    /// Handles an input.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(nextOutputIndex == outputs.count, "an input arrived before the outputs were drained: \(input)")
        outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        let now = moment.monotonic
        // Deadlines that have passed come first, so that no reply is accepted after its deadline.
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
        case .ending: book.flushSoon(now: now)
        case .timeReached: break
        }
        store(at: moment)
        sendItems(now: now)
        acknowledge()
    }

    /// The next output; nil when all were taken.
    public mutating func nextOutput() -> Output? {
        guard nextOutputIndex < outputs.count else {
            // A hub has one exchange for each watch, most of them idle: an idle one keeps no memory for outputs.
            outputs = []
            nextOutputIndex = 0
            return nil
        }
        defer { nextOutputIndex += 1 }
        return outputs[nextOutputIndex]
    }

    /// The latest time for the next ``Input/timeReached``.
    public var nextDeadline: Instant? {
        let items = earlier(senders.urgent.deadline, senders.ordinary.deadline)
        let messages = earlier(sentMessages.deadline, receivedMessages.deadline)
        return earlier(earlier(items, messages), storeDeadline)
    }

    // MARK: - The application's side

    /// The positions up to which this side holds items durably; its greeting sends them to the peer.
    ///
    /// A greeting must wait while ``isStoringPosition``.
    public var positions: ItemPositions { state.inbox.positions }

    /// Whether items that arrived are being stored, so that ``positions`` may be about to change.
    ///
    /// A peer that was put back gives their numbers to other items if a greeting does not say that they are here.
    public var isStoringPosition: Bool { receiver.isStoring }

    /// The items that are durable here and not acknowledged by the peer, oldest first.
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

    /// How many more complication items may go with priority on the day of this wall time.
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
            reportedMissingAfter[track] = nil
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
