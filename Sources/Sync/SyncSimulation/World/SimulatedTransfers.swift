import SyncCore

/// An action of an application, a while after an event of its engine.
enum Reaction {
    /// The outcome of a message.
    enum ReplyChoice {
        case reply, decline, replyTooMuch
    }

    case consumeItem(RandomID)
    case reply(MessageID, ReplyChoice)
    case consumeFile(RandomID)
    case takeResult(RandomID)
}

/// What the applications of a run know of user info, messages and files, and what is checked there.
struct SimulatedTransfers {
    let configuration: TransferConfiguration
    /// Whether an engine is just starting: then it reports again what its application did not take.
    var isStarting = false
    /// By side: the reactions so far, the requests that were not answered yet, and the last files that it sent.
    private var lastReaction: [Int]
    private var openRequests: [Set<UInt64>]
    private var sentFiles: [[RandomID]]
    /// The messages that wait for their outcome.
    private var messages: Set<UInt64> = []

    init(configuration: TransferConfiguration, watchCount: Int) {
        self.configuration = configuration
        lastReaction = Array(repeating: 0, count: 2 * watchCount)
        openRequests = Array(repeating: [], count: 2 * watchCount)
        sentFiles = Array(repeating: [], count: 2 * watchCount)
    }

    /// The last files that a side sent.
    func sentFiles(at side: Side) -> [RandomID] { sentFiles[side.index] }

    // MARK: - Requests

    /// The application of a side has made a request, which has to be answered once.
    mutating func asked(_ request: RequestID, at side: Side) { openRequests[side.index].insert(request.number) }

    /// The application of a side sends a message that has to have an outcome.
    mutating func sent(message request: RequestID, at side: Side, _ record: inout RunRecord) {
        messages.insert(request.number)
        let timeout = configuration.exchange.messageTimeout
        record.checks.messages.sent(request, at: side, deadline: record.now.advanced(by: timeout))
    }

    func hasOpenRequests(at side: Side) -> Bool { !openRequests[side.index].isEmpty }

    /// The hub declines a transfer with a watch that it does not know; false if the answer is that of another request.
    mutating func hubAnswers(_ request: RequestID, _ answer: HubEngine.Answer, _ record: inout RunRecord) -> Bool {
        for watch in 0..<openRequests.count / 2 {
            let side = Side(watch: watch, isHub: true)
            guard openRequests[side.index].remove(request.number) != nil else { continue }
            record.count(.transferUnknownWatch)
            record.checks.messages.withdraw(request)
            messages.remove(request.number)
            if case .done = answer { record.fail(.answers, "a transfer is answered as a transaction") }
            return true
        }
        return false
    }

    private mutating func close(_ request: RequestID, at side: Side, _ record: inout RunRecord) {
        record.trace.mix(request.number)
        guard !record.isHostile(side), openRequests[side.index].remove(request.number) == nil else { return }
        record.fail(.answers, "request \(request.number) of \(side.name) is answered a second time")
    }

    /// The process of a side ends: its requests are not carried out any more.
    mutating func processEnds(at side: Side, _ world: inout DrawnWorld, _ record: inout RunRecord) {
        record.checks.messages.forget(side)
        record.checks.parts.forget(side)
        openRequests[side.index] = []
        world.crashFiles(of: side)
    }

    // MARK: - Outputs

    mutating func look(
        at output: TransferOutput, of side: Side, _ world: inout DrawnWorld, _ record: inout RunRecord
    ) {
        switch output {
        case .exchange(.answer(let request, let answer)): answered(request, answer, at: side, world, &record)
        case .exchange(.event(let event)): happened(event, at: side, &world, &record)
        case .files(.answer(let request, let answer)): answered(request, answer, at: side, world, &record)
        case .files(.event(let event)): happened(event, at: side, &world, &record)
        case .files(let output): works(output, at: side, world, &record)
        case .exchange: break
        }
    }

    private mutating func answered(
        _ request: RequestID, _ answer: Exchange.Answer, at side: Side, _ world: DrawnWorld,
        _ record: inout RunRecord
    ) {
        close(request, at: side, &record)
        switch answer {
        case .accepted(let id, let isUrgent):
            record.note(isUrgent ? .itemAcceptedUrgent : .itemAccepted)
            guard world.isKnown(side) else { return }
            record.fail(
                record.checks.arrivals.accepted(
                    id, track: isUrgent ? .urgent : .ordinary, at: side, durable: world.transferState(of: side)))
        case .cancelled(let id):
            record.note(.itemCancelled)
            record.fail(record.checks.arrivals.cancelled(id, at: side))
        case .declined(let fault):
            record.note(CoverageMark(fault))
            record.declined(fault, at: side)
        case .replied, .delivered, .failed:
            record.note(CoverageMark(answer))
            guard messages.remove(request.number) != nil else { return }
            if case .failed(.tooManyMessages) = answer {
                record.fail(record.checks.messages.declines(request, of: configuration.exchange.messageCountMax))
            }
            record.fail(record.quiet.answered(request, answer))
            let awake = world.pausedUntil(side.device)
            record.fail(record.checks.messages.ended(request, now: record.now, awake: awake))
        case .replySent: record.note(.replySent)
        }
    }

