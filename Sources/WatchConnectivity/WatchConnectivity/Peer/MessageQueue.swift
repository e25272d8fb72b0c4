import SyncCore

/// The live messages of an app's process, in both directions; none of them is durable.
///
/// The engine limits the received messages: it keeps a place for each message until it is confirmed, answered or
/// refused. So every message that leaves the inbox, or whose reply is no longer expected, must be answered, even if
/// its sender has given up.
struct MessageQueue: Sendable {
    /// A message that the app sent and that has no result yet.
    private struct Sent: Sendable {
        var payload: [UInt8]
        var isData: Bool
        var wantsReply: Bool
        var hasErrorHandler: Bool
        /// When its sender gives up.
        var deadline: Instant
        /// Whether the engine has it.
        var isHandedOver = false
    }

    /// A message that arrived and waits for the app.
    private struct Arrived: Sendable {
        var ticket: UInt64
        var id: MessageID
        var payload: [UInt8]
        var isData: Bool
        var wantsReply: Bool
        /// When its sender gives up.
        var deadline: Instant
        /// Until when its delivery is delayed.
        var heldUntil: Instant
    }

    /// The most messages that the engine has at a time: half of the other side's limit.
    private static let handedOverCountMax = 128
    /// The most bytes of a live message, or of user info, that the engine accepts.
    static let byteCountLimit = 262_144

    private var sent: [PeerState.MessageToken: Sent] = [:]
    /// The messages that the engine does not have yet, oldest first; some may have ended meanwhile.
    private var unsent = Queue<PeerState.MessageToken>()
    private var handedOverCount = 0
    /// The messages that wait for the app.
    private var inbox = Queue<Arrived>()
    /// The messages that the app has to reply to, with the deadlines of their senders.
    private var awaited: [MessageID: Instant] = [:]

    // MARK: - Sending

    /// The app sends a live message; it gets exactly one result.
    mutating func send(
        _ live: PeerState.Live, as token: PeerState.MessageToken, hasErrorHandler: Bool, hasDelegate: Bool,
        _ core: inout PeerCore
    ) {
        let what = live.isData ? "sendMessageData" : "sendMessage"
        let code =
            core.refusal(of: what, hasDelegate: hasDelegate) ?? fault(of: live.payload, what, &core)
            ?? (core.knownFacts.isReachable ? nil : .notReachable)
        guard code == nil, case .bytes(let bytes, _) = live.payload else {
            return fail(token, code ?? .genericError, hasErrorHandler: hasErrorHandler, &core)
        }
        core.note(.app("\(what) \(token.number): \(bytes.count) bytes\(live.wantsReply ? ", wants a reply" : "")"))
        let timeout = min(max(core.behaviour.replyTimeout, .milliseconds(1)), .seconds(3600))
        sent[token] = Sent(
            payload: bytes, isData: live.isData, wantsReply: live.wantsReply, hasErrorHandler: hasErrorHandler,
            deadline: core.now.advanced(by: timeout))
        unsent.append(token)
    }

    /// Hands messages to the engine in order, as far as it has room.
    mutating func handOver(_ core: inout PeerCore) {
        while handedOverCount < Self.handedOverCountMax, let token = unsent.popFirst() {
            guard let message = sent[token] else { continue }
            sent[token]?.isHandedOver = true
            handedOverCount += 1
            let left = core.now.duration(to: message.deadline)
            let milliseconds = UInt64(max(1, left.wholeNanoseconds / 1_000_000))
            core.note(.link("→ message \(token.number), \(message.payload.count) bytes"))
            let envelope = Envelope.live(
                isData: message.isData, timeoutMilliseconds: milliseconds, message.payload)
            let request = Message(payload: envelope.encoded, wantsReply: message.wantsReply, timeout: left)
            core.ask(.message(request), .message(token))
        }
    }

    /// The engine has the result of a message.
    mutating func answered(
        _ token: PeerState.MessageToken, _ answer: TransferAnswer?, _ core: inout PeerCore
    ) {
        handedOverCount -= 1
        guard let message = sent[token] else { return }
        switch answer {
        case .exchange(.replied(let payload)):
            sent[token] = nil
            core.note(.link("← reply to message \(token.number), \(payload.count) bytes"))
            core.delegateCalls.call(.replyHandler(token, payload, isData: message.isData))
        case .exchange(.delivered):
            sent[token] = nil
            core.note(.link("message \(token.number) was handled"))
            core.delegateCalls.call(.messageSettled(token))
        case .exchange(.failed(let fault)):
            fail(token, Self.code(of: fault, isLate: message.deadline <= core.now), &core)
        case .exchange, .files, nil:
            fail(token, .deliveryFailed, &core)
        }
    }

