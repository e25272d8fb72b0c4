import SyncCore

extension PeerState {
    // MARK: - Sending

    /// The app sends a live message; it gets one outcome (rule R53).
    mutating func send(_ live: Live, as token: MessageToken, hasErrorHandler: Bool, hasDelegate: Bool) {
        let what = live.isData ? "sendMessageData" : "sendMessage"
        let limit = min(behaviour.messageByteCountMax, Self.messageByteCountLimit)
        let code =
            refusal(of: what, hasDelegate: hasDelegate) ?? fault(of: live.payload, limit: limit, what)
            ?? (desk.noticed.isReachable ? nil : .notReachable)
        guard code == nil, case .bytes(let bytes) = live.payload else {
            return fail(token, code ?? .genericError, hasErrorHandler: hasErrorHandler)
        }
        note(.app("\(what) \(token.number): \(bytes.count) bytes\(live.wantsReply ? ", wants a reply" : "")"))
        messages.sent[token] = MessageQueue.Sent(
            payload: bytes, isData: live.isData, wantsReply: live.wantsReply, hasErrorHandler: hasErrorHandler,
            deadline: moment.monotonic.advanced(by: replyTimeout))
        messages.unsent.append(token)
    }

    private var replyTimeout: Duration {
        min(max(behaviour.replyTimeout, .milliseconds(1)), .seconds(3600))
    }

    /// Hands over what the engine has room for, in order (rules R50, R70).
    mutating func sendMessages() {
        while messages.handedOverCount < MessageQueue.handedOverCountMax, let token = messages.unsent.popFirst() {
            guard let message = messages.sent[token] else { continue }
            messages.sent[token]?.isHandedOver = true
            messages.handedOverCount += 1
            let left = moment.monotonic.duration(to: message.deadline)
            let milliseconds = UInt64(max(1, left.wholeNanoseconds / 1_000_000))
            note(.link("→ message \(token.number), \(message.payload.count) bytes"))
            let envelope = Envelope.live(
                isData: message.isData, timeoutMilliseconds: milliseconds, message.payload)
            let request = Message(payload: envelope.encoded, wantsReply: message.wantsReply, timeout: left)
            ask(.message(request)) { me, answer in me.messageAnswered(token, answer) }
        }
    }

    private mutating func messageAnswered(_ token: MessageToken, _ answer: TransferAnswer?) {
        messages.handedOverCount -= 1
        guard let message = messages.sent[token] else { return }
        switch answer {
        case .exchange(.replied(let payload)):
            messages.sent[token] = nil
            note(.link("← reply to message \(token.number), \(payload.count) bytes"))
            desk.call(.replyHandler(token, payload, isData: message.isData))
        case .exchange(.delivered):
            messages.sent[token] = nil
            note(.link("message \(token.number) was handled"))
            desk.call(.messageSettled(token))
        case .exchange(.failed(let fault)):
            fail(token, code(of: fault, of: message))
        case .exchange, .files, nil:
            fail(token, .deliveryFailed)
        }
    }

    private func code(of fault: MessageFault, of message: MessageQueue.Sent) -> WCError.Code {
        switch fault {
        case .notReachable, .sessionReset: .notReachable
        case .payloadTooLarge: .payloadTooLarge
        case .tooManyMessages, .unknownMessage: .deliveryFailed
        case .replyTimedOut: .messageReplyTimedOut
        case .replyFailed(let text): Self.code(in: text) ?? .messageReplyFailed
        case .deliveryFailed(let text):
            Self.code(in: text) ?? (message.deadline <= moment.monotonic ? .transferTimedOut : .deliveryFailed)
        }
    }

    /// Ends a message that was sent.
    private mutating func fail(_ token: MessageToken, _ code: WCError.Code) {
        guard let message = messages.sent.removeValue(forKey: token) else { return }
        fail(token, code, hasErrorHandler: message.hasErrorHandler)
    }

