import Foundation
import Testing

@testable import WatchConnectivity

@Suite struct ClientShapeTests {
    @Test func `a mock is made and used like the session`() {
        // Rules 2–4 of the clients
        let mock = MockSession()
        let recorder = EventRecorder()
        mock.delegate = recorder
        let session: WCSession = mock
        session.activate()
        session.sendMessage(["a": 1], replyHandler: { recorder.record("\($0.keys.count)") })
        #expect(recorder.events == ["activated 2, reads 2", "1"])
        #expect(mock.sent.count == 1)
        #expect(session.isReachable)
        #expect(!session.isPaired)
        #expect(!type(of: session).isSupported())
    }

    @Test func `empty transfers and files of mocks are safe`() {
        // Section 1.4
        let (userInfo, file) = (WCSessionUserInfoTransfer(), WCSessionFileTransfer())
        #expect(userInfo.userInfo.isEmpty && !userInfo.isTransferring && !userInfo.isCurrentComplicationInfo)
        #expect(file.file.metadata == nil && !file.isTransferring && file.progress.fractionCompleted == 0)
        userInfo.cancel()
        file.cancel()
        #expect(userInfo == userInfo && userInfo != WCSessionUserInfoTransfer() && file != WCSessionFileTransfer())
        #expect(MockFile().metadata?["kind"] as? String == "mock")
        #expect(MockTransfer().isTransferring)
    }

    @Test func `optional calls reach the delegate`() {
        // Rule 10 of the clients, trap T2
        let (proxy, recorder) = (Proxy(), EventRecorder())
        proxy.target = recorder
        let session = MockSession()
        proxy.session(session, didReceiveMessage: ["a": "b"])
        proxy.session(session, didReceiveUserInfo: ["c": "d"])
        proxy.sessionReachabilityDidChange(session)
        #expect(recorder.events == ["message [\"a\": \"b\"]", "user info [\"c\": \"d\"]", "reachability"])
    }

    @Test func `every code has words`() {
        #expect(
            Set((7001...7019).compactMap { WCError.Code(rawValue: $0) }.map { words(for: WCError($0)) }).count == 19)
    }

    @Test func `a client finds the completion of its transfer by the transfer`() {
        // Rule 13 of the clients
        let device = FakeDevice(.phone)
        let communicator = Communicator(session: device.session())
        var outcome: (any Error)?
        device.environment.hold { communicator.send(file: URL(fileURLWithPath: "/does/not/exist")) { outcome = $0 } }
        device.settle()
        #expect(communicator.completions.isEmpty)
        #expect((outcome as? WCError)?.code == .sessionNotActivated)
    }
}
