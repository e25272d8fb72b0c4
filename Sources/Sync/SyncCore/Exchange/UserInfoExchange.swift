/// The user info of an exchange, in both directions: what the application queues, what arrives, and the one record
/// that is being stored.
///
/// ``continueWork(_:)`` runs after each input. It begins a record if one is due, in this order:
///
///     align         a track whose numbering fits what the receiver said is open from here on; that needs no record
///     isDue         now, later, or not at all; `PersistenceQueue` decides
///     prepare       acknowledged, then requests (spent, added, cancelled), then renumbered and released, then what
///                   arrived (received, passed), then consumed
///
/// Then it sends the items and the acknowledgements that may be sent.
struct UserInfoExchange: Sendable {
    private let configuration: Exchange.Configuration
    /// The durable state.
    private(set) var state: Exchange.State
    private var generator: SplitMix64
    private var senders: PerTrack<ItemSender>
    private var receiver: ItemReceiver
    /// Since when the wall clock has been behind the day of the budget, as far as it was checked since the start.
    private var behindSince: Instant?
    private var queue = PersistenceQueue()

    /// Creates an exchange from what its store holds.
    init(configuration: Exchange.Configuration, state: Exchange.State, seed: UInt64) {
        self.configuration = configuration
        self.state = state
        generator = SplitMix64(seed: seed)
        senders = PerTrack(
            urgent: ItemSender(state.outboxes.urgent), ordinary: ItemSender(state.outboxes.ordinary))
        receiver = ItemReceiver(
            countMax: configuration.inboxCountMax, byteCountMax: configuration.inboxByteCountMax)
    }

    /// When something is due because of time.
    var deadline: Instant? {
        earlier(earlier(senders.urgent.deadline, senders.ordinary.deadline), queue.deadline)
    }

    /// Whether items that arrived are being stored.
    var isStoringPosition: Bool { receiver.isStoring }

