import SyncCore

/// Something that an application does a while after its engine told it something.
enum Reaction {
    /// What becomes of a message.
    enum ReplyChoice {
        case reply, decline, replyTooMuch
    }

    case consumeItem(RandomID)
    case reply(MessageID, ReplyChoice)
    case consumeFile(RandomID)
    case takeResult(RandomID)
}

/// What the engines want done for user info, messages and files, and what the applications do with them.
extension World {
    /// Whether a side's store knows the other one; that of the hub may have forgotten it before its engine hears of it.
    func isKnown(_ side: Side) -> Bool {
        !side.isHub || world.hub.stored.isPaired(world.watches[side.watch].key)
    }

    /// When the process of a side goes on, or went on last.
    func awake(_ side: Side) -> Instant { world.pausedUntil(side.device) }

    mutating func stepTransfer(_ input: TransferInput, at side: Side) {
        guard violation == nil else { return }
        world.give(input, to: side)
        settle()
    }

    mutating func look(at output: TransferOutput, of side: Side) {
        switch output {
        case .exchange(.answer(let request, let answer)): answered(request, answer, at: side)
        case .exchange(.event(let event)): happened(event, at: side)
        case .files(.answer(let request, let answer)): answered(request, answer, at: side)
        case .files(.event(let event)): happened(event, at: side)
        case .files(let output): noteFileWork(output, at: side)
        case .exchange: break
        }
    }

    /// The process of a side ends: nothing that it was asked for is done any more.
    mutating func endLife(of side: Side) {
        checks.messages.forget(side)
        checks.parts.forget(side)
        openRequests[side.index] = []
        world.crashFiles(of: side)
    }

    // MARK: - Records

    /// A side wants a record of its transfers to be durable; nil if it is that of nobody's.
    mutating func noteWanted(_ record: TransferRecord, at side: Side?) {
        guard let side else { return }
        checks.budgets.asked(record, wallMilliseconds: world.moment(at: side.device).wallMilliseconds)
        guard case .files(.receiving(let incoming)) = record,
            world.files[side].byteCounts(of: incoming.offer.id).synced < incoming.durable
        else { return }
        fail(.durabilityOrder, "\(side.name) records bytes of a file that are not on its disk")
    }

    /// A record of a side is durable, whether its engine hears of it or not.
    mutating func becameDurable(_ record: TransferRecord, at side: Side, holding held: TransferState) {
        checks.arrivals.becameDurable(record, at: side, holding: held)
        fail(checks.budgets.becameDurable(record, at: side))
    }

    // MARK: - Items and messages

    private mutating func answered(_ request: RequestID, _ answer: Exchange.Answer, at side: Side) {
        trace.mix(request.number)
        if !isHostile(side), openRequests[side.index].remove(request.number) == nil {
            fail(.answers, "request \(request.number) of \(side.name) is answered a second time")
        }
        switch answer {
        case .accepted(let id, let isUrgent):
            note(isUrgent ? .itemAcceptedUrgent : .itemAccepted)
            guard isKnown(side) else { return }
            fail(
                checks.arrivals.accepted(
                    id, track: isUrgent ? .urgent : .ordinary, at: side, durable: world.transferState(of: side)))
        case .cancelled(let id):
            note(.itemCancelled)
            fail(checks.arrivals.cancelled(id, at: side))
        case .declined(let fault):
            note(CoverageMark(fault))
            declined(fault, at: side)
        case .replied, .delivered, .failed:
            note(CoverageMark(answer))
            guard application.messages.remove(request.number) != nil else { return }
            if case .failed(.tooManyMessages) = answer {
                fail(checks.messages.declines(request, of: transferConfiguration.exchange.messageCountMax))
            }
            answeredInEncore(request, answer)
            fail(checks.messages.ended(request, now: now, awake: awake(side)))
        case .replySent: note(.replySent)
        }
    }