    private mutating func fail(_ token: MessageToken, _ code: WCError.Code, hasErrorHandler: Bool) {
        note(.app("message \(token.number) failed: \(code.rawValue)"))
        guard hasErrorHandler else {
            // Rule R49.
            warn("message \(token.number) failed with \(code.rawValue), and nobody learns of it: no errorHandler")
            return desk.call(.messageSettled(token))
        }
        if behaviour.callsErrorHandlerTwice { desk.call(.errorHandler(token, code, comesAgain: true)) }
        let last: WCError.Code = behaviour.callsErrorHandlerTwice ? .messageReplyTimedOut : code
        desk.call(.errorHandler(token, last, comesAgain: false))
    }

    /// Ends all messages that have no outcome yet, in the order in which they were sent.
    mutating func failMessages(_ code: WCError.Code, onlyUnsent: Bool = false) {
        let tokens = messages.sent.filter { !onlyUnsent || !$0.value.isHandedOver }.keys
        for token in tokens.sorted(by: { $0.number < $1.number }) { fail(token, code) }
    }

    /// What is not sent yet will not be delivered (rule R57).
    mutating func reachabilityLost() {
        failMessages(.notReachable, onlyUnsent: true)
    }

    // MARK: - Receiving

    /// A message of the engine arrived: an envelope of one of the lanes.
    mutating func received(_ message: ReceivedMessage) {
        switch Envelope(message.payload) {
        case .status(let status): received(status, in: message.id)
        case .context(let version, let payload):
            received(ContextQueue.Versioned(version: version, payload: payload), in: message.id)
        case .drop(let id): receivedDrop(of: id, in: message.id)
        case .live(let isData, let timeout, let payload):
            let now = moment.monotonic
            let milliseconds = Int64(min(max(timeout, 1), 3_600_000))
            arrived(
                MessageQueue.Arrived(
                    ticket: desk.nextTicket(), id: message.id, payload: payload, isData: isData,
                    wantsReply: message.wantsReply, deadline: now.advanced(by: .milliseconds(milliseconds)),
                    heldUntil: now.advanced(by: behaviour.messageDelay)))
        case nil:
            warn("a message of the other device is not one that this version knows, and was declined")
            decline(message.id, .genericError, "no envelope that this version knows")
        }
    }

    private mutating func arrived(_ message: MessageQueue.Arrived) {
        note(.link("← message, \(message.payload.count) bytes\(message.wantsReply ? ", wants a reply" : "")"))
        guard device.own.isInstalled else { return decline(message.id, notInstalledCode, "the app is not installed") }
        // Rules R40 and R42: nobody wakes a watch app for a message.
        if role == .watch, presence != .foreground {
            return decline(message.id, .notReachable, "the watch app is not in front")
        }
        messages.inbox.append(message)
        if role == .phone, !appState.isRunning {
            note(.device("a message of the watch launches the app"))
            put(.launchApp(.message))
        }
    }

    /// The delegate was called with a message.
    mutating func messageGiven(_ message: MessageQueue.Arrived, _ handling: Handling) {
        messages.inbox.removeAll { $0.id == message.id }
        switch handling {
        case .handled where message.wantsReply: break
        case .handled: confirm(message.id)
        case .lacksMethod(let name):
            warn("the delegate does not implement \(name), so the sender gets 7014")
            refuse(message, .noHandler, "the delegate does not implement \(name)")
        case .noDelegate:
            warn("a message arrived and the session has no delegate, so the sender gets 7014")
            refuse(message, .noHandler, "the session has no delegate")
        }
    }

    private mutating func refuse(_ message: MessageQueue.Arrived, _ refusal: MessageRefusal, _ text: String) {
        messages.awaited[message.id] = nil
        decline(message.id, .deliveryFailed, text, as: refusal)
    }

    /// The app replies (rules R60–R67).
    mutating func reply(_ payload: Payload, to id: MessageID) {
        guard messages.awaited.removeValue(forKey: id) != nil else {
            // Rule R65.
            return warn("a reply goes nowhere: its message has one already, or its sender has given up")
        }
        let limit = min(behaviour.messageByteCountMax, Self.messageByteCountLimit)
        guard fault(of: payload, limit: limit, "reply") == nil, case .bytes(let bytes) = payload else {
            return decline(id, .messageReplyFailed, "the reply could not be sent")
        }
        note(.link("→ reply, \(bytes.count) bytes"))
        ask(.reply(id, bytes)) { me, answer in
            guard case .exchange(.failed(let fault)) = answer else { return }
            me.warn("a reply did not reach its sender: \(fault)")
        }
    }

