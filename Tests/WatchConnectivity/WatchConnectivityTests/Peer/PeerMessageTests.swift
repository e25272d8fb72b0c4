import SyncCore
import Testing

@testable import WatchConnectivity

/// Live messages between two companions on a real engine.
@Suite struct PeerMessageTests {
    @Test func `a message without a reply is handled, and nothing is called at its sender`() {
        // Rules R47, R55, R70.
        let link = TestLink.active()
        link.watch.send(1, [1, 2, 3])
        link.watch.send(2, [4], isData: true)
        link.settle()
        #expect(link.phone.claim() == [.message([1, 2, 3], isData: false), .message([4], isData: true)])
        #expect(link.watch.claim() == [.messageSettled(token(1)), .messageSettled(token(2))])
    }

    @Test func `a message gets the reply of the other app, even an empty one and from anywhere`() throws {
        // Rules R52, R53, R61, R66.
        let link = TestLink.active()
        link.phone.send(1, [7], wantsReply: true)
        link.settle()
        guard case .messageWithReply(let id, [7], isData: false) = try #require(link.watch.claim().first) else {
            Issue.record("no message")
            return
        }
        link.watch.feed(.reply(id, .bytes([])))
        link.settle()
        #expect(link.phone.claim() == [.replyHandler(token(1), [], isData: false)])
    }

    @Test func `a second reply goes nowhere and is pointed out`() throws {
        // Rule R65.
        let link = TestLink.active()
        link.phone.send(1, [7], wantsReply: true)
        link.settle()
        guard case .messageWithReply(let id, _, _) = try #require(link.watch.claim().first) else { return }
        link.watch.feed(.reply(id, .bytes([1])))
        link.watch.feed(.reply(id, .bytes([2])))
        link.settle()
        #expect(link.phone.claim() == [.replyHandler(token(1), [1], isData: false)])
        #expect(link.watch.warnings.count == 1)
        #expect(link.watch.warnings.first?.hasPrefix("a reply goes nowhere") == true)
    }

    @Test func `an app that has replied is not taken for one that is late`() throws {
        // Rules R62, R65.
        let link = TestLink.active()
        link.phone.send(1, [7], wantsReply: true)
        link.settle()
        guard case .messageWithReply(let id, _, _) = try #require(link.watch.claim().first) else { return }
        link.watch.feed(.reply(id, .bytes([1])))
        link.advance(.seconds(60))
        #expect(link.phone.claim() == [.replyHandler(token(1), [1], isData: false)])
        #expect(link.watch.warnings.isEmpty)
    }

    @Test func `a delegate without the method fails the message with 7014, and the trace names the method`() {
        // Rules R48, R49; P6.
        let link = TestLink.active()
        link.phone.takes = { _ in .lacksMethod("session(_:didReceiveMessage:replyHandler:)") }
        link.watch.send(1, [1], wantsReply: true)
        link.settle()
        #expect(link.watch.claim() == [.errorHandler(token(1), .deliveryFailed, comesAgain: false)])
        #expect(link.phone.warnings.contains { $0.contains("session(_:didReceiveMessage:replyHandler:)") })
    }

    @Test func `a failure without an error handler is pointed out`() {
        // Rule R49; P5.
        let link = TestLink.active()
        link.close()
        _ = link.watch.claim()
        link.watch.feed(
            .send(
                token(1), .init(payload: .bytes([1]), isData: false, wantsReply: false), hasErrorHandler: false,
                hasDelegate: true))
        #expect(link.watch.claim() == [.messageSettled(token(1))])
        #expect(link.watch.warnings.contains { $0.contains("7007") && $0.contains("no errorHandler") })
    }

    @Test func `a payload that cannot travel fails by the error handler`() {
        // Rules R144, R147, R149; P15.
        let link = TestLink.active()
        let payloads: [PeerState.Payload] = [
            .unsupported(keyPath: "a.b", type: "NSNull"), .bytes(Array(repeating: 0, count: 65_537)),
        ]
        for (number, payload) in payloads.enumerated() {
            link.watch.feed(
                .send(
                    token(UInt64(number)), .init(payload: payload, isData: false, wantsReply: false),
                    hasErrorHandler: true, hasDelegate: true))
        }
        link.settle()
        #expect(
            link.watch.claim() == [
                .errorHandler(token(0), .payloadUnsupportedTypes, comesAgain: false),
                .errorHandler(token(1), .payloadTooLarge, comesAgain: false),
            ])
        #expect(link.watch.warnings.first?.contains("a.b") == true)
    }

    @Test func `the checks come in Apple's order`() {
        // Rules R58, R151, R152.
        func code(_ link: TestLink, _ device: TestDevice, hasDelegate: Bool = true) -> WCError.Code? {
            device.calls = []
            device.feed(
                .send(
                    token(9), .init(payload: .unsupported(keyPath: "", type: ""), isData: false, wantsReply: false),
                    hasErrorHandler: true, hasDelegate: hasDelegate))
            guard case .errorHandler(_, let code, _) = device.claim().first else { return nil }
            return code
        }
        let link = TestLink()
        for device in link.devices { device.feed(.appState(.foreground)) }
        #expect(code(link, link.phone, hasDelegate: false) == .sessionMissingDelegate)
        #expect(code(link, link.phone) == .sessionNotActivated)
        for device in link.devices { device.feed(.activate(hasDelegate: true)) }
        #expect(code(link, link.phone) == .deviceNotPaired)
        #expect(code(link, link.watch) == .companionAppNotInstalled)
        for device in link.devices { device.feed(.paired(true)) }
        #expect(code(link, link.phone) == .watchAppNotInstalled)
        link.watch.feed(.watchOnly(true))
        #expect(code(link, link.watch) == .watchOnlyApp)
        link.watch.feed(.watchOnly(false))
        link.open()
        #expect(code(link, link.phone) == .payloadUnsupportedTypes)
        link.close()
        link.phone.send(10, [1])
        #expect(link.phone.claim().last == .errorHandler(token(10), .notReachable, comesAgain: false))
    }

    @Test func `a message of the watch launches the phone's app and waits for its activation`() {
        // Rules R39, R46.
        let link = TestLink.active()
        link.phone.feed(.appState(.notRunning))
        link.watch.send(1, [5])
        link.settle()
        #expect(link.phone.launches == [.message])
        #expect(link.phone.claim().isEmpty)
        link.phone.feed(.appState(.background))
        #expect(link.phone.claim().isEmpty)
        link.phone.feed(.activate(hasDelegate: true))
        link.settle()
        #expect(
            link.phone.claim() == [.activationDidComplete(.activated, nil), .message([5], isData: false)])
        #expect(link.watch.claim() == [.messageSettled(token(1))])
    }

    @Test func `a message that the phone's app never takes times out at its sender and is dropped`() {
        // Rules R46, R60, R62.
        let link = TestLink.active()
        link.phone.feed(.appState(.notRunning))
        link.watch.send(1, [5], wantsReply: true)
        link.watch.send(2, [6])
        link.advance(.seconds(11))
        #expect(
            link.watch.claim() == [
                .errorHandler(token(1), .messageReplyTimedOut, comesAgain: false),
                .errorHandler(token(2), .transferTimedOut, comesAgain: false),
            ])
        link.phone.feed(.appState(.background))
        link.phone.feed(.activate(hasDelegate: true))
        #expect(link.phone.claim() == [.activationDidComplete(.activated, nil)])
    }

    @Test func `nobody wakes a watch app for a message`() {
        // Rules R40, R42.
        let link = TestLink.active(phantom)
        link.watch.feed(.appState(.background))
        link.settle()
        link.phone.send(1, [1])
        link.settle()
        #expect(link.watch.launches.isEmpty)
        #expect(link.watch.claim().isEmpty)
        #expect(link.phone.claim() == [.errorHandler(token(1), .notReachable, comesAgain: false)])
    }

    private var phantom: SessionBehaviour {
        // Rule R45: only so does a message go out at all.
        var behaviour = SessionBehaviour()
        behaviour.claimsReachability = true
        return behaviour
    }

    @Test func `messages go out in order, more than the engine has room for`() {
        // Rules R50, R70, R71.
        let link = TestLink.active()
        for number in 1...400 { link.watch.send(UInt64(number), [UInt8(number % 251)]) }
        link.settle()
        #expect(link.phone.claim() == (1...400).map { .message([UInt8($0 % 251)], isData: false) })
        #expect(link.watch.claim() == (1...400).map { .messageSettled(token(UInt64($0))) })
    }

    @Test func `a message that cannot be delivered any more fails when the link breaks`() {
        // Rules R53, R57.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        link.watch.send(1, [1])
        link.watch.send(2, [2], wantsReply: true)
        link.settle()
        link.close()
        #expect(
            link.watch.claimContent()
                == [1, 2].map {
                    .errorHandler(token($0), .notReachable, comesAgain: false)
                })
    }

    @Test func `a reply that cannot travel fails the message with 7011`() throws {
        // Rule R67.
        let link = TestLink.active()
        link.phone.send(1, [7], wantsReply: true)
        link.settle()
        guard case .messageWithReply(let id, _, _) = try #require(link.watch.claim().first) else { return }
        link.watch.feed(.reply(id, .unsupported(keyPath: "x", type: "NSNull")))
        link.settle()
        #expect(link.phone.claim() == [.errorHandler(token(1), .messageReplyFailed, comesAgain: false)])
    }

    @Test func `a message to an app that ends before it replies fails`() {
        // Rules R59, R69.
        let link = TestLink.active()
        link.watch.send(1, [7], wantsReply: true)
        link.settle()
        link.phone.feed(.appState(.notRunning))
        link.settle()
        #expect(link.watch.claim() == [.errorHandler(token(1), .deliveryFailed, comesAgain: false)])
    }

    @Test func `what a watch app sent fails when it is suspended, and it learns that when it runs again`() {
        // Rule R69.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        link.watch.send(1, [1], wantsReply: true)
        link.settle()
        link.watch.feed(.appState(.suspended))
        #expect(link.watch.claim().isEmpty)
        link.watch.feed(.appState(.foreground))
        #expect(
            link.watch.claimContent() == [
                .errorHandler(token(1), .notReachable, comesAgain: false)
            ])
    }

    @Test func `an ended process gets nothing of what it sent`() {
        // Rule R59.
        let link = TestLink.active()
        link.phone.takes = { _ in nil }
        link.watch.send(1, [1], wantsReply: true)
        link.settle()
        link.watch.feed(.appState(.notRunning))
        link.watch.feed(.appState(.foreground))
        link.watch.feed(.activate(hasDelegate: true))
        link.phone.finishCall()
        link.advance(.seconds(20))
        #expect(link.watch.claim() == [.activationDidComplete(.activated, nil)])
    }

    @Test func `the error handler is called twice where that is asked for`() {
        // Rule R54.
        var behaviour = SessionBehaviour()
        behaviour.callsErrorHandlerTwice = true
        let link = TestLink.active(behaviour)
        link.close()
        _ = link.watch.claim()
        link.watch.send(1, [1])
        #expect(
            link.watch.claim() == [
                .errorHandler(token(1), .notReachable, comesAgain: true),
                .errorHandler(token(1), .messageReplyTimedOut, comesAgain: false),
            ])
    }

    /// What becomes of the messages that an app is sent.
    enum Fate: CaseIterable {
        case handled
        case neverReplied
        case withoutMethod
        case withoutDelegate
        case neverTaken
        case busy
        case linkClosedWhileBusy
        case linkClosedBeforeReply
        case processEnded
        case appRemoved

        /// How the app takes them; nil if the call does not return.
        fileprivate var handling: PeerState.Handling? {
            switch self {
            case .handled, .neverReplied, .neverTaken, .linkClosedBeforeReply: .handled
            case .withoutMethod: .lacksMethod("session(_:didReceiveMessage:)")
            case .withoutDelegate: .noDelegate
            case .busy, .linkClosedWhileBusy, .processEnded, .appRemoved: nil
            }
        }
    }

    @Test(arguments: Fate.allCases)
    func `a message gives its place in the engine back, whatever becomes of it`(fate: Fate) {
        // Rules R48, R55, R57, R60, R69: a sender that has given up must not fill the other side's memory.
        let link = TestLink.active()
        link.phone.takes = { _ in fate.handling }
        if fate == .neverTaken { link.phone.feed(.appState(.notRunning)) }
        for number in 1...4 { link.watch.send(UInt64(number), [1], wantsReply: number % 2 == 0) }
        link.settle()
        switch fate {
        case .handled:
            for case .messageWithReply(let id, _, _) in link.phone.claim() { link.phone.feed(.reply(id, .bytes([2]))) }
        case .linkClosedWhileBusy, .linkClosedBeforeReply: link.close()
        case .processEnded: link.phone.feed(.appState(.notRunning))
        case .appRemoved: link.phone.feed(.installed(false))
        case .neverReplied, .withoutMethod, .withoutDelegate, .neverTaken, .busy: break
        }
        let isTimeUp = [.neverReplied, .neverTaken, .busy, .processEnded].contains(fate)
        if isTimeUp { link.advance(.seconds(11)) }
        link.phone.finishCall()
        #expect(link.phone.unanswered.isEmpty)
    }

    @Test func `senders that give up at once take no place from those who wait`() {
        // Rules R60, R62: 256 messages have a place.
        var behaviour = SessionBehaviour()
        behaviour.replyTimeout = .milliseconds(1)
        let link = TestLink.active(behaviour)
        for number in 1...600 {
            link.watch.send(UInt64(number), [1], wantsReply: true)
            link.advance(.milliseconds(2))
        }
        #expect(link.phone.claim().count == 600)
    }

    @Test func `messages are held back where that is asked for`() {
        // Rule R64.
        var behaviour = SessionBehaviour()
        behaviour.messageDelay = .seconds(3)
        let link = TestLink.active(behaviour)
        link.watch.send(1, [1])
        link.advance(.milliseconds(2999))
        #expect(link.phone.claim().isEmpty)
        link.advance(.milliseconds(1))
        #expect(link.phone.claim() == [.message([1], isData: false)])
    }
}
