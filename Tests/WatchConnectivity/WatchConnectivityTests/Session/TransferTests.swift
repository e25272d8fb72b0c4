import Dispatch
import Foundation
import SyncCore
import Testing

@testable import WatchConnectivity

@Suite struct TransferTests {
    private func active(_ behaviour: SessionBehaviour = SessionBehaviour()) -> (FakeDevice, WCSession, EventRecorder) {
        let (device, recorder) = (FakeDevice(.phone, behaviour), EventRecorder())
        let session = device.session()
        session.delegate = recorder
        session.activate()
        device.settle()
        return (device, session, recorder)
    }

    @Test func `a transfer is outstanding at once, as the same object, oldest first`() {
        // R91, R92, R96, rule 13 of the clients
        let (device, session, recorder) = active()
        let (one, two) = (session.transferUserInfo(["n": 1]), session.transferUserInfo())
        #expect(
            session.outstandingUserInfoTransfers.map(ObjectIdentifier.init) == [one, two].map(ObjectIdentifier.init))
        #expect(one.isTransferring && two.isTransferring)
        #expect(one.userInfo["n"] as? Double == 1)
        withExtendedLifetime((device, recorder)) {}
    }

    @Test func `a cancelled transfer is gone, and the app does not hear of it`() {
        // R97, R98
        let (device, session, recorder) = active()
        let transfer = session.transferUserInfo(["n": 1])
        transfer.cancel()
        transfer.cancel()
        device.settle()
        #expect(!transfer.isTransferring)
        #expect(session.outstandingUserInfoTransfers.isEmpty)
        #expect(recorder.events.count == 1)
        #expect(session.backing.client?.transfers.count == 0)
    }

    @Test func `didFinish after a cancel, where that is asked for, has the same object`() {
        // R98
        final class Ending: NSObject, WCSessionDelegate {
            var ended: [WCSessionUserInfoTransfer] = []
            func session(_: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
            func session(_: WCSession, didFinish transfer: WCSessionUserInfoTransfer, error: (any Error)?) {
                ended.append(transfer)
            }
        }
        var behaviour = SessionBehaviour()
        behaviour.reportsCancelledTransfers = true
        let (device, session, _) = active(behaviour)
        let delegate = Ending()
        session.delegate = delegate
        let transfer = session.transferUserInfo(["n": 1])
        transfer.cancel()
        device.settle()
        #expect(delegate.ended.count == 1)
        #expect(delegate.ended.first === transfer)
    }

    @Test func `a file's transfer is outstanding with its file, metadata and size`() throws {
        // R118, R121, R125
        let (device, session, recorder) = active()
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).txt")
        try Data("hello".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }

        let transfer = session.transferFile(url, metadata: ["kind": "text"])

        #expect(session.outstandingFileTransfers.first === transfer)
        #expect(transfer.isTransferring)
        #expect(transfer.file.fileURL == url)
        #expect(transfer.file.metadata?["kind"] as? String == "text")
        #expect(transfer.progress.totalUnitCount == 5)
        #expect(transfer.progress.fractionCompleted == 0)
        #expect(session.transferFile(url, metadata: nil).file.metadata == nil)
        withExtendedLifetime((device, recorder)) {}
    }

    @Test func `what cannot be a file fails with 7013, and bad metadata with 7010`() throws {
        // R122
        let (device, session, recorder) = active()
        let web = try #require(URL(string: "https://example.org/etc/passwd"))
        #expect(session.transferFile(web, metadata: nil).file.fileURL == web)
        device.settle()
        session.transferFile(URL(fileURLWithPath: "/etc/passwd"), metadata: ["a": NSNull()])
        device.settle()
        #expect(recorder.events.dropFirst() == ["file finished 7013", "file finished 7010"])
    }

    @Test func `after a relaunch there are other objects, which are equal`() throws {
        // R95
        let (device, session, recorder) = active()
        let old = session.transferUserInfo(["n": 1])
        device.peerDriver.handle(.appState(.notRunning))
        device.peerDriver.handle(.appState(.foreground))
        session.activate()
        device.settle()

        let new = try #require(session.outstandingUserInfoTransfers.first)

        #expect(new !== old)
        #expect(new == old)
        #expect(new.hash == old.hash)
        #expect(Set([new, old]).count == 1)
        #expect(new.userInfo["n"] as? Int == 1)
        withExtendedLifetime(recorder) {}
    }

    @Test func `a user info transfer is archived and read again`() throws {
        // Section 1.4
        let (device, session, recorder) = active()
        let transfer = session.transferUserInfo(["n": 1, "t": true])
        #expect(WCSessionUserInfoTransfer.supportsSecureCoding)

        let archive = try NSKeyedArchiver.archivedData(withRootObject: transfer, requiringSecureCoding: true)
        let read = try session.registry?.use {
            try NSKeyedUnarchiver.unarchivedObject(ofClass: WCSessionUserInfoTransfer.self, from: archive)
        }

        #expect(read == transfer)
        #expect(read?.userInfo["n"] as? Int == 1)
        #expect(read?.isTransferring == true)
        withExtendedLifetime((device, recorder)) {}
    }

    @Test func `only the newest complication user info is the current one`() {
        // R111, R114
        let (device, session, recorder) = active()
        let transfer = session.transferCurrentComplicationUserInfo(["n": 1])
        // The complication is on no face: it goes as ordinary user info (R113).
        #expect(!transfer.isCurrentComplicationInfo)
        #expect(session.remainingComplicationUserInfoTransfers == 0)
        withExtendedLifetime((device, recorder)) {}
    }

    @Test func `the end of a transfer is not told before the call that began it has returned`() {
        // Rule 14 of the clients, however long the call's disk takes
        let beginning = TransferStart()
        let told = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            beginning.wait(.nanoseconds(1))
            told.signal()
        }
        // It is never told, however long this is.
        #expect(told.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
        beginning.end()
        told.wait()
    }

    @Test func `the end of a transfer leaves the caller the time to note it`() {
        // Rule 14 of the clients
        final class Ending: NSObject, WCSessionDelegate {
            var end: ContinuousClock.Instant?
            func session(_: WCSession, activationDidCompleteWith: WCSessionActivationState, error: (any Error)?) {}
            func session(_: WCSession, didFinish transfer: WCSessionUserInfoTransfer, error: (any Error)?) {
                end = .now
            }
        }
        let device = FakeDevice(.phone)
        let (session, delegate) = (device.session(), Ending())
        session.delegate = delegate
        session.registry?.endingHold = .milliseconds(30)

        let start = ContinuousClock.now
        session.transferUserInfo([:])
        device.settle()

        #expect(delegate.end.map { $0 - start >= .milliseconds(30) } == true)
        #expect(SessionRegistry.process.endingHold == .milliseconds(20))
    }
}
