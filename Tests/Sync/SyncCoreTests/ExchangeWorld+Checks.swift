@testable import SyncCore

/// The observations, and their comparison with the promises.
extension ExchangeWorld {
    mutating func feed(_ input: Exchange.Input, to end: Int) {
        ends[end].script.feed(input, at: milliseconds)
        take(from: end)
    }

    mutating func take(from end: Int, isStart: Bool = false) {
        for output in ends[end].script.claim() {
            switch output {
            case .send(let frame): sent(frame, by: end)
            case .answer(let request, let answer): answered(request, answer, at: end)
            case .event(let event): happened(event, at: end, isStart: isStart)
            case .persist: break
            case .endSession:
                ends[end].session = nil
                ends[end].script.feed(.sessionClosed, at: milliseconds)
                take(from: end)
            }
        }
    }

    private mutating func sent(_ frame: Frame, by end: Int) {
        // A frame that cannot be read has no effect on the items.
        if frame.kind == .itemAcknowledged, let told = try? ItemAcknowledgement(frame).position {
            let disk = ends[end].script.disk.inbox.positions
            let isDurable = ItemTrack.allCases.contains { track in
                disk[track].map { $0.stream == told.stream && $0.highest >= told.highest } ?? false
            }
            if !isDurable { find("I17: an acknowledgement leaves before its item is durable") }
        }
        put(.frame(frame), to: 1 - end)
    }

    private mutating func answered(_ request: Exchange.RequestID, _ answer: Exchange.Answer, at end: Int) {
        switch answer {
        case .accepted(let id, let isUrgent):
            let track: ItemTrack = isUrgent ? .urgent : .ordinary
            if !ends[end].script.disk.outboxes[track].items.contains(where: { $0.id == id }) {
                find("I17: an item is accepted before it is durable")
            }
            promises[end].append(Promise(id: id, track: track))
        case .cancelled(let id):
            change(id, of: end) { $0.isCancelled = true }
            let isHonest = promise(id, of: end).map { !$0.isVoid && !$0.mayHaveArrived } ?? false
            if isHonest, ends[1 - end].effects.contains(id) {
                find("an item was cancelled that has arrived")
            }
        case .replied, .delivered, .failed:
            guard let deadline = ends[end].pending.removeValue(forKey: request.number) else {
                // The answers to replies are not checked.
                if answer.isOutcomeOfMessage { find("I18: a message has two outcomes") }
                return
            }
            if deadline < now { find("I18: an outcome comes after the deadline") }
        case .declined, .replySent: break
        }
    }

    private mutating func happened(_ event: Exchange.Event, at end: Int, isStart: Bool) {
        switch event {
        case .itemReceived(let item):
            if let known = promise(item.id, of: 1 - end), known.isCancelled, !known.isVoid, !known.mayHaveArrived {
                find("a cancelled item arrived")
            }
            if !ends[end].effects.contains(item.id) {
                ends[end].effects.append(item.id)
            } else if !isStart {
                find("I5: an item takes effect twice")
            }
        case .itemsLost:
            for index in promises[end].indices { promises[end][index].isReported = promises[end][index].mayBeLost }
        case .messageReceived(let message):
            if !heard.insert(message.payload).inserted { find("I18: a message reaches its handler twice") }
            ends[end].waiting.append(message.id)
        case .itemDelivered, .dropped, .notStored: break
        }
        if ends[end].script.engine.outstanding.count > 20 { find("I7: too many items are outstanding") }
        if ends[end].script.engine.state.inbox.items.count > 3 { find("I7: the inbox is too full") }
    }

    // MARK: - The end

    mutating func checkEnd() {
        for end in 0..<2 {
            if ends[end].script.record == nil, ends[end].script.disk != ends[end].script.engine.state {
                find("the records add up to something else than the state")
            }
            if !ends[end].pending.isEmpty { find("I18: a message has no outcome") }
            if !ends[end].script.engine.outstanding.isEmpty { find("I1: an item never arrived") }
            let effects = ends[1 - end].effects
            for promise in promises[end] where !promise.isVoid && !promise.isCancelled {
                guard !effects.contains(promise.id) else { continue }
                if !promise.mayBeLost { find("I2: an item is lost") }
                if !promise.isReported { find("I2: an item is lost in a restore, in silence") }
            }
            for track in ItemTrack.allCases {
                // An item that both sides lost (the receiver forgot it and the sender sends it again later) arrives
                // after its successors.
                let order = promises[end].filter { promise in
                    promise.track == track && !promise.isVoid && !(promise.mayBeLost && promise.mayHaveArrived)
                }.map(\.id)
                let arrived = effects.filter { order.contains($0) }
                if arrived != order.filter({ arrived.contains($0) }) { find("I6: items are out of order") }
            }
        }
    }

    private func promise(_ id: RandomID, of end: Int) -> Promise? { promises[end].first { $0.id == id } }

    mutating func change(_ id: RandomID, of end: Int, _ change: (inout Promise) -> Void) {
        guard let index = promises[end].firstIndex(where: { $0.id == id }) else { return }
        change(&promises[end][index])
    }

    private mutating func find(_ text: String) {
        finding = finding ?? text
    }
}

extension Exchange.Answer {
    /// Whether only a message that was sent can have this answer.
    fileprivate var isOutcomeOfMessage: Bool {
        switch self {
        case .replied, .delivered, .failed(.replyTimedOut), .failed(.replyFailed), .failed(.deliveryFailed): true
        case .accepted, .cancelled, .declined, .replySent, .failed: false
        }
    }
}