    /// What waits at a side keeps its bounds, as its store shows.
    private mutating func checkBounds(_ side: Side) {
        let held = world.transferState(of: side).exchange
        let limits = transferConfiguration.exchange
        if held.inbox.items.count > limits.inboxCountMax {
            fail(.boundedQueues, "\(held.inbox.items.count) items wait in the inbox of \(side.name)")
        }
        let outgoing = held.outboxes.urgent.items.count + held.outboxes.ordinary.items.count
        if outgoing > 2 * limits.outstandingCountMax {
            fail(.boundedQueues, "\(outgoing) items wait in the outbox of \(side.name)")
        }
    }

    private mutating func happened(_ event: Exchange.Event, at side: Side) {
        switch event {
        case .itemReceived(let item):
            note(isStarting ? .itemToldAgain : .itemReceived)
            if !isHostile(side) { fail(checks.arrivals.arrived(item, at: side, isStart: isStarting)) }
            checkBounds(side)
            react(.consumeItem(item.id), at: side, longest: .seconds(2))
        case .itemDelivered: note(.itemDelivered)
        case .itemsLost:
            note(.itemsLost)
            checks.arrivals.reportedLoss(at: side)
        case .messageReceived(let message):
            note(.messageHandled)
            let countMax = transferConfiguration.exchange.messageCountMax
            if !isHostile(side) { fail(checks.messages.handled(message, at: side, of: countMax)) }
            guard encore.stage == nil else { return react(.reply(message.id, .reply), at: side, longest: .zero) }
            var draws = reactionDraws(side)
            guard draws.chance(0.85) else { return note(.messageIgnored) }
            let choice: Reaction.ReplyChoice = draws.chance(0.8) ? .reply : draws.chance(0.8) ? .decline : .replyTooMuch
            react(.reply(message.id, choice), at: side, longest: .seconds(3))
        case .dropped(let drop):
            note(CoverageMark(drop))
            if case .tooManyMessages = drop, !isHostile(side) {
                fail(checks.messages.turnsAway(at: side, of: transferConfiguration.exchange.messageCountMax))
            }
        case .notStored: note(.itemNotStored)
        }
    }

    // MARK: - Files

    private mutating func answered(_ request: RequestID, _ answer: FileExchange.Answer, at side: Side) {
        trace.mix(request.number)
        if !isHostile(side), openRequests[side.index].remove(request.number) == nil {
            fail(.answers, "request \(request.number) of \(side.name) is answered a second time")
        }
        switch answer {
        case .accepted(let id):
            note(.fileAccepted)
            guard isKnown(side) else { return }
            application.sentFiles[side.index] = application.sentFiles[side.index].suffix(7) + [id]
            fail(checks.arrivals.accepted(id, track: nil, at: side, durable: world.transferState(of: side)))
        case .cancelled: note(.fileCancelled)
        case .refused(let fault):
            note(.fileRefused)
            declined(fault, at: side)
        }
    }

    private mutating func happened(_ event: FileExchange.Event, at side: Side) {
        switch event {
        case .received(let offer):
            note(isStarting ? .fileToldAgain : .fileReceived)
            if !isHostile(side) {
                let bytes = world.files[side].received[offer.id]
                fail(checks.arrivals.arrived(offer, bytes: bytes, at: side, isStart: isStarting))
            }
            react(.consumeFile(offer.id), at: side, longest: .seconds(2))
        case .ended(let result):
            note(result.failure == nil ? .fileDelivered : .fileFailed)
            if !isHostile(side) { fail(endedForNothing(result, at: side)) }
            if !isHostile(side) { fail(checks.arrivals.ended(result, at: side)) }
            react(.takeResult(result.id), at: side, longest: .seconds(1))
        case .receiveFailed: note(.fileGivenUp)
        case .dropped: note(.fileFrameDropped)
        case .notStored: note(.fileNotStored)
        case .sent, .receiving: break
        }
    }