    /// The items that are durable here and not acknowledged by the peer, oldest first.
    var outstanding: [OutstandingItem] {
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

    // MARK: - The session

    /// A session opened; `peer` is the position that the peer sent in its greeting.
    mutating func sessionOpened(peer: ItemPositions) {
        for track in ItemTrack.allCases { senders[track].sessionOpened(peer[track]) }
    }

    /// The session ended.
    mutating func sessionClosed() {
        for track in ItemTrack.allCases { senders[track].sessionClosed() }
        receiver.sessionClosed()
    }

    /// Checks the deadlines of what was sent.
    mutating func deadlineReached(_ turn: ExchangeTurn) {
        for track in ItemTrack.allCases { senders[track].deadlineReached(now: turn.now) }
    }

    // MARK: - The application's side

    /// The application wants user info transferred.
    mutating func transfer(
        _ transfer: Exchange.Transfer, for request: RequestID, _ turn: inout ExchangeTurn
    ) {
        let limit = configuration.itemByteCountMax
        guard transfer.payload.count <= limit else {
            let fault = ItemError.payloadTooLarge(byteCount: transfer.payload.count, limit: limit)
            return turn.put(.answer(request, .declined(fault)))
        }
        let load = load
        guard load.count < configuration.outstandingCountMax,
            load.byteCount + transfer.payload.count <= configuration.outstandingByteCountMax
        else {
            return turn.put(.answer(request, .declined(.queueFull(count: load.count, byteCount: load.byteCount))))
        }
        // Only an id that the application chose can exist already.
        if let id = transfer.id, state.place(of: id) != nil || queue.isAdding(id) {
            return turn.put(.answer(request, .declined(.knownItem(id))))
        }
        let id = transfer.id ?? RandomID(using: &generator)
        queue.append(.add(request, id, transfer.payload, isUrgent: transfer.isUrgent))
    }

    /// The count and bytes of the outstanding items, including those that are being stored.
    private var load: (count: Int, byteCount: Int) {
        var load = (count: queue.addingCount, byteCount: queue.addingByteCount)
        for track in ItemTrack.allCases {
            let outbox = state.outboxes[track]
            let arrived = senders[track].acknowledged
            load.count += Int(outbox.last - min(outbox.last, max(arrived, outbox.acknowledged)))
            load.byteCount += outbox.byteCount
        }
        return load
    }

    /// The application wants to cancel an item that was never sent.
    mutating func cancel(_ id: RandomID, for request: RequestID, _ turn: inout ExchangeTurn) {
        guard !queue.cancelling.contains(id) else {
            return turn.put(.answer(request, .declined(.beingCancelled(id))))
        }
        if let fault = faultOfCancelling(id) { return turn.put(.answer(request, .declined(fault))) }
        queue.append(.cancel(request, id))
    }

    /// Why an item cannot be cancelled; nil if it can.
    private func faultOfCancelling(_ id: RandomID) -> ItemError? {
        guard let place = state.place(of: id), place.number > senders[place.track].acknowledged else {
            return .unknownItem(id)
        }
        let isSent = place.number <= senders[place.track].sentThrough
        return isSent ? .underWay(id) : nil
    }

    /// The application has consumed an item that arrived.
    mutating func consumed(_ id: RandomID) {
        guard state.inbox.items.contains(where: { $0.id == id }) else { return }
        queue.consumed(id)
    }

    /// The process is about to stop: stores now what was waiting for a later record.
    mutating func ending() {
        queue.ending()
    }

    // MARK: - Frames

    /// An item arrived.
    mutating func received(_ item: ItemFrame, session: UInt64, _ turn: inout ExchangeTurn) {
        guard item.payload.count <= configuration.itemByteCountMax else {
            return turn.drop(.fault(.tooLarge(byteCount: item.payload.count)))
        }
        switch receiver.received(item, inbox: state.inbox) {
        case .queued: break
        case .duplicate:
            turn.counts.repeatedItems += 1
            turn.drop(.old(.item))
        case .ahead:
            turn.drop(.itemAhead)
        case .full:
            turn.drop(.inboxFull)
        }
    }

    /// The receiver has acknowledged items, or misses one.
    mutating func acknowledged(_ acknowledgement: ItemAcknowledgement, _ turn: inout ExchangeTurn) {
        let position = acknowledgement.position
        guard let track = ItemTrack.allCases.first(where: { state.outboxes[$0].stream == position.stream }),
            senders[track].isOpen, position.highest >= senders[track].acknowledged
        else { return turn.drop(.old(.itemAcknowledged)) }
        if position.highest > senders[track].acknowledged {
            guard state.outboxes[track].agrees(with: position),
                senders[track].acknowledged(through: position.highest, now: turn.now)
            else {
                turn.drop(.contradiction)
                return turn.put(.endSession)
            }
        }
        if acknowledgement.isMissingNext { senders[track].isMissing(after: position.highest) }
    }

    // MARK: - What is due

    /// Begins a record if one is due, and sends what may be sent.
    mutating func continueWork(_ turn: inout ExchangeTurn) {
        beginRecord(&turn)
        guard let session = turn.session else { return }
        sendItems(session, &turn)
        for acknowledgement in receiver.takeAcknowledgements(positions: state.inbox.positions) {
            turn.put(.send(acknowledgement.frame(session: session)))
        }
    }

    private mutating func sendItems(_ session: UInt64, _ turn: inout ExchangeTurn) {
        for track in ItemTrack.allCases {
            guard let stream = state.outboxes[track].stream else { continue }
            while let (number, item) = senders[track].next(
                of: state.outboxes[track], held: queue.cancelling, now: turn.now)
            {
                let frame = ItemFrame(
                    stream: stream, number: number, isFirst: number == state.outboxes[track].base + 1, id: item.id,
                    track: track, payload: item.payload)
                turn.put(.send(frame.frame(session: session)))
            }
        }
    }

    private mutating func beginRecord(_ turn: inout ExchangeTurn) {
        guard queue.mayBegin(now: turn.now) else { return }
        align()
        let isUrgent =
            receiver.isWaiting || ItemTrack.allCases.contains { senders[$0].isAligning || isHeldUp($0, turn) }
        let canWait = ItemTrack.allCases.contains { hasArrivals($0) }
        guard queue.isDue(isUrgent: isUrgent, hasArrivals: canWait, now: turn.now) else { return }
        let draft = prepareRecord(&turn)
        if let record = queue.begin(draft.changes, answers: draft.answers) { turn.put(.persist(record)) }
    }

    /// Opens the tracks whose numbering fits the receiver.
    private mutating func align() {
        for track in ItemTrack.allCases {
            guard senders[track].isAligning, case .goOn(let number) = alignment(of: track) else { continue }
            senders[track].aligned(after: number)
        }
    }

    private func alignment(of track: ItemTrack) -> ItemOutbox.Alignment {
        state.outboxes[track].alignment(with: senders[track].receiverPosition)
    }

    /// Whether a track has items that may not be sent yet although there is a session.
    private func isHeldUp(_ track: ItemTrack, _ turn: ExchangeTurn) -> Bool {
        turn.session != nil && state.outboxes[track].released < state.outboxes[track].last
    }

    /// Whether the receiver has acknowledged items of a track that are still in the store.
    private func hasArrivals(_ track: ItemTrack) -> Bool {
        !senders[track].isAligning && senders[track].acknowledged > state.outboxes[track].acknowledged
    }

    // MARK: - Preparing a record

    /// The changes that are due, in the order that keeps the numbers right.
    private mutating func prepareRecord(_ turn: inout ExchangeTurn) -> RecordDraft {
        var draft = RecordDraft(state)
        for track in ItemTrack.allCases where hasArrivals(track) {
            draft.put(.acknowledged(track, through: senders[track].acknowledged))
        }
        for request in queue.takeRequests() {
            decide(request, in: &draft, &turn)
        }
        if turn.session != nil {
            for track in ItemTrack.allCases { release(track, in: &draft, &turn) }
        }
        for item in receiver.takeAll() { accept(item, in: &draft) }
        for id in queue.consumptions { draft.put(.consumed(id)) }
        return draft
    }

    private mutating func decide(
        _ request: PersistenceQueue.Request, in draft: inout RecordDraft, _ turn: inout ExchangeTurn
    ) {
        switch request {
        case .add(let request, let id, let payload, let isUrgent):
            let track = isUrgent && spendOne(in: &draft, turn) ? ItemTrack.urgent : .ordinary
            let item = Item(
                ordinal: draft.lastOrdinal + 1, id: id, payload: payload, isCurrent: track == .urgent)
            draft.put(.added(item, track))
            draft.answers.append((request, .accepted(id, isUrgent: track == .urgent)))
        case .cancel(let request, let id):
            guard let track = draft.track(of: id) else {
                return turn.put(.answer(request, .declined(.unknownItem(id))))
            }
            draft.put(.cancelled(track, id))
            draft.answers.append((request, .cancelled(id)))
        }
    }

    /// Uses one item of today's priority budget; false if none is left.
    private mutating func spendOne(in draft: inout RecordDraft, _ turn: ExchangeTurn) -> Bool {
        let wallMilliseconds = turn.moment.wallMilliseconds
        let isBehind = draft.budget.isAhead(ofWallMilliseconds: wallMilliseconds)
        behindSince = isBehind ? behindSince ?? turn.now : nil
        let wait = behindSince?.duration(to: turn.now) ?? .zero
        guard
            let budget = draft.budget.spendingOne(
                of: configuration.urgentPerDay, wallMilliseconds: wallMilliseconds, behindFor: wait)
        else { return false }
        draft.put(.spent(budget))
        return true
    }

    /// Gives a track a numbering that fits the receiver, and lets its items be sent.
    private mutating func release(_ track: ItemTrack, in draft: inout RecordDraft, _ turn: inout ExchangeTurn) {
        if senders[track].isAligning {
            if case .renumber(let lost) = alignment(of: track) {
                if let lost { turn.put(.event(.itemsLost(track, lost))) }
                renumber(track, from: senders[track].receiverPosition, in: &draft)
            }
        } else if draft.outboxes[track].numbering.stream == nil, draft.outboxes[track].numbering.itemCount > 0 {
            renumber(track, from: nil, in: &draft)
        }
        let numbering = draft.outboxes[track].numbering
        if numbering.released < numbering.last { draft.put(.released(track, through: numbering.last)) }
    }

    private mutating func renumber(_ track: ItemTrack, from origin: ItemPosition?, in draft: inout RecordDraft) {
        draft.put(.renumbered(track, stream: RandomID(using: &generator), origin: origin))
    }

    private func accept(_ item: ItemFrame, in draft: inout RecordDraft) {
        let received = ReceivedItem(id: item.id, payload: item.payload, isUrgent: item.track == .urgent)
        let isKnown = state.inbox.knows(item.id) || draft.arrived.contains(item.id)
        if isKnown {
            draft.put(.passed(item.track, item.position))
        } else {
            draft.put(.received(received, item.position))
        }
    }

    // MARK: - The store

    /// The record is durable: applies its changes and reports them.
    mutating func persisted(_ record: Exchange.Record, _ turn: inout ExchangeTurn) {
        let answers = queue.persisted(record)
        for change in record.changes {
            report(change, &turn)
            state.apply(change)
        }
        receiver.stored()
        for (request, answer) in answers { turn.put(.answer(request, answer)) }
    }

    /// The record could not be stored: its requests are declined; the peer sends its items again.
    mutating func persistFailed(_ record: Exchange.Record, reason: String, _ turn: inout ExchangeTurn) {
        receiver.storingFailed()
        for request in queue.persistFailed(record, now: turn.now) {
            turn.put(.answer(request, .declined(.notStored(reason))))
        }
        turn.put(.event(.notStored(reason)))
    }

    /// Reports a change that is durable; `state` does not include it yet.
    private mutating func report(_ change: Exchange.Change, _ turn: inout ExchangeTurn) {
        switch change {
        case .received(let item, _):
            turn.put(.event(.itemReceived(item)))
        case .passed:
            turn.counts.recognisedItems += 1
        case .acknowledged(let track, let number):
            let outbox = state.outboxes[track]
            for item in outbox.items.prefix(Int(number - outbox.acknowledged)) {
                turn.put(.event(.itemDelivered(item.id)))
            }
        case .cancelled(let track, let id):
            if let place = state.place(of: id) { senders[track].cancelled(place.number) }
        case .renumbered(let track, _, let origin):
            let numbering = state.outboxes[track].numbering
            senders[track].renumbered(by: numbering.base(from: origin) - numbering.acknowledged)
        case .added, .released, .spent, .consumed:
            break
        }
    }
}
