import Testing

@testable import SyncCore

/// Live messages: at most once, in order, each with exactly one outcome (I18; rules R47…R69).
@Suite struct MessageTests {
    private func message(_ payload: [UInt8], timeout: Duration? = nil, wantsReply: Bool = true) -> Message {
        Message(payload: payload, wantsReply: wantsReply, timeout: timeout)
    }

    private func opened(_ configuration: Exchange.Configuration = .init()) -> ExchangeScript {
        var script = ExchangeScript(configuration: configuration)
        script.open(1, at: 0)
        return script
    }

    @Test func `a message without a session fails at once`() {
        // Rule R57.
        var script = ExchangeScript()
        script.feed(.message(request(1), message([1])), at: 0)
        #expect(script.claim() == [.answer(request(1), .failed(.notReachable))])
    }

    @Test func `a message over the limit fails before anything else`() {
        // Rules R147, R149.
        var script = ExchangeScript()
        let payload = [UInt8](repeating: 0, count: 65_537)
        script.feed(.message(request(1), message(payload)), at: 0)
        #expect(
            script.claimAnswers() == [.failed(.payloadTooLarge(byteCount: 65_537, limit: 65_536))])
    }

    @Test func `a message may fill half a frame where both sides are told so`() throws {
        // Rule R147: an application's envelope around 262,144 bytes must fit.
        var configuration = Exchange.Configuration()
        configuration.messageByteCountMax = 524_288
        var left = opened(configuration)
        var right = opened(configuration)
        left.feed(.message(request(1), message(Array(repeating: 7, count: 524_288))), at: 0)
        for frame in left.claimFrames() {
            right.feed(.received(try FrameCodec.frame(of: FrameCodec.parts(of: frame))), at: 1)
        }
        let counts = right.claimEvents().map { event -> Int? in
            if case .messageReceived(let message) = event { message.payload.count } else { nil }
        }
        #expect(counts == [524_288])
    }

    @Test func `a message gets its reply`() {
        // Rules R47, R53; R66: an empty reply is a reply.
        var left = opened()
        var right = opened()
        left.feed(.message(request(1), message([1])), at: 0)
        left.feed(.message(request(2), message([2], wantsReply: false)), at: 0)
        for frame in left.claimFrames() { right.feed(.received(frame), at: 1) }
        let ids = (1...2).map { MessageID(session: 1, number: $0) }
        #expect(
            right.claimEvents() == [
                .messageReceived(.init(id: ids[0], wantsReply: true, payload: [1])),
                .messageReceived(.init(id: ids[1], wantsReply: false, payload: [2])),
            ])
        right.feed(.reply(request(8), ids[1], []), at: 2)
        right.feed(.reply(request(9), ids[0], [7, 7]), at: 2)
        let outputs = right.claim()
        #expect(outputs.contains(.answer(request(9), .replySent)))
        for case .send(let frame) in outputs { left.feed(.received(frame), at: 3) }
        #expect(left.claim() == [.answer(request(2), .delivered), .answer(request(1), .replied([7, 7]))])
        #expect(left.engine.nextDeadline == nil)
    }

    @Test func `a message fails at its deadline, and a late reply is dropped and counted`() {
        // I18; rules R60, R62, R64.
        var left = opened()
        left.feed(.message(request(1), message([1], timeout: .milliseconds(500))), at: 0)
        left.feed(.message(request(2), message([2], wantsReply: false)), at: 0)
        #expect(left.engine.nextDeadline == instant(500))
        _ = left.claim()
        let reply = MessageAnswerFrame.reply([3]).frame(number: 1, session: 1)
        // It arrives exactly at the deadline, which is too late.
        left.feed(.received(reply), at: 500)
        #expect(
            left.claim() == [.answer(request(1), .failed(.replyTimedOut)), .event(.dropped(.lateReply))])
        #expect(left.engine.counts.lateReplies == 1)
        left.feed(.timeReached, at: 10_000)
        #expect(left.claimAnswers() == [.failed(.deliveryFailed("the message was not confirmed in time"))])
    }

    @Test func `the end of the session fails what waits`() {
        var left = opened()
        left.feed(.message(request(1), message([1])), at: 0)
        _ = left.claim()
        left.feed(.sessionClosed, at: 1)
        #expect(left.claimAnswers() == [.failed(.sessionReset)])
        left.open(2, at: 2)
        left.feed(.received(MessageAnswerFrame.reply([3]).frame(number: 1, session: 2)), at: 3)
        #expect(left.claim() == [.event(.dropped(.lateReply))])
        left.feed(.received(MessageAnswerFrame.reply([3]).frame(number: 1, session: 1)), at: 3)
        #expect(left.claim() == [.event(.dropped(.foreignSession(.reply)))])
    }

    @Test func `a message that arrives twice or was overtaken reaches no handler`() {
        // I18, rule R50.
        var right = opened()
        for number: UInt64 in [2, 2, 1, 3] {
            let frame = MessageFrame(number: number, wantsReply: true, timeoutMilliseconds: 1000, payload: [])
            right.feed(.received(frame.frame(session: 1)), at: 0)
        }
        let numbers = right.claimEvents().compactMap { event -> UInt64? in
            guard case .messageReceived(let message) = event else { return nil }
            return message.id.number
        }
        #expect(numbers == [2, 3])
        #expect(right.engine.counts.oldMessages == 2)
    }

    @Test(arguments: [
        (MessageRefusal.failed, true, MessageError.replyFailed("why")), (.noHandler, true, .deliveryFailed("why")),
        (.busy, true, .deliveryFailed("why")), (.failed, false, .deliveryFailed("why")),
    ])
    func `a refusal has its error`(_ refusal: MessageRefusal, wantsReply: Bool, fault: MessageError) {
        // Rules R48, R56, R67.
        var left = opened()
        var right = opened()
        left.feed(.message(request(1), message([1], wantsReply: wantsReply)), at: 0)
        for frame in left.claimFrames() { right.feed(.received(frame), at: 1) }
        right.feed(.decline(request(9), MessageID(session: 1, number: 1), refusal, text: "why"), at: 2)
        for frame in right.claimFrames() { left.feed(.received(frame), at: 3) }
        #expect(left.claimAnswers() == [.failed(fault)])
    }

    @Test func `a second reply, one after the deadline and one after the session are told so`() {
        // Rule R65: the second is ignored.
        var right = opened()
        for number: UInt64 in 1...3 {
            let frame = MessageFrame(number: number, wantsReply: true, timeoutMilliseconds: 1000, payload: [])
            right.feed(.received(frame.frame(session: 1)), at: 0)
        }
        _ = right.claim()
        let ids = (1...3).map { MessageID(session: 1, number: $0) }
        right.feed(.reply(request(1), ids[0], [1]), at: 1)
        right.feed(.reply(request(2), ids[0], [1]), at: 1)
        #expect(right.claimAnswers() == [.replySent, .failed(.unknownMessage(ids[0]))])
        right.feed(.reply(request(3), ids[1], [1]), at: 1000)
        #expect(right.claimAnswers() == [.failed(.unknownMessage(ids[1]))])
        right.feed(.sessionClosed, at: 1001)
        right.feed(.reply(request(4), ids[2], [1]), at: 1002)
        #expect(right.claimAnswers() == [.failed(.sessionReset)])
    }

    @Test func `a reply over the limit fails on both sides`() {
        // Rule R67.
        var left = opened()
        var right = opened()
        left.feed(.message(request(1), message([1])), at: 0)
        for frame in left.claimFrames() { right.feed(.received(frame), at: 1) }
        _ = right.claim()
        right.feed(.reply(request(2), MessageID(session: 1, number: 1), Array(repeating: 0, count: 65_537)), at: 2)
        let outputs = right.claim()
        #expect(
            outputs.last == .answer(request(2), .failed(.payloadTooLarge(byteCount: 65_537, limit: 65_536))))
        for case .send(let frame) in outputs { left.feed(.received(frame), at: 3) }
        #expect(left.claimAnswers() == [.failed(.replyFailed("the reply takes 65537 bytes, more than 65536"))])
    }

    @Test func `messages are bounded on both sides`() throws {
        // I7.
        var configuration = Exchange.Configuration()
        configuration.messageCountMax = 2
        var left = opened(configuration)
        var right = opened(configuration)
        for number: UInt64 in 1...3 { left.feed(.message(request(number), message([])), at: 0) }
        #expect(left.claimAnswers() == [.failed(.tooManyMessages(limit: 2))])
        for number: UInt64 in 1...3 {
            let frame = MessageFrame(number: number, wantsReply: true, timeoutMilliseconds: 1000, payload: [])
            right.feed(.received(frame.frame(session: 1)), at: 0)
        }
        let answers = try right.claimFrames().map { try MessageAnswerFrame($0) }
        #expect(answers == [.declined(.busy, text: "2 messages wait for the application already")])
    }

    @Test func `a long refusal fits the frame`() throws {
        let frame = MessageAnswerFrame.declined(.failed, text: String(repeating: "é👩‍👩‍👧‍👦", count: 1000))
            .frame(number: 1, session: 1)
        guard case .declined(.failed, let text) = try MessageAnswerFrame(frame) else { return }
        #expect(text.unicodeScalars.count == 256)
    }
}
