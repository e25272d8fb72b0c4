import Testing
import WatchConnectivity
import WatchConnectivityTesting

/// Rules R7–R20 with two sessions.
@Suite struct ActivationTests {
    @Test func `an activation ends later, and the session shows it within the call`() throws {
        // R7, R8, R9
        let duo = try Duo(isActivated: false)
        #expect(duo.pair.phone.activationState == .notActivated)
        duo.pair.phone.activate()
        #expect(duo.phone.calls.isEmpty)
        let phone = duo.phone
        phone.onCall = { session, _ in #expect(session.activationState == .activated) }
        duo.pair.settle()
        #expect(phone.activationStates == [.activated])
    }

    @Test func `an activation needs neither a watch nor its app nor a link`() throws {
        // R12
        let duo = try Duo(isActivated: false)
        duo.pair.watchDevice.unpair()
        duo.pair.link.cut()
        duo.pair.phone.activate()
        duo.pair.settle()
        #expect(duo.phone.activationStates == [.activated])
        #expect(!duo.pair.phone.isPaired && !duo.pair.phone.isWatchAppInstalled && !duo.pair.phone.isReachable)
    }

    @Test func `without a delegate nothing happens, and nothing breaks`() throws {
        // R13
        let pair = try TestPair()
        pair.phone.activate()
        pair.settle()
        #expect(pair.phone.activationState == .notActivated)
    }

    @Test func `nothing is delivered before the activation, and all of it after`() throws {
        // R14, R140
        let duo = try Duo(isActivated: false)
        duo.pair.phone.activate()
        duo.pair.settle()
        try duo.pair.phone.updateApplicationContext(["n": 1])
        duo.pair.phone.transferUserInfo(["n": 2])
        duo.pair.phone.transferFile(try duo.file("a", "3"), metadata: nil)
        duo.pair.settle()
        #expect(duo.watch.calls.isEmpty)
        duo.pair.watch.activate()
        duo.pair.settle()
        #expect(
            duo.watch.calls.filter { $0.hasPrefix("did") || $0.hasPrefix("activation") } == [
                "activationDidComplete", "didReceiveApplicationContext", "didReceiveUserInfo", "didReceive file",
            ])
    }

    @Test func `another order of what waited can be drawn`() throws {
        // R140
        func order(_ seed: UInt64) throws -> [String] {
            var behaviour = SessionBehaviour()
            behaviour.drainOrderSeed = seed
            let duo = try Duo(behaviour: behaviour, isActivated: false)
            duo.pair.phone.activate()
            duo.pair.settle()
            try duo.pair.phone.updateApplicationContext(["n": 1])
            duo.pair.phone.transferUserInfo(["n": 2])
            duo.pair.phone.transferFile(try duo.file("a", "3"), metadata: nil)
            duo.pair.settle()
            duo.pair.watch.activate()
            duo.pair.settle()
            return duo.watch.calls.filter { $0.hasPrefix("didReceive") }
        }
        let orders = try Set((0..<8).map { try order($0) })
        #expect(orders.count > 1)
        #expect(orders.allSatisfy { $0.count == 3 })
    }

    @Test func `a second activation is told of again`() throws {
        // R15
        let duo = try Duo()
        duo.pair.phone.activate()
        duo.pair.settle()
        #expect(duo.phone.activationStates == [.activated])
    }

    @Test func `a new process finds its contexts and its transfers`() throws {
        // R18, R80, R95
        let duo = try Duo()
        duo.relaunchAlike()
        try duo.pair.phone.updateApplicationContext(["n": 1])
        try duo.pair.watch.updateApplicationContext(["n": 2])
        duo.pair.settle()
        duo.pair.link.cut()
        duo.pair.phone.transferUserInfo(["n": 3])
        duo.pair.phone.transferFile(try duo.file("a", "4"), metadata: ["n": 4])
        duo.pair.settle()
        duo.pair.phoneDevice.relaunch()
        duo.pair.settle()
        #expect(duo.pair.phone.applicationContext["n"] as? Int == 1)
        #expect(duo.pair.phone.receivedApplicationContext["n"] as? Int == 2)
        #expect(numbers(duo.pair.phone.outstandingUserInfoTransfers.map(\.userInfo)) == [3])
        #expect(duo.pair.phone.outstandingFileTransfers.map { $0.file.fileURL.lastPathComponent } == ["a"])
    }

    @Test func `a link that comes and goes needs no other activation`() throws {
        // R20
        let duo = try Duo()
        duo.pair.link.cut()
        duo.pair.settle()
        duo.pair.link.heal()
        duo.pair.settle()
        #expect(duo.phone.activationStates.isEmpty && duo.pair.phone.activationState == .activated)
        duo.pair.phone.transferUserInfo(["n": 1])
        duo.pair.settle()
        #expect(numbers(duo.watch.userInfos) == [1])
    }
}
