import Foundation
import Testing

@testable import WatchConnectivity

/// Several watches: rules R21–R27.
@Suite struct SessionRegistryTests {
    private let one = FakeDevice(.phone)
    private let two = FakeDevice(.phone)

    private func registry() -> SessionRegistry {
        let registry = SessionRegistry(role: .phone)
        registry.add(SessionWatch(id: "one", name: "Watch 1"), PeerClient(peerDriver: one.peerDriver, role: .phone))
        registry.add(SessionWatch(id: "two", name: "Watch 2"), PeerClient(peerDriver: two.peerDriver, role: .phone))
        return registry
    }

    private func settle() {
        one.settle()
        two.settle()
    }

    @Test func `the first watch is the active one`() {
        let registry = registry()
        registry.use {
            #expect(WCSession.watches.map(\.id) == ["one", "two"])
            #expect(WCSession.activeWatch?.name == "Watch 1")
            #expect(WCSession.sessions.count == 2)
            #expect(WCSession.session(forWatch: "two") === WCSession.sessions[1])
            #expect(WCSession.session(forWatch: "three") == nil)
            #expect(WCSession.default === WCSession.default)
        }
    }

    @Test func `a switch makes the session inactive, then deactivates it, then it speaks to the new watch`() throws {
        // R22, R25, R27
        let (registry, recorder) = (registry(), EventRecorder())
        let session = registry.use { WCSession.default }
        session.delegate = recorder
        session.activate()
        settle()
        try session.updateApplicationContext(["of": "one"])

        try registry.switchActiveWatch(to: "two")
        settle()

        #expect(recorder.events == ["activated 2, reads 2", "inactive, reads 1", "deactivated, reads 0"])

        session.activate()
        settle()
        #expect(recorder.events.last == "activated 2, reads 2")
        #expect(session.applicationContext.isEmpty)
        try session.updateApplicationContext(["of": "two"])
        #expect(two.peerDriver.view.applicationContext != nil)
        #expect(registry.watches.map(\.id) == ["two", "one"])
        #expect(registry.use { WCSession.default } === session)
    }

    @Test func `while it is inactive nothing can be sent`() throws {
        // R23
        let (registry, recorder) = (registry(), EventRecorder())
        let session = registry.use { WCSession.default }
        final class Inactive: NSObject, WCSessionDelegate {
            var code: WCError.Code?
            func session(_: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
            func sessionDidBecomeInactive(_ session: WCSession) {
                do {
                    try session.updateApplicationContext(["a": 1])
                } catch {
                    code = (error as? WCError)?.code
                }
            }
        }
        let delegate = Inactive()
        session.delegate = delegate
        session.activate()
        settle()
        try registry.switchActiveWatch(to: "two")
        settle()
        #expect(delegate.code == .sessionInactive)
        withExtendedLifetime(recorder) {}
    }

    @Test func `a session that is not active goes over at once`() throws {
        let (registry, recorder) = (registry(), EventRecorder())
        let session = registry.use { WCSession.default }
        session.delegate = recorder
        try registry.switchActiveWatch(to: "two")
        session.activate()
        settle()
        #expect(recorder.events == ["activated 2, reads 2"])
        #expect(two.peerDriver.view.activationState == .activated)
        #expect(one.peerDriver.view.activationState == .notActivated)
    }

    @Test func `a watch's own session is not touched by a switch`() throws {
        // R21
        let (registry, recorder) = (registry(), EventRecorder())
        let own = try #require(registry.session(for: "one"))
        own.delegate = recorder
        own.activate()
        settle()
        try registry.switchActiveWatch(to: "two")
        settle()
        #expect(recorder.events == ["activated 2, reads 2"])
        #expect(own.activationState == .activated)
    }

    @Test func `two watches are spoken to at once through their own sessions`() throws {
        let registry = registry()
        let recorders = [EventRecorder(), EventRecorder()]
        for (session, recorder) in zip(registry.sessions, recorders) {
            session.delegate = recorder
            session.activate()
        }
        settle()
        try registry.sessions[0].updateApplicationContext(["of": "one"])
        try registry.sessions[1].updateApplicationContext(["of": "two"])
        #expect(registry.sessions.map { $0.applicationContext["of"] as? String } == ["one", "two"])
        #expect(recorders.allSatisfy { $0.events == ["activated 2, reads 2"] })
    }

    @Test func `a watch that is not there cannot be switched to, and a watch switches none`() {
        #expect(throws: SessionWatchError.unknownWatch("x", known: ["one", "two"])) {
            try registry().switchActiveWatch(to: "x")
        }
        #expect(throws: SessionWatchError.onlyOnPhone) {
            try SessionRegistry(role: .watch).switchActiveWatch(to: "x")
        }
    }

    @Test func `when the active watch goes the next one becomes it`() {
        let (registry, recorder) = (registry(), EventRecorder())
        let session = registry.use { WCSession.default }
        session.delegate = recorder
        session.activate()
        settle()
        registry.remove("one")
        settle()
        #expect(registry.activeWatch?.id == "two")
        #expect(recorder.events.last == "deactivated, reads 0")
    }

    @Test func `the first watch that comes is taken over by a session that waits for one`() {
        let registry = SessionRegistry(role: .phone)
        let session = registry.use { WCSession.default }
        #expect(!session.isPaired)
        registry.add(SessionWatch(id: "one", name: "Watch 1"), PeerClient(peerDriver: one.peerDriver, role: .phone))
        #expect(session.backing.client?.peerDriver === one.peerDriver)
    }

    @Test func `code in tasks of a test finds the test's session`() async {
        let registry = registry()
        let session = registry.use { WCSession.default }
        await registry.use {
            #expect(WCSession.default === session)
            let found = await Task { Unlocked(WCSession.default) }.value
            #expect(found.value === session)
        }
        #expect(SessionRegistry.process.use { WCSession.default } !== session)
    }

    @Test func `what is said of the device is told to all its companions`() {
        let registry = registry()
        let recorder = EventRecorder()
        let session = registry.use { WCSession.default }
        session.delegate = recorder
        session.device.setAppState(.suspended)
        session.activate()
        settle()
        #expect(recorder.events.isEmpty)
        session.device.setAppState(.foreground)
        settle()
        #expect(recorder.events == ["activated 2, reads 2"])
        #expect(session.device.side == .phone)
    }
}
