import SyncCore

/// The live messages under way: each reaches its handler at most once, and has exactly one outcome in time.
struct MessageChecker {
    private struct Sent {
        var side: Side
        var deadline: Instant
    }

    private var sent: [UInt64: Sent] = [:]
    private var handled: Set<[UInt8]> = []
    /// By side, the messages that its application has and has not answered.
    private var unanswered: [Side: [MessageID]] = [:]

    mutating func sent(_ request: RequestID, at side: Side, deadline: Instant) {
        sent[request.number] = Sent(side: side, deadline: deadline)
    }

    mutating func handled(_ message: ReceivedMessage, at side: Side, of countMax: Int) -> Checks.Finding? {
        unanswered[side, default: []].append(message.id)
        guard handled.insert(message.payload).inserted else {
            return Checks.Finding(.atMostOnce, "a message reaches its handler at \(side.name) twice")
        }
        guard let count = unanswered[side]?.count, count > countMax else { return nil }
        return Checks.Finding(.boundedQueues, "\(count) messages wait for the application of \(side.name)")
    }

    /// Whether a message has reached its handler.
    func isHandled(_ payload: [UInt8]) -> Bool { handled.contains(payload) }

    /// The messages that the application of a side has not answered.
    func unanswered(at side: Side) -> [MessageID] { unanswered[side] ?? [] }

    /// The application of a side answers a message.
    mutating func answers(_ message: MessageID, at side: Side) { unanswered[side]?.removeAll { $0 == message } }

    /// A side has no room for a message, although its application has fewer than it may have.
    func turnsAway(at side: Side, of countMax: Int) -> Checks.Finding? {
        guard unanswered(at: side).count < countMax else { return nil }
        return Checks.Finding(
            .answers, "\(side.name) has room for \(countMax) messages, has \(unanswered(at: side).count) and declines")
    }

    /// The messages of a side that have no outcome: never more than may wait.
    func bounds(at side: Side, of countMax: Int) -> Checks.Finding? {
        let count = sent.values.count { $0.side == side }
        guard count > countMax else { return nil }
        return Checks.Finding(.boundedQueues, "\(count) messages of \(side.name) wait for their outcome")
    }

    /// A message is declined because too many wait: there must have been that many before it.
    func declines(_ request: RequestID, of countMax: Int) -> Checks.Finding? {
        guard let side = sent[request.number]?.side else { return nil }
        let count = sent.values.count { $0.side == side } - 1
        guard count < countMax else { return nil }
        return Checks.Finding(.answers, "\(side.name) declines a message when \(count) wait, of \(countMax)")
    }

    /// A request has an outcome; it may be as late as the process handles it.
    mutating func ended(_ request: RequestID, now: Instant, awake: Instant) -> Checks.Finding? {
        guard let message = sent.removeValue(forKey: request.number) else {
            return Checks.Finding(.atMostOnce, "message \(request.number) has a second outcome")
        }
        guard now > max(message.deadline, awake).advanced(by: .milliseconds(10)) else { return nil }
        return Checks.Finding(.atMostOnce, "message \(request.number) ends later than its deadline")
    }

    /// A message was declined at once, with a reason.
    mutating func withdraw(_ request: RequestID) { sent[request.number] = nil }

    /// The session of a side has ended, and with it each message that waited in it.
    func sessionEnded(_ side: Side) -> Checks.Finding? {
        guard let number = sent.filter({ $0.value.side == side }).keys.min() else { return nil }
        return Checks.Finding(.atMostOnce, "message \(number) of \(side.name) outlives its session")
    }

    /// The process of a side ends, and with it all that waits.
    mutating func forget(_ side: Side) {
        sent = sent.filter { $0.value.side != side }
        forgetReceived(at: side)
    }

    /// The pairing of a side has ended: its next one counts anew what waits for the application.
    mutating func forgetReceived(at side: Side) { unanswered[side] = nil }

    /// A message that should have ended long ago.
    func overdue(now: Instant) -> UInt64? {
        sent.filter { $0.value.deadline.advanced(by: .seconds(1)) < now }.keys.min()
    }
}