    private static func code(of fault: MessageError, isLate: Bool) -> WCError.Code {
        switch fault {
        case .notReachable, .sessionReset: .notReachable
        case .payloadTooLarge: .payloadTooLarge
        case .tooManyMessages, .unknownMessage: .deliveryFailed
        case .replyTimedOut: .messageReplyTimedOut
        case .replyFailed(let text): code(in: text) ?? .messageReplyFailed
        case .deliveryFailed(let text): code(in: text) ?? (isLate ? .transferTimedOut : .deliveryFailed)
        }
    }

    /// The error code at the start of a refusal's text; nil if the text has none.
    private static func code(in text: String) -> WCError.Code? {
        Int(text.prefix { $0 != " " }).flatMap(WCError.Code.init)
    }

    /// Ends a message that was sent, with an error.
    private mutating func fail(_ token: PeerState.MessageToken, _ code: WCError.Code, _ core: inout PeerCore) {
        guard let message = sent.removeValue(forKey: token) else { return }
        fail(token, code, hasErrorHandler: message.hasErrorHandler, &core)
    }

    private func fail(
        _ token: PeerState.MessageToken, _ code: WCError.Code, hasErrorHandler: Bool, _ core: inout PeerCore
    ) {
        core.note(.app("message \(token.number) failed: \(code.rawValue)"))
        guard hasErrorHandler else {
            // Without an error handler, only the trace reports the failure.
            core.warn(
                "message \(token.number) failed with \(code.rawValue), and there is no errorHandler to report it to")
            return core.delegateCalls.call(.messageSettled(token))
        }
        let isTwice = core.behaviour.callsErrorHandlerTwice
        if isTwice { core.delegateCalls.call(.errorHandler(token, code, comesAgain: true)) }
        core.delegateCalls.call(.errorHandler(token, isTwice ? .messageReplyTimedOut : code, comesAgain: false))
    }

    /// Ends all messages without a result, in the order in which they were sent.
    mutating func failAll(_ code: WCError.Code, _ core: inout PeerCore) {
        for token in sent.keys.sorted(by: { $0.number < $1.number }) { fail(token, code, &core) }
    }

    /// The counterpart became unreachable: messages that were not sent yet will not be delivered.
    mutating func reachabilityLost(_ core: inout PeerCore) {
        let tokens = sent.filter { !$0.value.isHandedOver }.keys
        for token in tokens.sorted(by: { $0.number < $1.number }) { fail(token, .notReachable, &core) }
    }

    // MARK: - Receiving

    /// A live message arrived, with the time limit of its sender.
    mutating func arrived(
        _ message: ReceivedMessage, _ payload: [UInt8], isData: Bool, timeoutMilliseconds: UInt64,
        _ core: inout PeerCore
    ) {
        let timeout = Duration.milliseconds(Int64(min(max(timeoutMilliseconds, 1), 3_600_000)))
        let arrived = Arrived(
            ticket: core.delegateCalls.nextTicket(), id: message.id, payload: payload, isData: isData,
            wantsReply: message.wantsReply, deadline: core.now.advanced(by: timeout),
            heldUntil: core.now.advanced(by: core.behaviour.messageDelay))
        core.note(.link("← message, \(payload.count) bytes\(message.wantsReply ? ", wants a reply" : "")"))
        guard core.device.own.isInstalled else {
            return core.decline(message.id, core.notInstalledCode, "the app is not installed")
        }
        // A live message does not wake a watch app.
        if core.role == .watch, core.presence != .foreground {
            return core.decline(message.id, .notReachable, "the watch app is not in front")
        }
        inbox.append(arrived)
        if core.role == .phone, !core.appState.isRunning {
            core.note(.device("a message of the watch launches the app"))
            core.put(.launchApp(.message))
        }
    }

    /// The next call of the app.
    func due(at now: Instant) -> DelegateCallQueue.Due? {
        guard let message = inbox.first, message.heldUntil <= now else { return nil }
        let call: PeerState.Call =
            message.wantsReply
            ? .messageWithReply(message.id, message.payload, isData: message.isData)
            : .message(message.payload, isData: message.isData)
        return DelegateCallQueue.Due(ticket: message.ticket, kind: .message(message.id), call: call)
    }

    /// The app is about to be called with a message that asks for a reply.
    mutating func awaitReply(to id: MessageID, at now: Instant) {
        awaited[id] = inbox.all.first { $0.id == id }?.deadline ?? now
    }

    /// The call of the delegate with a message has returned.
    mutating func given(_ id: MessageID, _ handling: PeerState.Handling, _ core: inout PeerCore) {
        guard let message = inbox.all.first(where: { $0.id == id }) else { return }
        inbox.removeAll { $0.id == id }
        switch handling {
        case .handled where message.wantsReply: break
        case .handled: core.confirm(id)
        case .lacksMethod(let name):
            core.warn("the delegate does not implement \(name), so the sender gets 7014")
            awaited[id] = nil
            core.decline(id, .deliveryFailed, "the delegate does not implement \(name)", as: .noHandler)
        case .noDelegate:
            core.warn("a message arrived and the session has no delegate, so the sender gets 7014")
            awaited[id] = nil
            core.decline(id, .deliveryFailed, "the session has no delegate", as: .noHandler)
        }
    }