    /// Declines the messages that wait for the app.
    mutating func declineWaitingMessages(_ code: WCError.Code, _ text: String) {
        for id in takeWaitingMessages() { decline(id, code, text) }
    }

    /// Takes the messages away that wait for the app, oldest first; the one that it is being called with stays.
    private mutating func takeWaitingMessages() -> [MessageID] {
        desk.withdraw { if case .message = $0 { true } else { false } }
        let waiting = messages.inbox.all.map(\.id).filter { !desk.isBegun(.message($0)) }
        messages.inbox.removeAll { waiting.contains($0.id) }
        return waiting
    }

    /// The app's process ended: what it sent and what it was to answer is lost.
    mutating func forgetMessages() {
        messages.sent = [:]
        messages.unsent = Line()
        let begun = messages.inbox.all.filter { desk.isBegun(.message($0.id)) }
        messages.inbox.removeAll { message in begun.contains { $0.id == message.id } }
        let unanswered = Set(messages.awaited.keys).union(begun.map(\.id))
        messages.awaited = [:]
        for id in unanswered.inOrder {
            decline(id, .deliveryFailed, "the app ended before it had handled the message")
        }
    }

    /// The link closed: the senders of what waits have given up already.
    ///
    /// The engine is told all the same, here and wherever a message is given up: it keeps a place for each message
    /// until this side is done with it, so that nobody fills the memory with messages that wait here.
    mutating func linkClosed() {
        let waiting = takeWaitingMessages()
        for id in waiting { note(.link("message \(id.number) was not delivered: the link closed")) }
        let unanswered = Set(messages.awaited.keys).union(waiting)
        messages.awaited = [:]
        for id in unanswered.inOrder { decline(id, .notReachable, "the link closed") }
    }

    // MARK: - Time

    var messageDeadline: Instant? {
        let unsent = messages.unsent.all.lazy.compactMap { messages.sent[$0]?.deadline }.first
        // The one that the app is being called with has no deadline any more.
        let waiting = messages.inbox.all.lazy.filter { !desk.isBegun(.message($0.id)) }
            .map { $0.heldUntil > moment.monotonic ? min($0.heldUntil, $0.deadline) : $0.deadline }.min()
        return [unsent, waiting, messages.awaited.values.min()].compactMap(\.self).min()
    }

    mutating func messagesTimeReached() {
        let now = moment.monotonic
        while let token = messages.unsent.first, messages.sent[token].map({ $0.deadline <= now }) ?? true {
            messages.unsent.popFirst()
            guard let message = messages.sent[token] else { continue }
            fail(token, message.wantsReply ? .messageReplyTimedOut : .transferTimedOut)
        }
        for message in messages.inbox.all where message.deadline <= now && !desk.isBegun(.message(message.id)) {
            warn("a message was not taken in time: the app was not activated, or was busy")
            desk.withdraw { $0 == .message(message.id) }
            messages.inbox.removeAll { $0.id == message.id }
            let code: WCError.Code = message.wantsReply ? .messageReplyTimedOut : .transferTimedOut
            decline(message.id, code, "the app did not take the message in time")
        }
        if let due = messages.awaited.values.min(), due <= now { repliesAreLate(now: now) }
    }

    /// The app owes replies whose senders have given up; rule R65 says what becomes of them if they still come.
    private mutating func repliesAreLate(now: Instant) {
        warn("the app did not reply in time, so the sender gets 7012")
        let late = Set(messages.awaited.filter { $0.value <= now }.keys)
        messages.awaited = messages.awaited.filter { $0.value > now }
        for id in late.inOrder { decline(id, .messageReplyTimedOut, "the app did not reply in time") }
    }
}

extension Set<MessageID> {
    /// The messages in the order in which those of a session arrived.
    fileprivate var inOrder: [MessageID] { sorted { ($0.session, $0.number) < ($1.session, $1.number) } }
}
