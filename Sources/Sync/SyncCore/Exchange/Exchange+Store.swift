/// Stores the durable part of the user info, one record at a time.
///
///     resting ───────────────due───────────────▶ storing
///     │ ▲ ▲ ▲                                    ▲ │ │
///     │ │ │ └────────────persisted───────────────┼─┘ │
///     │ │ └─nothing waits─┐                      │   │
///     │ │                 │                      │   │
///     └─┼──can wait──▶ waiting ──────due─────────┘   │
///       │                                            │
///       └──its time, or a request── failed ◀─────────┘ persist failed
///
/// No enum has these states; they are fields of `book`: in `storing` it has a `record`, in `waiting` a `lazyAt`, in
/// `failed` a `retryAt`, in `resting` none of them.
///
/// These make a record due: a request of the application, an item that arrived, a track whose numbering does not fit
/// the receiver, and items that may not be sent yet although there is a session. Acknowledgements of the receiver and
/// consumptions of the application can wait for a record that is due anyway, for ``lazyAfter`` at most; when the
/// process stops, they are stored at once. Each record includes everything that waits.
///
/// ``store(at:)`` runs after each input, in this order:
///
///     align         a track whose numbering fits what the receiver said is open from here on; that needs no record
///     isStoreDue    now, later, or not at all
///     draw          acknowledged, then requests (spent, added, cancelled), then renumbered and released, then what
///                   arrived (received, passed), then consumed
extension Exchange {
    /// When a record is due because of time.
    var storeDeadline: Instant? {
        guard book.record == nil else { return nil }
        return book.retryAt ?? book.lazyAt
    }

    /// Starts a record with what waits, if none is being stored.
    mutating func store(at moment: Moment) {
        let now = moment.monotonic
        guard book.record == nil, !book.requests.isEmpty || (book.retryAt ?? now) <= now else { return }
        book.retryAt = nil
        align()
        guard isStoreDue(now: now) else { return }
        book.lazyAt = nil
        let changes = draw(at: moment)
        guard !changes.isEmpty else { return book.recordEnded() }
        book.lastNumber += 1
        let record = Record(number: book.lastNumber, changes: changes)
        book.record = record
        put(.persist(record))
    }

    /// The record is durable: applies its changes and reports them.
    mutating func persisted(_ record: Record) {
        precondition(record.number == book.record?.number, "record \(record.number) is not being stored")
        for change in record.changes {
            tell(change)
            state.apply(change)
        }
        receiver.stored()
        for (request, answer) in book.answers { put(.answer(request, answer)) }
        book.recordEnded()
    }

    /// The record could not be stored: its requests are declined; the peer sends its items again.
    mutating func persistFailed(_ record: Record, reason: String, now: Instant) {
        precondition(record.number == book.record?.number, "record \(record.number) is not being stored")
        receiver.storingFailed()
        for (request, _) in book.answers { put(.answer(request, .declined(.notStored(reason)))) }
        book.recordEnded()
        book.retryAt = now.advanced(by: Self.retryAfter)
        put(.event(.notStored(reason)))
    }

    /// Reports a change that is durable; `state` does not include it yet.
    private mutating func tell(_ change: Change) {
        switch change {
        case .received(let item, _):
            owesAcknowledgement[item.isUrgent ? .urgent : .ordinary] = true
            put(.event(.itemReceived(item)))
        case .passed(let track, _):
            owesAcknowledgement[track] = true
            counts.recognisedItems += 1
        case .acknowledged(let track, let number):
            let outbox = state.outboxes[track]
            for item in outbox.items.prefix(Int(number - outbox.acknowledged)) {
                put(.event(.itemDelivered(item.id)))
            }
        case .cancelled(let track, let id):
            if let place = state.place(of: id) { senders[track].cancelled(place.number) }
        case .renumbered(let track, _, let origin):
            let numbering = state.outboxes[track].numbering
            senders[track].renumbered(by: numbering.base(from: origin) - numbering.acknowledged)
        case .consumed(let id):
            book.consumptions.removeAll { $0 == id }
        case .added, .released, .spent:
            break
        }
    }

