/// The live messages of an exchange, in both directions.
struct MessageExchange: Sendable {
    private let configuration: Exchange.Configuration
    private var sender: MessageSender
    private var receiver: MessageReceiver

    /// Creates an exchange without any messages.
    init(configuration: Exchange.Configuration) {
        self.configuration = configuration
        sender = MessageSender(countMax: configuration.messageCountMax)
        receiver = MessageReceiver(countMax: configuration.messageCountMax)
    }

    /// When ``deadlineReached(_:)`` is due; nil while no message waits.
    var deadline: Instant? { earlier(sender.deadline, receiver.deadline) }

    /// Checks the deadlines.
    mutating func deadlineReached(_ turn: inout ExchangeTurn) {
        receiver.deadlineReached(now: turn.now)
        for outcome in sender.deadlineReached(now: turn.now) { turn.put(.answer(outcome.request, outcome.answer)) }
    }

    /// A session opened.
    mutating func sessionOpened() {
        sender.sessionOpened()
        receiver.reset()
    }

    /// The session ended.
    mutating func sessionClosed(_ turn: inout ExchangeTurn) {
        receiver.reset()
        for outcome in sender.sessionClosed() { turn.put(.answer(outcome.request, outcome.answer)) }
    }

    // MARK: - The application's side

    /// The application sends a message.
    mutating func send(_ message: Message, for request: RequestID, _ turn: inout ExchangeTurn) {
        let limit = configuration.messageByteCountMax
        guard message.payload.count <= limit else {
            let fault = MessageError.payloadTooLarge(byteCount: message.payload.count, limit: limit)
            return turn.put(.answer(request, .failed(fault)))
        }
        guard let session = turn.session else { return turn.put(.answer(request, .failed(.notReachable))) }
        guard sender.hasRoom else {
            return turn.put(.answer(request, .failed(.tooManyMessages(limit: configuration.messageCountMax))))
        }
        let wanted = (message.timeout ?? configuration.messageTimeout).wholeNanoseconds / 1_000_000
        let range = MessageFrame.timeoutMillisecondsRange
        let milliseconds = min(max(wanted, range.lowerBound), range.upperBound)
        let number = sender.sent(
            by: request, wantsReply: message.wantsReply,
            deadline: turn.now.advanced(by: .milliseconds(milliseconds)))
        let frame = MessageFrame(
            number: number, wantsReply: message.wantsReply, timeoutMilliseconds: milliseconds,
            payload: message.payload)
        turn.put(.send(frame.frame(session: session)))
    }

    /// The application replies to a message.
    mutating func reply(_ payload: [UInt8], to id: MessageID, for request: RequestID, _ turn: inout ExchangeTurn) {
        let limit = configuration.messageByteCountMax
        guard payload.count > limit else { return answer(.reply(payload), to: id, for: request, &turn) }
        // The sender learns that no reply will come; this application learns why.
        let text = "the reply takes \(payload.count) bytes, more than \(limit)"
        receiver.release(id)
        if let session = turn.session, id.session == session, receiver.answered(id.number) {
            let refusal = MessageAnswerFrame.declined(.failed, text: text)
            turn.put(.send(refusal.frame(number: id.number, session: session)))
        }
        turn.put(.answer(request, .failed(.payloadTooLarge(byteCount: payload.count, limit: limit))))
    }

    /// Sends the application's answer to a message, if the sender still waits for it.
    mutating func answer(
        _ answer: MessageAnswerFrame, to id: MessageID, for request: RequestID, _ turn: inout ExchangeTurn
    ) {
        receiver.release(id)
        guard let session = turn.session, id.session == session else {
            return turn.put(.answer(request, .failed(.sessionReset)))
        }
        guard receiver.answered(id.number) else {
            return turn.put(.answer(request, .failed(.unknownMessage(id))))
        }
        turn.put(.send(answer.frame(number: id.number, session: session)))
        turn.put(.answer(request, .replySent))
    }

    // MARK: - Frames

    /// A message arrived.
    mutating func received(_ message: MessageFrame, session: UInt64, _ turn: inout ExchangeTurn) {
        guard message.payload.count <= configuration.messageByteCountMax else {
            return turn.drop(.fault(.tooLarge(byteCount: message.payload.count)))
        }
        switch receiver.received(message, session: session, now: turn.now) {
        case .deliver:
            let id = MessageID(session: session, number: message.number)
            let received = ReceivedMessage(id: id, wantsReply: message.wantsReply, payload: message.payload)
            turn.put(.event(.messageReceived(received)))
        case .old:
            turn.counts.oldMessages += 1
            turn.drop(.old(.message))
        case .busy:
            let text = "\(configuration.messageCountMax) messages wait for the application already"
            let refusal = MessageAnswerFrame.declined(.busy, text: text)
            turn.put(.send(refusal.frame(number: message.number, session: session)))
            turn.drop(.tooManyMessages)
        }
    }

    /// An answer to a message of this side arrived.
    mutating func received(_ answer: MessageAnswerFrame, number: UInt64, _ turn: inout ExchangeTurn) {
        if case .reply(let payload) = answer, payload.count > configuration.messageByteCountMax {
            return turn.drop(.fault(.tooLarge(byteCount: payload.count)))
        }
        guard let outcome = sender.received(answer, number: number) else {
            turn.counts.lateReplies += 1
            return turn.drop(.lateReply)
        }
        turn.put(.answer(outcome.request, outcome.answer))
    }
}
