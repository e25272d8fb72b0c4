extension Exchange {
    // MARK: - Requests

    mutating func transfer(_ transfer: Transfer, for request: RequestID) {
        let limit = configuration.itemByteCountMax
        guard transfer.payload.count <= limit else {
            let fault = ItemFault.payloadTooLarge(byteCount: transfer.payload.count, limit: limit)
            return put(.answer(request, .declined(fault)))
        }
        let load = load
        guard load.count < configuration.outstandingCountMax,
            load.byteCount + transfer.payload.count <= configuration.outstandingByteCountMax
        else {
            return put(.answer(request, .declined(.queueFull(count: load.count, byteCount: load.byteCount))))
        }
        // Only an id that the application chose can exist already.
        if let id = transfer.id, state.place(of: id) != nil || book.isAdding(id) {
            return put(.answer(request, .declined(.knownItem(id))))
        }
        let id = transfer.id ?? RandomID(using: &generator)
        book.append(.add(request, id, transfer.payload, isUrgent: transfer.isUrgent))
    }

    /// The count and bytes of the outstanding items, including those that are being stored.
    private var load: (count: Int, byteCount: Int) {
        var load = (count: book.addingCount, byteCount: book.addingByteCount)
        for track in ItemTrack.allCases {
            let outbox = state.outboxes[track]
            let arrived = senders[track].acknowledged
            load.count += Int(outbox.last - min(outbox.last, max(arrived, outbox.acknowledged)))
            load.byteCount += outbox.byteCount
        }
        return load
    }

    mutating func cancel(_ id: RandomID, for request: RequestID) {
        guard !book.cancelling.contains(id) else { return put(.answer(request, .declined(.beingCancelled(id)))) }
        if let fault = faultOfCancelling(id, in: state) { return put(.answer(request, .declined(fault))) }
        book.append(.cancel(request, id))
    }

    /// Why an item cannot be cancelled; nil if it can.
    func faultOfCancelling(_ id: RandomID, in state: State) -> ItemFault? {
        guard let place = state.place(of: id), place.number > senders[place.track].acknowledged else {
            return .unknownItem(id)
        }
        let isSent = place.number <= senders[place.track].sentThrough
        return isSent ? .underWay(id) : nil
    }

    mutating func consumed(_ id: RandomID) {
        guard !book.consumptions.contains(id), state.inbox.items.contains(where: { $0.id == id }) else { return }
        book.consumptions.append(id)
    }

    // MARK: - Frames

    mutating func received(_ item: ItemFrame, session: UInt64) {
        guard item.payload.count <= configuration.itemByteCountMax else {
            return drop(.fault(.tooLarge(byteCount: item.payload.count)))
        }
        switch receiver.received(item, inbox: state.inbox) {
        case .queued: break
        case .duplicate:
            counts.repeatedItems += 1
            owesAcknowledgement[item.track] = true
            drop(.old(.item))
        case .ahead:
            isMissingNext[item.track] = true
            drop(.itemAhead)
        case .full:
            drop(.inboxFull)
        }
    }

    mutating func acknowledged(_ acknowledgement: ItemAcknowledgement, now: Instant) {
        let position = acknowledgement.position
        guard let track = ItemTrack.allCases.first(where: { state.outboxes[$0].stream == position.stream }),
            senders[track].isOpen, position.highest >= senders[track].acknowledged
        else { return drop(.old(.itemAcknowledged)) }
        if position.highest > senders[track].acknowledged {
            guard state.outboxes[track].agrees(with: position),
                senders[track].acknowledged(through: position.highest, now: now)
            else {
                drop(.contradiction)
                return put(.endSession)
            }
        }
        if acknowledgement.isMissingNext { senders[track].isMissing(after: position.highest) }
    }

    mutating func sendItems(now: Instant) {
        guard let session else { return }
        for track in ItemTrack.allCases {
            guard let stream = state.outboxes[track].stream else { continue }
            while let (number, item) = senders[track].next(
                of: state.outboxes[track], held: book.cancelling, now: now)
            {
                let frame = ItemFrame(
                    stream: stream, number: number, isFirst: number == state.outboxes[track].base + 1, id: item.id,
                    track: track, payload: item.payload)
                put(.send(frame.frame(session: session)))
            }
        }
    }

    /// Sends an acknowledgement for each track that changed or was asked about, and one for each new gap.
    mutating func acknowledge() {
        guard let session else { return }
        for track in ItemTrack.allCases {
            // While a record is being stored, the position does not yet show where the gap is.
            let isSettled = isMissingNext[track] && receiver.isIdle
            guard owesAcknowledgement[track] || isSettled, let position = state.inbox.positions[track] else { continue }
            let reportsMissing = isSettled && reportedMissingAfter[track] != position.highest
            if owesAcknowledgement[track] || reportsMissing {
                put(.send(ItemAcknowledgement(position, isMissingNext: reportsMissing).frame(session: session)))
            }
            owesAcknowledgement[track] = false
            if isSettled { isMissingNext[track] = false }
            if reportsMissing { reportedMissingAfter[track] = position.highest }
        }
    }
}