    // MARK: - Due actions

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

    /// Whether a record is due now.
    ///
    /// If only changes that can wait are left, sets their time limit.
    private mutating func isStoreDue(now: Instant) -> Bool {
        let isUrgent =
            !book.requests.isEmpty || receiver.isWaiting
            || ItemTrack.allCases.contains { senders[$0].isAligning || isHeldUp($0) }
        if isUrgent { return true }
        guard !book.consumptions.isEmpty || ItemTrack.allCases.contains(where: hasArrivals) else {
            book.lazyAt = nil
            return false
        }
        guard let due = book.lazyAt else {
            book.lazyAt = now.advanced(by: Self.lazyAfter)
            return false
        }
        return due <= now
    }

    /// Whether a track has items that may not be sent yet although there is a session.
    private func isHeldUp(_ track: ItemTrack) -> Bool {
        session != nil && state.outboxes[track].released < state.outboxes[track].last
    }

    /// Whether the receiver has acknowledged items of a track that are still in the store.
    private func hasArrivals(_ track: ItemTrack) -> Bool {
        !senders[track].isAligning && senders[track].acknowledged > state.outboxes[track].acknowledged
    }

    // MARK: - Creating a record

    /// The changes that are due, in the order that keeps the numbers right.
    private mutating func draw(at moment: Moment) -> [Change] {
        var draft = RecordDraft(state)
        for track in ItemTrack.allCases where hasArrivals(track) {
            draft.put(.acknowledged(track, through: senders[track].acknowledged))
        }
        for request in book.takeRequests() {
            judge(request, at: moment, in: &draft)
        }
        if session != nil {
            for track in ItemTrack.allCases { release(track, in: &draft) }
        }
        for item in receiver.takeAll() { take(item, in: &draft) }
        for id in book.consumptions { draft.put(.consumed(id)) }
        return draft.changes
    }

    /// Uses one item of today's priority budget; false if none is left.
    private mutating func spendOne(at moment: Moment, in draft: inout RecordDraft) -> Bool {
        let isBehind = draft.budget.isAhead(ofWallMilliseconds: moment.wallMilliseconds)
        behindSince = isBehind ? behindSince ?? moment.monotonic : nil
        let wait = behindSince?.duration(to: moment.monotonic) ?? .zero
        guard
            let budget = draft.budget.spendingOne(
                of: configuration.urgentPerDay, wallMilliseconds: moment.wallMilliseconds, behindFor: wait)
        else { return false }
        draft.put(.spent(budget))
        return true
    }

    private mutating func judge(_ request: PersistenceQueue.Request, at moment: Moment, in draft: inout RecordDraft) {
        switch request {
        case .add(let request, let id, let payload, let isUrgent):
            let track = isUrgent && spendOne(at: moment, in: &draft) ? ItemTrack.urgent : .ordinary
            let item = Item(
                ordinal: draft.lastOrdinal + 1, id: id, payload: payload, isCurrent: track == .urgent)
            draft.put(.added(item, track))
            book.answers.append((request, .accepted(id, isUrgent: track == .urgent)))
        case .cancel(let request, let id):
            guard let track = draft.track(of: id) else {
                return put(.answer(request, .declined(.unknownItem(id))))
            }
            draft.put(.cancelled(track, id))
            book.answers.append((request, .cancelled(id)))
        }
    }

    /// Gives a track a numbering that fits the receiver, and lets its items be sent.
    private mutating func release(_ track: ItemTrack, in draft: inout RecordDraft) {
        if senders[track].isAligning {
            if case .renumber(let lost) = alignment(of: track) {
                if let lost { put(.event(.itemsLost(track, lost))) }
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

    private mutating func take(_ item: ItemFrame, in draft: inout RecordDraft) {
        let received = ReceivedItem(id: item.id, payload: item.payload, isUrgent: item.track == .urgent)
        let isKnown = state.inbox.knows(item.id) || draft.arrived.contains(item.id)
        if isKnown {
            draft.put(.passed(item.track, item.position))
        } else {
            draft.put(.received(received, item.position))
        }
    }
}
