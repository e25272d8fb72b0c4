import Foundation
import Platform
import Testing
import WatchConnectivity

@testable import WatchConnectivityTesting

/// What hurts developers, P1–P20: each can be reproduced, or does not exist here.
@Suite struct PainTests {
    @Test func `P1 all five channels work`() throws {
        let duo = try Duo()
        duo.watch.answer = { $0 }
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        let outcome = duo.pair.phone.ask(["n": 1])
        try duo.pair.phone.updateApplicationContext(["n": 2])
        duo.pair.phone.transferUserInfo(["n": 3])
        duo.pair.phone.transferCurrentComplicationUserInfo(["n": 4])
        duo.pair.phone.transferFile(try duo.file("a", "5"), metadata: nil)
        duo.pair.settle()
        #expect(outcome.replies.count == 1 && duo.watch.contexts.count == 1)
        #expect(duo.watch.userInfos.count == 2 && duo.watch.files.count == 1)
    }

    @Test func `P2 a day of both devices takes no time and no simulator`() throws {
        let duo = try Duo()
        duo.pair.link.cut()
        let start = ContinuousClock.now
        duo.pair.advance(by: .seconds(86_400))
        #expect(duo.pair.elapsed >= .seconds(86_400))
        // A bound for a hang only: a day of waiting it is not.
        #expect(start.duration(to: .now) < .seconds(600))
    }

    @Test func `P2 a month of an idle pair is skipped, and the link is watched as before`() throws {
        let duo = try Duo()
        let month = Duration.seconds(86_400 * 30)
        let (elapsed, date) = (duo.pair.elapsed, duo.pair.date)
        // A heartbeat a second would take millions of steps.
        #expect(duo.pair.stage.turn(limit: 300, for: month))
        #expect(duo.pair.elapsed == elapsed + month && duo.pair.date == date.addingTimeInterval(86_400 * 30))
        #expect(duo.pair.phone.isReachable && duo.pair.watch.isReachable)

        duo.watch.answer = { _ in [:] }
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.advance(by: .seconds(1))
        #expect(outcome.replies.count == 1)
        duo.pair.link.silence()
        duo.pair.advance(by: .seconds(1))
        #expect(duo.pair.phone.isReachable && duo.pair.watch.isReachable)
        duo.pair.advance(by: .seconds(100))
        #expect(!duo.pair.phone.isReachable && !duo.pair.watch.isReachable)
        duo.pair.link.heal()
        duo.pair.advance(by: .seconds(100))
        #expect(duo.pair.phone.isReachable && duo.pair.watch.isReachable)
        #expect(duo.pair.warnings == [])
    }

