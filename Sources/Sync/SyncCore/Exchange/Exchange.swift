/// One side of the exchange of user info and live messages between two devices: user info in both directions,
/// including complication items, and live messages with replies.
///
/// Both sides do the same; a hub has one exchange for each watch. As with ``HubEngine``, drain ``nextOutput()`` until
/// it returns nil, after the start and after each ``handle(_:at:)``.
///
/// Only one record is stored at a time; changes that arise meanwhile wait for the next record, so a slow store gets
/// fewer and larger records. When a record cannot be stored, no accepted item is lost: the record's requests are
/// declined, the peer sends its items again, and the rest is tried again. `PersistenceQueue` has a diagram.
public struct Exchange: Sendable {
    private var userInfo: UserInfoExchange
    private var messages: MessageExchange
    private var turn = ExchangeTurn()
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
        userInfo = UserInfoExchange(configuration: configuration, state: state, seed: seed)
        messages = MessageExchange(configuration: configuration)
        for item in state.inbox.items { turn.put(.event(.itemReceived(item))) }
    }

    // MARK: - The engine's side

    /// Handles an input.
    public mutating func handle(_ input: Input, at moment: Moment) {
        precondition(
            nextOutputIndex == turn.outputs.count, "an input arrived before the outputs were drained: \(input)")
        turn.outputs.removeAll(keepingCapacity: true)
        nextOutputIndex = 0
        turn.moment = moment
        // Deadlines that have passed come first, so that no reply is accepted after its deadline.
        userInfo.deadlineReached(turn)
        messages.deadlineReached(&turn)
        switch input {
        case .sessionOpened(let number, let peer): sessionOpened(number, peer: peer)
        case .sessionClosed: sessionClosed()
        case .received(let frame): received(frame)
        case .transfer(let request, let transfer): userInfo.transfer(transfer, for: request, &turn)
        case .cancel(let request, let id): userInfo.cancel(id, for: request, &turn)
        case .consumed(let id): userInfo.consumed(id)
        case .message(let request, let message): messages.send(message, for: request, &turn)
        case .reply(let request, let id, let payload): messages.reply(payload, to: id, for: request, &turn)
        case .decline(let request, let id, let refusal, let text):
            messages.answer(.declined(refusal, text: text), to: id, for: request, &turn)
        case .persisted(let record): userInfo.persisted(record, &turn)
        case .persistFailed(let record, let reason): userInfo.persistFailed(record, reason: reason, &turn)
        case .ending: userInfo.ending()
        case .timeReached: break
        }
        userInfo.continueWork(&turn)
    }

    /// The next output; nil when all were taken.
    public mutating func nextOutput() -> Output? {
        guard nextOutputIndex < turn.outputs.count else {
            // A hub has one exchange for each watch, most of them idle: an idle one keeps no memory for outputs.
            turn.outputs = []
            nextOutputIndex = 0
            return nil
        }
        defer { nextOutputIndex += 1 }
        return turn.outputs[nextOutputIndex]
    }

    /// The latest time for the next ``Input/timeReached``.
    public var nextDeadline: Instant? { earlier(userInfo.deadline, messages.deadline) }

    // MARK: - The application's side

    /// The durable state.
    public var state: State { userInfo.state }

    /// Counts of frames since the start.
    public var counts: Counts { turn.counts }

    /// The positions up to which this side holds items durably; its greeting sends them to the peer.
    ///
    /// A greeting must wait while ``isStoringPosition``.
    public var positions: ItemPositions { state.inbox.positions }

    /// Whether items that arrived are being stored, so that ``positions`` may be about to change.
    ///
    /// A restored peer gives their numbers to other items if a greeting does not say that they are here.
    public var isStoringPosition: Bool { userInfo.isStoringPosition }

    /// The items that are durable here and not acknowledged by the peer, oldest first.
    public var outstanding: [OutstandingItem] { userInfo.outstanding }

    // MARK: - Sessions and frames

    private mutating func sessionOpened(_ number: UInt64, peer: ItemPositions) {
        if turn.session != nil { sessionClosed() }
        turn.session = number
        userInfo.sessionOpened(peer: peer)
        messages.sessionOpened()
    }

    private mutating func sessionClosed() {
        turn.session = nil
        userInfo.sessionClosed()
        messages.sessionClosed(&turn)
    }

    private mutating func received(_ frame: Frame) {
        guard let session = turn.session, frame.session == session else {
            return turn.drop(.foreignSession(frame.kind))
        }
        do throws(FrameError) {
            switch frame.kind {
            case .item: userInfo.received(try ItemFrame(frame), session: session, &turn)
            case .itemAcknowledged: userInfo.acknowledged(try ItemAcknowledgement(frame), &turn)
            case .message: messages.received(try MessageFrame(frame), session: session, &turn)
            case .reply, .messageError:
                messages.received(try MessageAnswerFrame(frame), number: frame.sequence, &turn)
            case .hello, .welcome, .refuse, .ping, .pong, .bye, .credit, .pair, .paired, .register, .registers,
                .context, .contextAcknowledged, .upload, .offer, .pull, .chunk, .done, .abort:
                turn.drop(.foreignKind(frame.kind))
            }
        } catch {
            turn.drop(.fault(error))
        }
    }
}
