import Foundation
import SyncCore
import Testing

@testable import WatchConnectivity

@Suite struct SendingTests {
    /// A session of a phone whose watch has the app, activated.
    private func active() -> (FakeDevice, WCSession, EventRecorder) {
        let (device, recorder) = (FakeDevice(.phone), EventRecorder())
        let session = device.session()
        session.delegate = recorder
        session.activate()
        device.settle()
        return (device, session, recorder)
    }

    private var waiting: (FakeDevice, HandlerTable, PeerClient, WCSession) {
        let device = FakeDevice(.phone)
        let session = device.session()
        guard let client = session.backing.client else { preconditionFailure("the session has a companion") }
        return (device, client.handlers, client, session)
    }

    @Test func `activation completes on the session's queue, never within the call`() {
        // R8, R9, R137, rule 16 of the clients
        let device = FakeDevice(.phone)
        let session = device.session()
        final class Where: NSObject, WCSessionDelegate {
            var wasOnQueue: Bool?
            func session(_: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {
                wasOnQueue = FakePorts.isOnQueue
            }
        }
        let delegate = Where()
        session.delegate = delegate
        session.activate()
        device.settle()
        #expect(delegate.wasOnQueue == true)
        #expect(session.activationState == .activated)
    }

    @Test func `a reply goes to its handler once, and the handlers are forgotten`() {
        // R53
        let (device, handlers, client, session) = waiting
        let recorder = EventRecorder()
        let token = handlers.keep(
            HandlerTable.Handlers(
                reply: { recorder.record("reply \($0)") }, failure: { recorder.record("\($0)") }))
        guard case .bytes(let bytes, _) = SessionPayload.payload(["ok": true]) else { return }

        #expect(client.take(.replyHandler(token, bytes, isData: false), path: nil) == .handled)
        #expect(client.take(.replyHandler(token, bytes, isData: false), path: nil) == .handled)
        #expect(client.take(.errorHandler(token, .notReachable, comesAgain: false), path: nil) == .handled)

        #expect(recorder.events == ["reply [\"ok\": 1]"])
        #expect(handlers.count == 0)
        withExtendedLifetime((device, session)) {}
    }

    @Test func `an error handler is called again only where that was asked for`() {
        // R54
        let (device, handlers, client, session) = waiting
        let recorder = EventRecorder()
        let token = handlers.keep(
            HandlerTable.Handlers(failure: { recorder.record("\(($0 as NSError).code)") }))

        _ = client.take(.errorHandler(token, .notReachable, comesAgain: true), path: nil)
        _ = client.take(.errorHandler(token, .messageReplyTimedOut, comesAgain: false), path: nil)
        _ = client.take(.errorHandler(token, .messageReplyTimedOut, comesAgain: false), path: nil)

        #expect(recorder.events == ["7007", "7012"])
        withExtendedLifetime((device, session)) {}
    }

    @Test func `the handlers of a message without a reply are forgotten when it arrived`() {
        // R55
        let (device, handlers, client, session) = waiting
        let token = handlers.keep(HandlerTable.Handlers(failure: { _ in Issue.record("called") }))
        #expect(client.take(.messageSettled(token), path: nil) == .handled)
        #expect(handlers.count == 0)
        withExtendedLifetime((device, session)) {}
    }

    @Test func `a data reply arrives as data`() {
        // R66, R70
        let (device, handlers, client, session) = waiting
        let recorder = EventRecorder()
        let token = handlers.keep(HandlerTable.Handlers(dataReply: { recorder.record("\($0.count)") }))
        _ = client.take(.replyHandler(token, [], isData: true), path: nil)
        #expect(recorder.events == ["0"])
        withExtendedLifetime((device, session)) {}
    }

    @Test func `an unreachable counterpart fails a message with 7007`() {
        // R57
        let (device, session, recorder) = active()
        session.sendMessage(["a": 1], replyHandler: { _ in recorder.record("reply") }) { error in
            recorder.record("\((error as NSError).code)")
        }
        device.settle()
        #expect(recorder.events.count == 2)
        #expect(["7006", "7007"].contains(recorder.events.last))
        #expect(session.backing.client?.handlers.count == 0)
    }
}
