import Foundation
import SyncCore
import Testing

@testable import WatchConnectivity

/// How a delegate is called, and how it is found out what it lacks (rules R47–R49, trap T3).
@Suite struct DelegateCallTests {
    private final class Least: NSObject, WCSessionDelegate {
        func session(_ session: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
    }

    private let bytes: [UInt8] = {
        guard case .bytes(let bytes, _) = SessionPayload.payload(["n": 1]) else { return [] }
        return bytes
    }()
    private let id = RandomID(high: 1, low: 2)
    private let message = MessageID(session: 1, number: 1)

    /// A line whose session has this delegate.
    private func client(_ delegate: any WCSessionDelegate) -> (PeerClient, WCSession) {
        let session = FakeDevice(.phone).session()
        session.delegate = delegate
        guard let client = session.backing.client else { preconditionFailure("the session has a companion") }
        client.give(to: session)
        return (client, session)
    }

    private var offer: FileOffer {
        get throws {
            FileOffer(
                id: id, name: "picture.png", byteCount: 5,
                digest: try #require(FileDigest(bytes: [UInt8](repeating: 0, count: 32))), metadata: bytes)
        }
    }

    private func calls() throws -> [(PeerState.Call, String)] {
        let info = PeerState.OutstandingUserInfo(id: id, payload: bytes, isCurrentComplicationInfo: false)
        let file = PeerState.OutstandingFile(id: id, path: "/p", metadata: nil)
        return [
            (.didBecomeInactive, "sessionDidBecomeInactive(_:)"), (.didDeactivate, "sessionDidDeactivate(_:)"),
            (.watchStateDidChange, "sessionWatchStateDidChange(_:)"),
            (.companionAppInstalledDidChange, "sessionCompanionAppInstalledDidChange(_:)"),
            (.reachabilityDidChange, "sessionReachabilityDidChange(_:)"),
            (.message(bytes, isData: false), "session(_:didReceiveMessage:)"),
            (.messageWithReply(message, bytes, isData: false), "session(_:didReceiveMessage:replyHandler:)"),
            (.message([1], isData: true), "session(_:didReceiveMessageData:)"),
            (.messageWithReply(message, [1], isData: true), "session(_:didReceiveMessageData:replyHandler:)"),
            (.context(bytes), "session(_:didReceiveApplicationContext:)"),
            (.userInfo(bytes), "session(_:didReceiveUserInfo:)"), (.file(try offer), "session(_:didReceive:)"),
            (.didFinishUserInfo(info, nil), "session(_:didFinish:error:) for user info"),
            (.didFinishFile(file, nil), "session(_:didFinish:error:) for files"),
        ]
    }

    @MainActor private final class Isolated: NSObject, WCSessionDelegate {
        func session(_ session: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
    }

    @MainActor private final class OfMainActor: NSObject, WCSessionDelegate {
        nonisolated func session(
            _ session: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?
        ) {}
    }

    @MainActor @Test func `a delegate whose conformance is isolated to an actor is pointed out, once`() async {
        // P11
        let device = FakeDevice(.phone)
        let session = device.session()
        // Sessions hold their delegates weakly.
        let (isolated, other) = (Isolated(), OfMainActor())
        func activate(_ delegate: any WCSessionDelegate) async {
            session.delegate = delegate
            for _ in 1...2 { session.activate() }
            await Task.detached { device.settle() }.value
        }
        var warnings: [String] {
            device.environment.traced.compactMap { if case .warning(let text) = $0 { text } else { nil } }
                .filter { $0.contains("isolated") }
        }
        await activate(isolated)
        #expect(warnings.count == 1)
        #expect(warnings.allSatisfy { $0.contains("the conformance of Isolated") && $0.contains("`nonisolated`") })
        await activate(other)
        #expect(warnings.count == 1)
        withExtendedLifetime((isolated, other)) {}
    }

    @Test func `every method that a delegate lacks is named`() throws {
        let delegate = Least()
        let (client, session) = client(delegate)
        for (call, name) in try calls() { #expect(client.take(call, path: "/p/picture.png") == .lacksMethod(name)) }
        #expect(client.take(.activationDidComplete(.activated, nil), path: nil) == .handled)
        withExtendedLifetime((delegate, session)) {}
    }

    @Test func `every method that a delegate has is called with what came`() throws {
        let delegate = EventRecorder()
        let (client, session) = client(delegate)
        for (call, _) in try calls() { #expect(client.take(call, path: "/p/picture.png") == .handled) }
        #expect(
            delegate.events == [
                "inactive, reads 0", "deactivated, reads 0", "watch state", "companion", "reachability",
                "message [\"n\": 1]", "message with reply [\"n\": 1]", "data 1", "data with reply 1",
                "context [\"n\": 1]", "user info [\"n\": 1]", "file picture.png", "user info finished", "file finished",
            ])
        withExtendedLifetime(session) {}
    }

    @Test func `without a delegate nobody is called`() throws {
        // R4
        let (client, session) = client(Least())
        for (call, _) in try calls() { #expect(client.take(call, path: nil) == .noDelegate) }
        withExtendedLifetime(session) {}
    }

    @Test func `a payload that cannot be read is not delivered`() {
        let delegate = EventRecorder()
        let (client, session) = client(delegate)
        #expect(client.take(.userInfo([0xFF]), path: nil) != .handled)
        #expect(delegate.events.isEmpty)
        withExtendedLifetime(session) {}
    }

    /// The forms in which clients write a method; all are found.
    private class Base: NSObject, WCSessionDelegate {
        var called = 0
        func session(_ session: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
        func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) {}
        // Without @escaping and without @Sendable, as most clients write it.
        func session(
            _ session: WCSession, didReceiveMessage message: [String: Any],
            replyHandler: @escaping ([String: Any]) -> Void
        ) { called += 1 }
    }

    private final class Derived: Base {
        override func session(_ session: WCSession, didReceiveUserInfo userInfo: [String: Any] = [:]) { called += 1 }
    }

    @Test func `an overriding method and one with a default argument are called`() {
        let delegate = Derived()
        let (client, session) = client(delegate)
        #expect(client.take(.userInfo(bytes), path: nil) == .handled)
        #expect(client.take(.messageWithReply(message, bytes, isData: false), path: nil) == .handled)
        #expect(delegate.called == 2)
        withExtendedLifetime(session) {}
    }

    @Test func `code in a delegate's call finds its own session as the default one`() {
        final class Asking: NSObject, WCSessionDelegate {
            var found: WCSession?
            func session(_: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {
                found = WCSession.default
            }
        }
        let delegate = Asking()
        let (client, session) = client(delegate)
        _ = client.take(.activationDidComplete(.activated, nil), path: nil)
        #expect(delegate.found === session)
        #expect(SessionRegistry.process.use { WCSession.default } !== session)
    }
}
