import Foundation
import Platform
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Rules R47–R71 with two sessions.
@Suite struct MessageTests {
    /// A delegate without the methods for messages with a reply.
    private final class SilentDelegate: NSObject, WCSessionDelegate {
        func session(
            _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
            error: (any Error)?
        ) {}
    }

    @Test func `a message goes to the method for its kind and no other`() throws {
        // R47, R55, R66, R70
        let duo = try Duo()
        duo.watch.answer = { _ in [:] }
        duo.watch.answerToData = { _ in Data() }
        let told = duo.pair.phone.tell(["n": 1])
        let asked = duo.pair.phone.ask(["n": 2])
        duo.pair.phone.sendMessageData(Data([3]), replyHandler: nil)
        let dataReply = Lock<Data?>(nil)
        duo.pair.phone.sendMessageData(Data([4]), replyHandler: { data in dataReply.withLock { $0 = data } })
        duo.pair.settle()
        #expect(
            duo.watch.calls == [
                "didReceiveMessage", "didReceiveMessage replyHandler", "didReceiveMessageData",
                "didReceiveMessageData replyHandler",
            ])
        #expect(told.count == 0)
        #expect(asked.replies.count == 1 && asked.replies.first?.isEmpty == true)
        #expect(dataReply.withLock { $0 } == Data())
    }

    @Test func `a message without an answer can fail with another framework's error`() throws {
        // R153
        var behaviour = SessionBehaviour()
        behaviour.failsWithForeignErrors = true
        let silent = SilentDelegate()
        let duo = try Duo(behaviour: behaviour)
        let errors = Lock<[NSError]>([])
        let keep: (any Error) -> Void = { error in
            let error = error as NSError
            errors.withLock { $0.append(error) }
        }
        duo.pair.phone.sendMessage(["n": 1], replyHandler: { _ in }, errorHandler: keep)
        duo.pair.advance(by: .seconds(11))
        // What is no matter of time keeps its code.
        duo.pair.watch.delegate = silent
        duo.pair.phone.sendMessage(["n": 2], replyHandler: { _ in }, errorHandler: keep)
        duo.pair.settle()
        #expect(
            errors.withLock { $0.map { "\($0.domain) \($0.code)" } } == [
                "com.apple.identityservices.error 23", "WCErrorDomain 7014",
            ])
        #expect(errors.withLock { $0.first?.localizedDescription } == "Timed out")
    }

    @Test func `a delegate that lacks the method makes the message fail with 7014`() throws {
        // R48, R49
        let duo = try Duo()
        let silent = SilentDelegate()
        duo.pair.watch.delegate = silent
        let asked = duo.pair.phone.ask(["n": 1])
        let told = duo.pair.phone.tell(["n": 2])
        duo.pair.settle()
        #expect(asked.codes == [.deliveryFailed] && told.codes == [.deliveryFailed])
    }

    @Test func `messages arrive in the order in which they were sent`() throws {
        // R50
        let duo = try Duo()
        duo.pair.link.faults.delays = .zero ... .milliseconds(200)
        for number in 0..<30 { _ = duo.pair.phone.tell(["n": number]) }
        duo.pair.advance(by: .seconds(20))
        #expect(numbers(duo.watch.messages) == Array(0..<30))
    }

    @Test func `no handler runs within the call, and all on a background queue, one at a time`() throws {
        // R51, R52, R137, R142
        let duo = try Duo()
        duo.watch.answer = { $0 }
        let isBusy = Lock(false)
        let enter: @Sendable () -> Void = {
            dispatchPrecondition(condition: .notOnQueue(.main))
            let wasBusy = isBusy.withLock { busy in
                defer { busy = true }
                return busy
            }
            #expect(!wasBusy)
            isBusy.withLock { $0 = false }
        }
        duo.phone.onCall = { _, _ in enter() }
        duo.pair.phone.sendMessage(["n": 1], replyHandler: { _ in enter() }, errorHandler: { _ in enter() })
        duo.pair.link.cut()
        duo.pair.phone.sendMessage(["n": 2], replyHandler: { _ in enter() }, errorHandler: { _ in enter() })
        duo.pair.settle()
    }

    @Test func `an unreachable counterpart fails with 7007, a missing app with 7006, no watch with 7005`() throws {
        // R57, R58, R152
        let duo = try Duo()
        duo.pair.link.cut()
        duo.pair.settle()
        let unreachable = duo.pair.phone.ask(["n": 1])
        duo.pair.settle()
        #expect(unreachable.codes == [.notReachable])
        duo.pair.link.heal()
        duo.pair.watchDevice.isAppInstalled = false
        duo.pair.phoneDevice.isAppInstalled = true
        duo.pair.settle()
        let missing = duo.pair.phone.ask(["n": 2])
        duo.pair.settle()
        #expect(missing.codes == [.watchAppNotInstalled])
        duo.pair.watchDevice.unpair()
        duo.pair.settle()
        let unpaired = duo.pair.phone.ask(["n": 3])
        duo.pair.settle()
        #expect(unpaired.codes == [.deviceNotPaired])
    }

    @Test func `a session that is not activated fails with 7004`() throws {
        // R58, R151
        let duo = try Duo(isActivated: false)
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.settle()
        #expect(outcome.codes == [.sessionNotActivated])
    }

    @Test func `a message is lost with the process that sent it`() throws {
        // R59
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.link.faults.delays = .seconds(1) ... .seconds(1)
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.phoneDevice.relaunch()
        duo.pair.advance(by: .seconds(60))
        #expect(outcome.count == 0)
    }

    @Test func `a message does not leave a process that ends before the pair is turned`() throws {
        // R59
        let duo = try Duo()
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.phoneDevice.app = .notRunning
        duo.pair.settle()
        #expect(duo.watch.messages.isEmpty && outcome.count == 0)
    }

    @Test func `what a new process sends at once has its outcome`() throws {
        // R53
        let duo = try Duo()
        duo.pair.phoneDevice.app = .notRunning
        duo.pair.phoneDevice.app = .foreground
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.settle()
        #expect(outcome.codes == [.sessionNotActivated])
    }

    @Test func `a reply that never comes fails with 7012, though the message was delivered`() throws {
        // R60, R62, R63
        var behaviour = SessionBehaviour()
        behaviour.replyTimeout = .seconds(3)
        let duo = try Duo(behaviour: behaviour)
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.advance(by: .seconds(2))
        #expect(outcome.count == 0 && numbers(duo.watch.messages) == [1])
        duo.pair.advance(by: .seconds(2))
        #expect(outcome.codes == [.messageReplyTimedOut])
    }

    @Test func `a reply may come later, from another queue, and only the first one counts`() async throws {
        // R61, R65
        let duo = try Duo()
        let replier = LateReplier()
        duo.pair.watch.delegate = replier
        let outcome = duo.pair.phone.ask(["n": 1])
        #expect(await duo.pair.settle { outcome.count > 0 })
        #expect(numbers(outcome.replies) == [2])
    }

    private final class LateReplier: NSObject, WCSessionDelegate {
        func session(
            _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
            error: (any Error)?
        ) {}

        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping @Sendable ([String: Any]) -> Void
        ) {
            DispatchQueue.global().async {
                replyHandler(["n": 2])
                replyHandler(["n": 3])
            }
        }
    }

    @Test func `a reply that is too large or no property list fails with 7011`() throws {
        // R67
        let duo = try Duo()
        for reply in [["bad": Date.distantPast, "pad": Data(count: 70_000)] as [String: Any], ["bad": NSNull()]] {
            // Nobody changes it.
            nonisolated(unsafe) let fixed = reply
            duo.watch.answer = { _ in unsafe fixed }
            let outcome = duo.pair.phone.ask(["n": 1])
            duo.pair.advance(by: .seconds(1))
            #expect(outcome.codes == [.messageReplyFailed])
        }
    }

    @Test func `a message that is too large fails with 7009, one that is no property list with 7010`() throws {
        // R144, R147, R149
        let duo = try Duo()
        let large = duo.pair.phone.ask(["pad": Data(count: 65_537)])
        let bad = duo.pair.phone.ask(["list": [["deep": NSNull()]]])
        duo.watch.answer = { _ in [:] }
        let fit = duo.pair.phone.ask(["pad": Data(count: 65_000)])
        duo.pair.settle()
        #expect(large.codes == [.payloadTooLarge])
        #expect(bad.codes == [.payloadUnsupportedTypes])
        #expect(fit.replies.count == 1)
    }

    @Test(arguments: [
        // The sizes are those of another implementation of binary property lists (Python's plistlib).
        Sized(["pad": Data(count: 65_479)], isTooLarge: false),  // 65,536
        Sized(["pad": Data(count: 65_480)], isTooLarge: true),
        // Each text has a reference and an offset in the list: 80,060 bytes, and 48,000 of texts.
        Sized(["list": (10_000..<18_000).map { "\($0)" }], isTooLarge: true),
        // Equal texts stand once: 10,085 bytes, and 220,000 of texts.
        Sized(["list": [String](repeating: "a text of some letters", count: 10_000)], isTooLarge: false),
        // What is not ASCII is UTF-16: 60,055 and 70,055 bytes.
        Sized(["text": String(repeating: "字", count: 30_000)], isTooLarge: false),
        Sized(["text": String(repeating: "é", count: 35_000)], isTooLarge: true),
    ])
    func `R148 the limit counts the bytes of a binary property list`(sized: Sized) throws {
        let duo = try Duo()
        duo.watch.answer = { _ in [:] }
        let outcome = duo.pair.phone.ask(sized.message)
        duo.pair.settle()
        #expect(outcome.codes == (sized.isTooLarge ? [.payloadTooLarge] : []))
        #expect(outcome.replies.count == (sized.isTooLarge ? 0 : 1))
        #expect(duo.watch.messages.count == (sized.isTooLarge ? 0 : 1))
    }

    /// A message, and whether it is larger than the limit.
    // Unchecked: nobody changes it.
    struct Sized: @unchecked Sendable, CustomTestStringConvertible {
        let message: [String: Any]
        let isTooLarge: Bool

        init(_ message: [String: Any], isTooLarge: Bool) {
            (self.message, self.isTooLarge) = (message, isTooLarge)
        }

        var testDescription: String { message.keys.joined() }
    }

    @Test func `a link that ends makes a message fail once`() throws {
        // R53, R57, R68
        let duo = try Duo()
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.settle()
        duo.pair.link.cut()
        duo.pair.advance(by: .seconds(60))
        #expect(outcome.count == 1)
    }

    @Test func `an app that is suspended while its message is under way learns of it when it goes on`() throws {
        // R69
        let duo = try Duo()
        let outcome = duo.pair.watch.ask(["n": 1])
        duo.pair.watchDevice.app = .suspended
        duo.pair.advance(by: .seconds(30))
        #expect(outcome.count == 0)
        duo.pair.watchDevice.app = .foreground
        duo.pair.settle()
        #expect(outcome.count == 1)
    }

    @Test func `a frame that is lost, repeated or late does not break the one outcome`() throws {
        // R53
        for mishap in [TestLink.Mishap.drop, .duplicate, .holdUp(.seconds(2))] {
            for way in [TestLink.Way.toWatch, .toPhone] {
                let duo = try Duo()
                duo.watch.answer = { $0 }
                duo.pair.link.disturb(next: way, mishap)
                let outcomes = (0..<5).map { duo.pair.phone.ask(["n": $0]) }
                duo.pair.advance(by: .seconds(60))
                #expect(outcomes.map(\.count) == [1, 1, 1, 1, 1], "\(mishap) \(way)")
                #expect(numbers(duo.watch.messages) == numbers(duo.watch.messages).sorted())
            }
        }
    }

    @Test func `a message or a reply of exactly the limit arrives, and of one byte more fails`() throws {
        // R67, R147, R148, R149
        let duo = try Duo()
        duo.watch.answer = { $0["reply"] as? [String: Any] ?? [:] }
        let (fitting, larger) = (try dictionary(ofByteCount: 65_536), try dictionary(ofByteCount: 65_537))
        let outcomes = [duo.pair.phone.ask(fitting), duo.pair.phone.ask(larger)]
        // Data has no other form.
        let data = [65_536, 65_537].map { byteCount in
            let outcome = Outcome()
            duo.pair.phone.sendMessageData(Data(count: byteCount), replyHandler: nil, errorHandler: outcome.failed)
            return outcome
        }
        duo.pair.settle()
        #expect(outcomes.map(\.codes) == [[], [.payloadTooLarge]] && outcomes[0].replies.count == 1)
        #expect(data.map(\.codes) == [[], [.payloadTooLarge]])
        #expect(duo.watch.messages.count == 1 && duo.watch.messageData.map(\.count) == [65_536])
        for (reply, codes) in [(fitting, [WCError.Code]()), (larger, [.messageReplyFailed])] {
            // A delegate's answer is Sendable; nobody changes the dictionary.
            nonisolated(unsafe) let reply = reply
            duo.watch.answer = { _ in unsafe reply }
            let outcome = duo.pair.phone.ask([:])
            duo.pair.settle()
            #expect(outcome.codes == codes)
        }
    }
}