    /// A side's disk is given something to do with a file.
    private mutating func noteFileWork(_ output: FileExchange.Output, at side: Side) {
        if case .write(let id, let offset, let bytes) = output, !isHostile(side),
            !world.files[side].belongs(bytes, to: id, at: Int(offset))
        {
            fail(.wholeFiles, "\(side.name) writes a part of a file where it does not belong")
        }
        switch output {
        case .begin, .discard: checks.parts.forget(side)
        case .send, .persist, .read, .release, .write, .sync, .finish, .remove, .answer, .event: break
        }
    }

    // MARK: - The applications

    private mutating func reactionDraws(_ side: Side) -> SplitMix64 {
        lastReaction[side.index] += 1
        let conditions = world.conditions
        return conditions.draws(of: side.device)[
            .reaction, conditions.name(2 * lastReaction[side.index], at: side)]
    }

    private mutating func react(_ reaction: Reaction, at side: Side, longest: Duration) {
        var draws = reactionDraws(side)
        let isSoon = draws.chance(0.8) || encore.stage != nil
        let delay = draws.duration(upTo: isSoon ? .milliseconds(20) : longest)
        plan(reaction, at: side, after: delay)
    }

    private mutating func plan(_ reaction: Reaction, at side: Side, after delay: Duration) {
        let plan = DrawnConditions.Plan.reaction(side: side, run: world.run(of: side.device), reaction)
        world.plan(plan, at: now.advanced(by: delay), of: side.device)
    }

    mutating func react(_ reaction: Reaction, of side: Side, run: Int) {
        guard run == world.run(of: side.device),
            side.isHub ? world.hub.engine != nil : world.watches[side.watch].engine != nil
        else { return }
        switch reaction {
        case .consumeItem(let id): stepTransfer(.exchange(.consumed(id)), at: side)
        case .consumeFile(let id):
            guard let held = heldFiles(side), held.received.contains(where: { $0.id == id }) else { return }
            stepTransfer(.files(.consumed(id)), at: side)
            // If the store fails, the engine leaves it to the application to say so again.
            plan(reaction, at: side, after: .seconds(3))
        case .takeResult(let id):
            guard let held = heldFiles(side), held.results.contains(where: { $0.id == id }) else { return }
            stepTransfer(.files(.resultTaken(id)), at: side)
            plan(reaction, at: side, after: .seconds(3))
        case .reply(let id, let choice):
            let request = openRequest(at: side)
            checks.messages.answers(id, at: side)
            switch choice {
            case .reply: stepTransfer(.exchange(.reply(request, id, [1])), at: side)
            case .replyTooMuch:
                let byteCount = transferConfiguration.exchange.messageByteCountMax + 1
                stepTransfer(
                    .exchange(.reply(request, id, [UInt8](repeating: 0, count: byteCount))), at: side)
            case .decline: stepTransfer(.exchange(.decline(request, id, .failed, text: "no")), at: side)
            }
        }
    }

    /// Why a file must not have failed, nil if there is nothing to say: bytes are damaged by nobody, and a file that is
    /// sent after the faults have ended arrives.
    private func endedForNothing(_ result: FileResult, at side: Side) -> Checks.Finding? {
        guard let failure = result.failure else { return nil }
        if failure.cause == .damaged {
            return Checks.Finding(.wholeFiles, "a file of \(side.name) has other bytes at its receiver")
        }
        guard encore.stage != nil else { return nil }
        return Checks.Finding(.delivery, "a file of \(side.name) that nothing stands in the way of fails: \(failure)")
    }

    private func heldFiles(_ side: Side) -> FileExchange.State? {
        side.isHub
            ? world.hub.engine?.transfers(with: world.watches[side.watch].key)?.files
            : world.watches[side.watch].engine?.transferState.files
    }

    /// A request of the application of a side that has to be answered once.
    mutating func openRequest(at side: Side) -> RequestID {
        let request = application.nextRequest()
        openRequests[side.index].insert(request.number)
        return request
    }
}
