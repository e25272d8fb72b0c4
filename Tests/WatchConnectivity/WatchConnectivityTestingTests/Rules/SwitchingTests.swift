import Platform
import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Rules R21–R27 with a phone and two watches.
@Suite struct SwitchingTests {
    private struct Trio {
        let pair: TestPair
        let phone = RecordingDelegate()
        let watches = [RecordingDelegate(), RecordingDelegate()]

        init() throws {
            pair = try TestPair(watches: 2)
            pair.phone.delegate = phone
            pair.phone.activate()
            for (session, delegate) in zip(pair.watches, watches) {
                session.delegate = delegate
                session.activate()
            }
            pair.settle()
            phone.clear()
            for watch in watches { watch.clear() }
        }

        /// Switches, and activates when the session is deactivated, as an app should.
        func switchAndActivate(to number: Int) {
            pair.switchWatch(to: number)
            pair.settle()
            pair.phone.activate()
            pair.settle()
        }
    }

    @Test func `the session becomes inactive, delivers what came, and is deactivated`() throws {
        // R21, R22
        let trio = try Trio()
        let states = Lock<[String]>([])
        trio.phone.onCall = { session, name in
            guard name.hasSuffix("active") || name.hasSuffix("Inactive") || name.hasSuffix("Deactivate") else { return }
            states.withLock { $0.append("\(name) \(session.activationState.rawValue)") }
        }
        trio.pair.switchWatch(to: 1)
        trio.pair.settle()
        #expect(states.withLock { $0 } == ["sessionDidBecomeInactive 1", "sessionDidDeactivate 0"])
        #expect(trio.watches.allSatisfy { !$0.calls.contains { $0.contains("Deactivate") } })
        #expect(trio.pair.watches.allSatisfy { $0.activationState == .activated })
    }

    @Test(arguments: [false, true])
    func `only the watch that is worn reaches the phone, unless all should`(reachAlways: Bool) throws {
        // R25, R36
        var behaviour = SessionBehaviour()
        behaviour.inactiveWatchIsReachable = reachAlways
        let pair = try TestPair(watches: 2, watch: behaviour)
        let (phone, first, second) = (RecordingDelegate(), RecordingDelegate(), RecordingDelegate())
        pair.phone.delegate = phone
        pair.phone.activate()
        for (session, delegate) in zip(pair.watches, [first, second]) {
            session.delegate = delegate
            session.activate()
        }
        pair.settle()
        pair.switchWatch(to: 1)
        pair.settle()
        pair.phone.activate()
        pair.settle()
        #expect(pair.watches.map(\.isReachable) == [reachAlways, true])
        let outcome = pair.watches[0].tell(["n": 1])
        pair.settle()
        #expect(outcome.codes == (reachAlways ? [] : [.notReachable]))

        // An app of the phone that does not run is still that of the watch that is worn.
        pair.phoneDevice.app = .notRunning
        pair.settle()
        #expect(pair.watches.map(\.isReachable) == [reachAlways, true])
        pair.switchWatch(to: 0)
        pair.settle()
        #expect(pair.watches.map(\.isReachable) == [true, reachAlways])
    }

    @Test func `while it is inactive what came is received, and nothing can be sent`() throws {
        // R23: the user info that arrived while the app was suspended comes between the two calls.
        let trio = try Trio()
        trio.pair.phoneDevice.app = .suspended
        trio.pair.watches[0].transferUserInfo(["n": 1])
        trio.pair.settle()
        let codes = Lock<[WCError.Code?]>([])
        trio.phone.onCall = { session, name in
            guard name == "sessionDidBecomeInactive" else { return }
            do {
                try session.updateApplicationContext(["n": 2])
            } catch {
                codes.withLock { $0.append((error as? WCError)?.code) }
            }
        }
        trio.pair.switchWatch(to: 1)
        trio.pair.phoneDevice.app = .foreground
        trio.pair.settle()
        #expect(codes.withLock { $0 } == [.sessionInactive])
        #expect(numbers(trio.phone.userInfos) == [1])
        let calls = trio.phone.calls
        let places = ["sessionDidBecomeInactive", "didReceiveUserInfo", "sessionDidDeactivate"].map(calls.firstIndex)
        #expect(places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    }

    @Test func `a message under way fails when the session becomes inactive`() throws {
        // R24
        let trio = try Trio()
        trio.watches[0].answer = nil
        let outcome = trio.pair.phone.ask(["n": 1])
        trio.pair.settle()
        #expect(outcome.count == 0)
        trio.pair.switchWatch(to: 1)
        trio.pair.settle()
        #expect(outcome.codes == [.sessionInactive])
    }

    @Test func `after the deactivation nothing comes from the old watch, and the next activation is the new one's`()
        throws
    {
        // R25
        let trio = try Trio()
        trio.pair.switchWatch(to: 1)
        trio.pair.settle()
        trio.phone.clear()
        trio.pair.watches[0].transferUserInfo(["n": 1])
        trio.pair.watches[1].transferUserInfo(["n": 2])
        trio.pair.settle()
        #expect(trio.phone.userInfos.isEmpty)
        #expect(throws: WCError.self) { try trio.pair.phone.updateApplicationContext(["n": 3]) }
        trio.pair.phone.activate()
        trio.pair.settle()
        #expect(numbers(trio.phone.userInfos) == [2])
        trio.switchAndActivate(to: 0)
        #expect(numbers(trio.phone.userInfos) == [2, 1])
    }

    @Test func `an activation that is under way at the switch ends once, with the new watch`() throws {
        // R8, R25
        let trio = try Trio()
        trio.switchAndActivate(to: 1)
        trio.pair.switchWatch(to: 0)
        trio.pair.settle()
        trio.phone.clear()
        trio.pair.watches[0].transferUserInfo(["n": 1])
        trio.pair.watches[1].transferUserInfo(["n": 2])
        trio.pair.settle()
        trio.pair.phone.activate()
        trio.pair.switchWatch(to: 1)
        trio.pair.settle()
        #expect(trio.phone.activationStates == [.activated])
        #expect(numbers(trio.phone.userInfos) == [2])
    }

    @Test func `each watch has a directory of its own`() throws {
        // R26
        let trio = try Trio()
        let first = trio.pair.phone.watchDirectoryURL
        #expect(first != nil)
        trio.switchAndActivate(to: 1)
        let second = trio.pair.phone.watchDirectoryURL
        #expect(second != nil && second != first)
    }

    @Test func `contexts and queues are those of the watch`() throws {
        // R27
        let trio = try Trio()
        trio.pair.links[0].cut()
        try trio.pair.phone.updateApplicationContext(["n": 1])
        trio.pair.phone.transferUserInfo(["n": 2])
        trio.pair.settle()
        trio.switchAndActivate(to: 1)
        #expect(trio.pair.phone.applicationContext.isEmpty)
        #expect(trio.pair.phone.outstandingUserInfoTransfers.isEmpty)
        trio.switchAndActivate(to: 0)
        #expect(trio.pair.phone.applicationContext["n"] as? Int == 1)
        #expect(trio.pair.phone.outstandingUserInfoTransfers.count == 1)
        trio.pair.links[0].heal()
        trio.pair.settle()
        #expect(numbers(trio.watches[0].userInfos) == [2] && trio.watches[1].userInfos.isEmpty)
    }
}
