import Foundation
import SyncCore
import Testing

@testable import WatchConnectivity

/// The session of a process that says nothing of its side.
@Suite struct UnpairedSessionTests {
    private func activated(_ role: PeerState.Role = .phone) async -> (WCSession, EventRecorder) {
        let (session, recorder) = (WCSession(peerDriver: nil, role: role), EventRecorder())
        session.delegate = recorder
        session.activate()
        await recorder.wait(for: 1)
        return (session, recorder)
    }

    @Test func `the default session is always the same object`() {
        // R1
        SessionRegistry.process.use {
            #expect(WCSession.default === WCSession.default)
            let session: WCSession = .default
            #expect(session.isEqual(WCSession.default))
        }
    }

    @Test func `a session is supported before anything is set`() {
        // R2, R3
        #expect(WCSession.isSupported())
    }

    @Test func `before the first activation nothing is known`() {
        // R7, R17
        let session = WCSession(peerDriver: nil, role: .phone)
        #expect(session.activationState == .notActivated)
        #expect(!session.isReachable)
        #expect(!session.isPaired)
        #expect(!session.isWatchAppInstalled)
        #expect(!session.isComplicationEnabled)
        #expect(!session.isCompanionAppInstalled)
        #expect(!session.hasContentPending)
        #expect(!session.iOSDeviceNeedsUnlockAfterRebootForReachability)
        #expect(session.remainingComplicationUserInfoTransfers == 0)
        #expect(session.watchDirectoryURL == nil)
        #expect(session.applicationContext.isEmpty)
        #expect(session.receivedApplicationContext.isEmpty)
        #expect(session.outstandingFileTransfers.isEmpty)
        #expect(session.outstandingUserInfoTransfers.isEmpty)
    }

    @Test func `the delegate is held weakly`() {
        // R4
        let session = WCSession(peerDriver: nil, role: .phone)
        do {
            let recorder = EventRecorder()
            session.delegate = recorder
            #expect(session.delegate === recorder)
        }
        #expect(session.delegate == nil)
    }

    @Test func `an unpaired session is activated`() async {
        // R8, R9, R12, T11
        let (session, recorder) = await activated()
        #expect(recorder.events == ["activated 2, reads 2"])
        #expect(session.activationState == .activated)
        #expect(!session.isPaired)
    }

    @Test func `a message goes to its error handler with 7005`() async throws {
        // R56, R58, R154
        let (session, recorder) = await activated()
        session.sendMessage(["a": 1], replyHandler: nil) { error in
            recorder.record("\((error as? WCError)?.code.rawValue ?? 0)")
        }
        await recorder.wait(for: 2)
        #expect(recorder.events.last == "7005")
    }

    @Test func `a context throws 7005 and stays as it was`() async {
        // R83, R84
        let (session, recorder) = await activated()
        #expect {
            try session.updateApplicationContext(["a": 1])
        } throws: { error in
            (error as? WCError)?.code == .deviceNotPaired && (error as NSError).code == 7005
        }
        #expect(session.applicationContext.isEmpty)
        withExtendedLifetime(recorder) {}
    }

    @Test func `a transfer fails through the delegate and is not on its way`() async {
        // R100–R102
        let (session, recorder) = await activated()
        let transfer = session.transferUserInfo(["a": 1])
        await recorder.wait(for: 2)
        #expect(recorder.events.last == "user info finished 7005")
        #expect(!transfer.isTransferring)
        #expect(transfer.userInfo["a"] as? Int == 1)
        #expect(session.outstandingUserInfoTransfers.isEmpty)
    }

    @Test func `before the activation everything fails with 7004`() async {
        // R83, R101, R151
        let (session, recorder) = (WCSession(peerDriver: nil, role: .phone), EventRecorder())
        session.delegate = recorder

        #expect { try session.updateApplicationContext([:]) } throws: { ($0 as? WCError)?.code == .sessionNotActivated }
        session.sendMessage([:], replyHandler: { _ in recorder.record("reply") }) { error in
            recorder.record("\((error as NSError).code)")
        }
        await recorder.wait(for: 1)
        #expect(recorder.events == ["7004"])
    }

    @Test func `the error names the place of a bad value`() async {
        // R144, P15
        let (session, recorder) = await activated(.watch)
        session.sendMessage(["a": ["b": URL(fileURLWithPath: "/")]], replyHandler: nil) { error in
            recorder.record("\((error as NSError).userInfo["NSDebugDescription"] ?? "")")
        }
        await recorder.wait(for: 2)
        // On an unpaired device the missing counterpart may be found first, but the place is told in any case.
        #expect(recorder.events.last == "a.b: URL")
    }

    @Test func `a delegate's method can be called with the default session by a test`() {
        // T11
        let recorder = EventRecorder()
        SessionRegistry.process.use {
            recorder.session(WCSession.default, didReceiveMessage: ["a": "b"])
            recorder.session(WCSession.default, didReceiveMessage: ["c": "d"]) { _ in recorder.record("replied") }
        }
        #expect(recorder.events.count == 3)
    }
}
