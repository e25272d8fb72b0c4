extension Exchange {
    mutating func send(_ message: Message, for request: RequestID, now: Instant) {
        let limit = configuration.messageByteCountMax
        guard message.payload.count <= limit else {
            let fault = MessageFault.payloadTooLarge(byteCount: message.payload.count, limit: limit)
            return put(.answer(request, .failed(fault)))
        }
        guard let session else { return put(.answer(request, .failed(.notReachable))) }
        guard sentMessages.hasRoom else {
            return put(.answer(request, .failed(.tooManyMessages(limit: configuration.messageCountMax))))
        }
        let wanted = (message.timeout ?? configuration.messageTimeout).wholeNanoseconds / 1_000_000
        let range = MessageFrame.timeoutMillisecondsRange
        let milliseconds = min(max(wanted, range.lowerBound), range.upperBound)
        let number = sentMessages.sent(
            by: request, wantsReply: message.wantsReply,
            deadline: now.advanced(by: .milliseconds(milliseconds)))
        let frame = MessageFrame(
            number: number, wantsReply: message.wantsReply, timeoutMilliseconds: milliseconds,
            payload: message.payload)
        put(.send(frame.frame(session: session)))
    }

    mutating func received(_ message: MessageFrame, session: UInt64, now: Instant) {
        guard message.payload.count <= configuration.messageByteCountMax else {
            return drop(.fault(.tooLarge(byteCount: message.payload.count)))
        }
        switch receivedMessages.received(message, session: session, now: now) {
        case .deliver:
            let id = MessageID(session: session, number: message.number)
            put(
                .event(
                    .messageReceived(
                        ReceivedMessage(id: id, wantsReply: message.wantsReply, payload: message.payload))))
        case .old:
            counts.oldMessages += 1
            drop(.old(.message))
        case .busy:
            let text = "\(configuration.messageCountMax) messages wait for the application already"
            put(.send(MessageAnswerFrame.declined(.busy, text: text).frame(number: message.number, session: session)))
            drop(.tooManyMessages)
        }
    }

    mutating func received(_ answer: MessageAnswerFrame, number: UInt64) {
        if case .reply(let payload) = answer, payload.count > configuration.messageByteCountMax {
            return drop(.fault(.tooLarge(byteCount: payload.count)))
        }
        guard let outcome = sentMessages.received(answer, number: number) else {
            counts.lateReplies += 1
            return drop(.lateReply)
        }
        put(.answer(outcome.request, outcome.answer))
    }

    mutating func reply(_ payload: [UInt8], to id: MessageID, for request: RequestID) {
        let limit = configuration.messageByteCountMax
        guard payload.count > limit else { return answer(.reply(payload), to: id, for: request) }
        // The sender learns that no reply will come; this application learns why.
        let text = "the reply takes \(payload.count) bytes, more than \(limit)"
        receivedMessages.release(id)
        if let session, id.session == session, receivedMessages.answered(id.number) {
            put(.send(MessageAnswerFrame.declined(.failed, text: text).frame(number: id.number, session: session)))
        }
        put(.answer(request, .failed(.payloadTooLarge(byteCount: payload.count, limit: limit))))
    }

    /// Sends the application's answer to a message, if the sender still waits for it.
    mutating func answer(_ answer: MessageAnswerFrame, to id: MessageID, for request: RequestID) {
        receivedMessages.release(id)
        guard let session, id.session == session else { return put(.answer(request, .failed(.sessionReset))) }
        guard receivedMessages.answered(id.number) else {
            return put(.answer(request, .failed(.unknownMessage(id))))
        }
        put(.send(answer.frame(number: id.number, session: session)))
        put(.answer(request, .replySent))
    }
}