    @Test func `P2 a month is skipped though a midnight in it brings another budget of complications`() throws {
        let duo = try Duo()
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        duo.pair.phone.transferCurrentComplicationUserInfo(["n": 1])
        duo.pair.settle()
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 49)
        // It is noon; a second before midnight the budget is the same.
        #expect(duo.pair.stage.turn(limit: 300, for: .seconds(12 * 3600 - 1 - 60)))
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 49)
        #expect(duo.pair.stage.turn(limit: 300, for: .seconds(120)))
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 50)
        duo.pair.phone.transferCurrentComplicationUserInfo(["n": 2])
        #expect(duo.pair.stage.turn(limit: 600, for: .seconds(30 * 86_400)))
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 50)
        #expect(duo.pair.phone.isReachable && duo.pair.watch.isReachable && duo.pair.warnings == [])
    }

    @Test func `P2 a month of two watches is skipped, one of which is out of reach`() throws {
        let pair = try TestPair(watches: 2)
        pair.links[1].cut()
        pair.settle()
        #expect(pair.stage.turn(limit: 300, for: .seconds(30 * 86_400)))
        #expect(pair.links[0].isOpen && !pair.links[1].isOpen)
    }

    @Test func `P6 a message may wait an hour for its reply, and not longer`() throws {
        // R62
        var behaviour = SessionBehaviour()
        behaviour.replyTimeout = .seconds(3600)
        let duo = try Duo(behaviour: behaviour)
        let silent = duo.pair.phone.ask(["n": 1])
        duo.pair.advance(by: .seconds(3599))
        #expect(silent.count == 0)
        duo.pair.advance(by: .seconds(2))
        #expect(silent.codes == [.messageReplyTimedOut])
    }

    @Test func `P3 transfers are real objects of real sessions`() throws {
        let duo = try Duo()
        let transfer = duo.pair.phone.transferUserInfo(["n": 1])
        #expect(transfer.userInfo["n"] as? Int == 1 && transfer.isTransferring)
        #expect(duo.pair.asDefault(.phone) { WCSession.default } === duo.pair.phone)
    }

    @Test func `P4 reachability can lie, stick and flap`() throws {
        let duo = try Duo()
        duo.pair.phoneDevice.linkSense = .stuckOpen
        duo.pair.link.cut()
        duo.pair.settle()
        #expect(duo.pair.phone.isReachable && !duo.pair.watch.isReachable)
        let phantom = duo.pair.phone.ask(["n": 1])
        duo.pair.advance(by: .seconds(60))
        #expect(phantom.count == 1 && phantom.replies.isEmpty)
        duo.pair.phoneDevice.linkSense = .faithful
        duo.pair.link.heal()
        duo.pair.settle()
        duo.pair.watchDevice.linkSense = .stuckClosed
        duo.pair.settle()
        #expect(duo.pair.phone.isReachable && !duo.pair.watch.isReachable)
        let stuck = duo.pair.watch.ask(["n": 2])
        duo.pair.settle()
        #expect(stuck.codes == [.notReachable])
        _ = duo.pair.phone.tell(["n": 3])
        duo.pair.settle()
        #expect(numbers(duo.watch.messages) == [3])
        duo.pair.watchDevice.linkSense = .faithful
        duo.pair.settle()
        duo.phone.clear()
        for _ in 0..<5 {
            duo.pair.link.cut()
            duo.pair.settle()
            duo.pair.link.heal()
            duo.pair.settle()
        }
        #expect(duo.phone.calls.filter { $0 == "sessionReachabilityDidChange" }.count == 10)
        var behaviour = SessionBehaviour()
        behaviour.claimsReachability = true
        let claiming = try Duo(behaviour: behaviour)
        claiming.pair.watchDevice.app = .notRunning
        claiming.pair.settle()
        #expect(claiming.pair.phone.isReachable)
    }

    @Test func `P5 a failure that nobody observes is told`() throws {
        let duo = try Duo(isActivated: false)
        duo.pair.phone.activate()
        duo.pair.settle()
        duo.pair.link.cut()
        duo.pair.settle()
        duo.pair.phone.sendMessage(["n": 1], replyHandler: nil)
        duo.pair.settle()
        #expect(duo.pair.warnings.contains { $0.hasPrefix("phone") && $0.contains("7007") })
    }

    @Test func `P6 a missing method is named, and a reply's timeout is short if that is wanted`() throws {
        final class Bare: NSObject, WCSessionDelegate {
            func session(
                _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
                error: (any Error)?
            ) {}
        }
        var behaviour = SessionBehaviour()
        behaviour.replyTimeout = .milliseconds(500)
        let duo = try Duo(behaviour: behaviour)
        let late = duo.pair.phone.ask(["n": 1])
        duo.pair.advance(by: .seconds(1))
        #expect(late.codes == [.messageReplyTimedOut])
        let bare = Bare()
        duo.pair.watch.delegate = bare
        let outcome = duo.pair.phone.ask(["n": 2])
        duo.pair.settle()
        #expect(outcome.codes == [.deliveryFailed])
        #expect(duo.pair.warnings.contains { $0.hasPrefix("watch") && $0.contains("didReceiveMessage") })
    }

    @Test func `P7 an error handler is called once, or twice if that is wanted`() throws {
        for isTwice in [false, true] {
            var behaviour = SessionBehaviour()
            behaviour.callsErrorHandlerTwice = isTwice
            let duo = try Duo(behaviour: behaviour)
            duo.pair.link.cut()
            duo.pair.settle()
            let outcome = duo.pair.phone.ask(["n": 1])
            duo.pair.settle()
            #expect(outcome.count == (isTwice ? 2 : 1))
        }
    }

    @Test func `P8 an equal context is dropped, and that is told`() throws {
        // R81
        let duo = try Duo()
        for _ in 0..<2 {
            try duo.pair.phone.updateApplicationContext(["n": 1])
            duo.pair.settle()
        }
        #expect(duo.watch.contexts.count == 1)
        #expect(duo.pair.warnings.contains { $0.hasPrefix("phone") && $0.contains("context") })
    }

    @Test func `P9 contexts are replayed and messages come late, if that is wanted`() throws {
        // R64, R86
        var behaviour = SessionBehaviour()
        behaviour.replaysContexts = true
        behaviour.messageDelay = .seconds(3)
        let duo = try Duo(behaviour: behaviour)
        try duo.pair.phone.updateApplicationContext(["n": 1])
        duo.pair.settle()
        duo.pair.watchDevice.app = .suspended
        duo.pair.settle()
        duo.pair.watchDevice.app = .foreground
        duo.pair.settle()
        #expect(numbers(duo.watch.contexts) == [1, 1])
        _ = duo.pair.phone.tell(["n": 2])
        duo.pair.advance(by: .seconds(2))
        #expect(duo.watch.messages.isEmpty)
        duo.pair.advance(by: .seconds(2))
        #expect(numbers(duo.watch.messages) == [2])
    }

    @Test func `P10 a file that is taken too late is gone`() async throws {
        let duo = try Duo()
        let late = LateTaker()
        duo.pair.watch.delegate = late
        duo.pair.phone.transferFile(try duo.file("a", "1"), metadata: nil)
        #expect(await duo.pair.settle { late.url.withLock { $0 } != nil })
        let url = try #require(late.url.withLock { $0 })
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    private final class LateTaker: NSObject, WCSessionDelegate, Sendable {
        let url = Lock<URL?>(nil)

        func session(
            _ session: WCSession, activationDidCompleteWith activationState: WCSessionActivationState,
            error: (any Error)?
        ) {}

        func session(_ session: WCSession, didReceive file: WCSessionFile) {
            url.withLock { $0 = file.fileURL }
        }
    }

    @Test func `P11 handlers and delegates are never called on the main queue`() throws {
        let duo = try Duo()
        let count = Lock(0)
        let check: @Sendable () -> Void = {
            dispatchPrecondition(condition: .notOnQueue(.main))
            count.withLock { $0 += 1 }
        }
        duo.watch.answer = { $0 }
        duo.watch.onCall = { _, _ in check() }
        duo.pair.phone.sendMessage(["n": 1], replyHandler: { _ in check() })
        duo.pair.settle()
        #expect(count.withLock { $0 } == 2)
    }

    @Test func `P12 a watch app that seems not to be installed is reproduced by a flag`() throws {
        let duo = try Duo()
        duo.pair.watchDevice.isAppInstalled = false
        duo.pair.settle()
        let outcome = duo.pair.phone.ask(["n": 1])
        duo.pair.settle()
        #expect(outcome.codes == [.watchAppNotInstalled])
        #expect(duo.phone.calls.contains("sessionWatchStateDidChange"))
    }

    @Test func `P13 the way of a launch in the background can be tested`() throws {
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.app = .notRunning
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(duo.pair.watchDevice.app == .background && numbers(duo.watch.userInfos) == [1])
    }

    @Test func `P14 the limits are known and can be changed`() throws {
        var behaviour = SessionBehaviour()
        behaviour.userInfoByteCountMax = 100
        let duo = try Duo(behaviour: behaviour)
        duo.pair.phone.transferUserInfo(["pad": Data(count: 101)])
        duo.pair.settle()
        #expect(codes(duo.phone.finishedUserInfos.map(\.error)) == [.payloadTooLarge])
    }

    @Test func `P15 the key path of a bad value is told`() throws {
        let duo = try Duo()
        let outcome = duo.pair.phone.ask(["user": ["tags": ["a", NSNull()]]])
        duo.pair.settle()
        #expect(outcome.codes == [.payloadUnsupportedTypes])
        #expect(duo.pair.warnings.contains { $0.contains("user") && $0.contains("tags") && $0.contains("NSNull") })
    }

    @Test func `P16 a switch of watches is one call, and shows an app that forgets to activate`() throws {
        let pair = try TestPair(watches: 2)
        let phone = RecordingDelegate()
        pair.phone.delegate = phone
        pair.phone.activate()
        pair.settle()
        pair.switchWatch(to: 1)
        pair.settle()
        #expect(phone.calls.suffix(2) == ["sessionDidBecomeInactive", "sessionDidDeactivate"])
        #expect(pair.phone.activationState == .notActivated && !pair.phone.isReachable)
        #expect(pair.activeWatch == 1)
    }

    @Test func `P17 whether the incoming queue is empty can be known`() throws {
        let duo = try Duo()
        duo.pair.watchDevice.isAppStartable = false
        duo.pair.watchDevice.app = .suspended
        for number in 1...3 { duo.pair.phone.transferUserInfo(["n": number]) }
        duo.pair.settle()
        #expect(duo.pair.watch.hasContentPending)
        let pending = Lock<[Bool]>([])
        duo.watch.onCall = { session, _ in pending.withLock { $0.append(session.hasContentPending) } }
        duo.pair.watchDevice.app = .foreground
        duo.pair.settle()
        #expect(pending.withLock { $0.contains(true) } && !duo.pair.watch.hasContentPending)
    }

    @Test func `P18 the receiver can die between arrival and delivery`() throws {
        let duo = try Duo()
        duo.relaunchAlike()
        duo.pair.watchDevice.isAppStartable = false
        duo.pair.watchDevice.app = .suspended
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        // The transport says that it arrived; the app knows nothing of it, and its device loses its power.
        #expect(duo.phone.finishedUserInfos.count == 1 && duo.watch.userInfos.isEmpty)
        duo.pair.watchDevice.powerOff()
        duo.pair.watchDevice.powerOn()
        duo.pair.watchDevice.app = .foreground
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
    }

    @Test func `P19 the budget of the complication can be seen, and its day can be turned`() throws {
        var behaviour = SessionBehaviour()
        behaviour.complicationTransfersPerDay = 2
        behaviour.secondsFromUTC = 7200
        let duo = try Duo(behaviour: behaviour)
        duo.pair.watchDevice.isComplicationEnabled = true
        duo.pair.settle()
        var seen: [Int] = []
        for number in 1...3 {
            duo.pair.phone.transferCurrentComplicationUserInfo(["n": number])
            seen.append(duo.pair.phone.remainingComplicationUserInfoTransfers)
        }
        #expect(seen == [1, 0, 0])
        // Apart, the devices have nothing to say in these hours.
        duo.pair.settle()
        duo.pair.link.cut()
        // It is 14:00 there; midnight comes in ten hours.
        duo.pair.advance(by: .seconds(10 * 3600 - 60))
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 0)
        duo.pair.advance(by: .seconds(120))
        #expect(duo.pair.phone.remainingComplicationUserInfoTransfers == 2)
    }

    @Test func `P20 what crossed the air can be read in one timeline`() throws {
        let duo = try Duo()
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        let places = Set(duo.pair.events.map(\.place))
        #expect(places.isSuperset(of: ["phone", "watch"]))
        let lines = duo.pair.timeline.split(separator: "\n").map(String.init)
        let sent = lines.firstIndex { $0.contains("phone") && $0.contains("transferUserInfo") }
        let got = lines.firstIndex { $0.contains("watch") && $0.contains("didReceiveUserInfo") }
        let ended = lines.firstIndex { $0.contains("phone") && $0.contains("didFinish") }
        #expect([sent, got, ended].compactMap { $0 }.count == 3)
        #expect([sent, got, ended].compactMap { $0 } == [sent, got, ended].compactMap { $0 }.sorted())
    }
}