    /// The app replies.
    mutating func reply(_ payload: PeerState.Payload, to id: MessageID, _ core: inout PeerCore) {
        guard awaited.removeValue(forKey: id) != nil else {
            // The reply is dropped: the message was answered, or its time limit has passed.
            return core.warn("a reply goes nowhere: its message has one already, or its sender has given up")
        }
        guard fault(of: payload, "reply", &core) == nil, case .bytes(let bytes, _) = payload else {
            return core.decline(id, .messageReplyFailed, "the reply could not be sent")
        }
        core.note(.link("→ reply, \(bytes.count) bytes"))
        core.ask(.reply(id, bytes), .reply)
    }

    private func fault(of payload: PeerState.Payload, _ what: String, _ core: inout PeerCore) -> WCError.Code? {
        core.fault(
            of: payload, limit: core.behaviour.messageByteCountMax, sentLimit: Self.byteCountLimit, what)
    }

    /// Refuses the messages that wait for the app.
    mutating func declineWaiting(_ code: WCError.Code, _ text: String, _ core: inout PeerCore) {
        for id in takeWaiting(&core) { core.decline(id, code, text) }
    }

    /// Removes the messages that wait for the app, oldest first, except the one of the present call.
    private mutating func takeWaiting(_ core: inout PeerCore) -> [MessageID] {
        core.delegateCalls.withdraw { if case .message = $0 { true } else { false } }
        let waiting = inbox.all.map(\.id).filter { !core.delegateCalls.isRunning(.message($0)) }
        inbox.removeAll { waiting.contains($0.id) }
        return waiting
    }

    // MARK: - Ending

    /// The app's process ended: the messages that it sent are dropped, and those that it did not answer are refused.
    mutating func processEnded(_ core: inout PeerCore) {
        sent = [:]
        unsent = Queue()
        let begun = inbox.all.filter { core.delegateCalls.isRunning(.message($0.id)) }
        inbox.removeAll { message in begun.contains { $0.id == message.id } }
        let unanswered = Set(awaited.keys).union(begun.map(\.id))
        awaited = [:]
        for id in unanswered.inOrder {
            core.decline(id, .deliveryFailed, "the app ended before it had handled the message")
        }
    }

    /// The link closed: the senders of the waiting messages have already given up.
    ///
    /// The engine gets a refusal anyway, here and wherever a message is given up. It keeps a place for each message
    /// until this side has answered it, so that unanswered messages cannot fill the memory.
    mutating func linkClosed(_ core: inout PeerCore) {
        let waiting = takeWaiting(&core)
        for id in waiting { core.note(.link("message \(id.number) was not delivered: the link closed")) }
        let unanswered = Set(awaited.keys).union(waiting)
        awaited = [:]
        for id in unanswered.inOrder { core.decline(id, .notReachable, "the link closed") }
    }

    // MARK: - Time

    func deadline(_ core: PeerCore) -> Instant? {
        let first = unsent.all.lazy.compactMap { sent[$0]?.deadline }.first
        // The message of the present call no longer has a deadline.
        let waiting = inbox.all.lazy.filter { !core.delegateCalls.isRunning(.message($0.id)) }
            .map { $0.heldUntil > core.now ? min($0.heldUntil, $0.deadline) : $0.deadline }.min()
        return [first, waiting, awaited.values.min()].compactMap(\.self).min()
    }

    mutating func timeReached(_ core: inout PeerCore) {
        let now = core.now
        while let token = unsent.first, sent[token].map({ $0.deadline <= now }) ?? true {
            unsent.popFirst()
            guard let message = sent[token] else { continue }
            fail(token, message.wantsReply ? .messageReplyTimedOut : .transferTimedOut, &core)
        }
        for message in inbox.all where message.deadline <= now && !core.delegateCalls.isRunning(.message(message.id)) {
            core.warn("a message was not taken in time: the app was not activated, or was busy")
            core.delegateCalls.withdraw { $0 == .message(message.id) }
            inbox.removeAll { $0.id == message.id }
            let code: WCError.Code = message.wantsReply ? .messageReplyTimedOut : .transferTimedOut
            core.decline(message.id, code, "the app did not take the message in time")
        }
        let late = Set(awaited.filter { $0.value <= now }.keys)
        guard !late.isEmpty else { return }
        // If these replies still come, ``reply(_:to:_:)`` drops them.
        core.warn("the app did not reply in time, so the sender gets 7012")
        awaited = awaited.filter { $0.value > now }
        for id in late.inOrder { core.decline(id, .messageReplyTimedOut, "the app did not reply in time") }
    }
}

extension Set<MessageID> {
    /// The messages in the order of their arrival within each session.
    fileprivate var inOrder: [MessageID] { sorted { ($0.session, $0.number) < ($1.session, $1.number) } }
}
