import SyncCore

/// The live messages under way: each reaches its handler at most once, and has exactly one outcome in time.
struct MessageBook {
    private struct Sent {
        var side: Side
        var deadline: Instant
    }

    private var sent: [UInt64: Sent] = [:]
    private var handled: Set<[UInt8]> = []

    mutating func sent(_ request: RequestID, at side: Side, deadline: Instant) {
        sent[request.number] = Sent(side: side, deadline: deadline)
    }

    mutating func handled(_ message: ReceivedMessage, at side: Side) -> Checks.Finding? {
        guard !handled.insert(message.payload).inserted else { return nil }
        return Checks.Finding(.atMostOnce, "a message reaches its handler at \(side.name) twice")
    }

    /// An outcome of a request, which may come as late as the process came to it.
    mutating func ended(_ request: RequestID, now: Instant, awake: Instant) -> Checks.Finding? {
        guard let message = sent.removeValue(forKey: request.number) else {
            return Checks.Finding(.atMostOnce, "message \(request.number) has a second outcome")
        }
        guard now > max(message.deadline, awake).advanced(by: .milliseconds(10)) else { return nil }
        return Checks.Finding(.atMostOnce, "message \(request.number) ends later than its deadline")
    }

    /// A message was declined at once, in words.
    mutating func withdraw(_ request: RequestID) { sent[request.number] = nil }

    /// The session of a side has ended, and with it each message that waited in it.
    func sessionEnded(_ side: Side) -> Checks.Finding? {
        guard let number = sent.filter({ $0.value.side == side }).keys.min() else { return nil }
        return Checks.Finding(.atMostOnce, "message \(number) of \(side.name) outlives its session")
    }

    /// The process of a side ends, and with it all that waits.
    mutating func forget(_ side: Side) { sent = sent.filter { $0.value.side != side } }

    /// A message that should have ended long ago.
    func overdue(now: Instant) -> UInt64? {
        sent.filter { $0.value.deadline.advanced(by: .seconds(1)) < now }.keys.min()
    }
}