    private mutating func happened(
        _ event: Exchange.Event, at side: Side, _ world: inout DrawnWorld, _ record: inout RunRecord
    ) {
        let countMax = configuration.exchange.messageCountMax
        let isQuiet = record.quiet.phase != nil
        switch event {
        case .itemReceived(let item):
            record.note(isStarting ? .itemToldAgain : .itemReceived)
            if !record.isHostile(side) {
                record.fail(record.checks.arrivals.arrived(item, at: side, isStart: isStarting))
            }
            checkBounds(side, world, &record)
            react(.consumeItem(item.id), at: side, longest: .seconds(2), isQuiet: isQuiet, &world)
        case .itemDelivered: record.note(.itemDelivered)
        case .itemsLost:
            record.note(.itemsLost)
            record.checks.arrivals.reportedLoss(at: side)
        case .messageReceived(let message):
            record.note(.messageHandled)
            if !record.isHostile(side) {
                record.fail(record.checks.messages.handled(message, at: side, of: countMax))
            }
            guard !isQuiet else {
                return react(.reply(message.id, .reply), at: side, longest: .zero, isQuiet: true, &world)
            }
            var draws = reactionDraws(side, world)
            guard draws.chance(0.85) else { return record.note(.messageIgnored) }
            let choice: Reaction.ReplyChoice = draws.chance(0.8) ? .reply : draws.chance(0.8) ? .decline : .replyTooMuch
            react(.reply(message.id, choice), at: side, longest: .seconds(3), isQuiet: false, &world)
        case .dropped(let drop):
            record.note(CoverageMark(drop))
            if case .tooManyMessages = drop, !record.isHostile(side) {
                record.fail(record.checks.messages.turnsAway(at: side, of: countMax))
            }
        case .notStored: record.note(.itemNotStored)
        }
    }

    /// What waits at a side keeps its bounds, as its store shows.
    private func checkBounds(_ side: Side, _ world: DrawnWorld, _ record: inout RunRecord) {
        let held = world.transferState(of: side).exchange
        let limits = configuration.exchange
        if held.inbox.items.count > limits.inboxCountMax {
            record.fail(.boundedQueues, "\(held.inbox.items.count) items wait in the inbox of \(side.name)")
        }
        let outgoing = held.outboxes.urgent.items.count + held.outboxes.ordinary.items.count
        if outgoing > 2 * limits.outstandingCountMax {
            record.fail(.boundedQueues, "\(outgoing) items wait in the outbox of \(side.name)")
        }
    }

    // MARK: - Files

    private mutating func answered(
        _ request: RequestID, _ answer: FileExchange.Answer, at side: Side, _ world: DrawnWorld,
        _ record: inout RunRecord
    ) {
        close(request, at: side, &record)
        switch answer {
        case .accepted(let id):
            record.note(.fileAccepted)
            guard world.isKnown(side) else { return }
            sentFiles[side.index] = sentFiles[side.index].suffix(7) + [id]
            record.fail(
                record.checks.arrivals.accepted(id, track: nil, at: side, durable: world.transferState(of: side)))
        case .cancelled: record.note(.fileCancelled)
        case .refused(let fault):
            record.note(.fileRefused)
            record.declined(fault, at: side)
        }
    }

    private mutating func happened(
        _ event: FileExchange.Event, at side: Side, _ world: inout DrawnWorld, _ record: inout RunRecord
    ) {
        let isQuiet = record.quiet.phase != nil
        switch event {
        case .received(let offer):
            record.note(isStarting ? .fileToldAgain : .fileReceived)
            if !record.isHostile(side) {
                let bytes = world.received(offer.id, at: side)
                record.fail(record.checks.arrivals.arrived(offer, bytes: bytes, at: side, isStart: isStarting))
            }
            react(.consumeFile(offer.id), at: side, longest: .seconds(2), isQuiet: isQuiet, &world)
        case .ended(let result):
            record.note(result.failure == nil ? .fileDelivered : .fileFailed)
            if !record.isHostile(side) {
                if let failure = result.failure { failed(failure, at: side, &record) }
                record.fail(record.checks.arrivals.ended(result, at: side))
            }
            react(.takeResult(result.id), at: side, longest: .seconds(1), isQuiet: isQuiet, &world)
        case .receiveFailed: record.note(.fileGivenUp)
        case .dropped: record.note(.fileFrameDropped)
        case .notStored: record.note(.fileNotStored)
        case .sent, .receiving: break
        }
    }

    /// A file that a side has sent did not arrive: no fault may damage its bytes.
    private func failed(_ failure: FileFailure, at side: Side, _ record: inout RunRecord) {
        if failure.cause == .damaged {
            record.fail(.wholeFiles, "a file of \(side.name) has other bytes at its receiver")
        } else {
            record.fail(record.quiet.fails(failure, at: side))
        }
    }

    /// A side's disk is given work with a file.
    private func works(
        _ output: FileExchange.Output, at side: Side, _ world: DrawnWorld, _ record: inout RunRecord
    ) {
        switch output {
        case .write(let id, let offset, let bytes):
            if !record.isHostile(side), !world.files[side].belongs(bytes, to: id, at: Int(offset)) {
                record.fail(.wholeFiles, "\(side.name) writes a part of a file where it does not belong")
            }
        case .begin, .discard: record.checks.parts.forget(side)
        case .send, .persist, .read, .release, .sync, .finish, .remove, .answer, .event: break
        }
    }

    // MARK: - Reactions

    private mutating func reactionDraws(_ side: Side, _ world: DrawnWorld) -> SplitMix64 {
        lastReaction[side.index] += 1
        let conditions = world.conditions
        return conditions.draws(of: side.device)[.reaction, conditions.name(2 * lastReaction[side.index], at: side)]
    }

    private mutating func react(
        _ reaction: Reaction, at side: Side, longest: Duration, isQuiet: Bool, _ world: inout DrawnWorld
    ) {
        var draws = reactionDraws(side, world)
        let isSoon = draws.chance(0.8) || isQuiet
        let delay = draws.duration(upTo: isSoon ? .milliseconds(20) : longest)
        world.plan(reaction, at: side, after: delay)
    }
}
