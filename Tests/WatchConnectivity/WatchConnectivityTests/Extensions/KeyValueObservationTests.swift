import Foundation
import Platform
import SyncCore
import Testing

@testable import WatchConnectivity

/// The observation that Apple's clients use (traps T1, rule R34, rule 11 of the clients).
@Suite struct KeyValueObservationTests {
    private final class Log: Sendable {
        private let lines = Lock<[String]>([])
        func add(_ client: String) { lines.withLock { $0.append(client) } }
        var all: [String] { lines.withLock(\.self) }
    }

    private func view(_ change: (inout SessionView) -> Void) -> SessionView {
        var view = SessionView()
        change(&view)
        return view
    }

    /// A session whose line is told of views by the test.
    private func told() -> (WCSession, PeerClient) {
        let session = FakeDevice(.phone).session()
        guard let client = session.backing.client else { preconditionFailure("the session has a companion") }
        return (session, client)
    }

    @Test func `an observer gets each value in turn, the first one at once`() {
        let ((session, client), log) = (told(), Log())
        let token = session.observe(\.isReachable, options: [.initial, .new]) { session, change in
            log.add("\(change.newValue as Any)")
        }
        client.viewChanged(from: view { _ in }, to: view { $0.isReachable = true })
        client.viewChanged(from: view { $0.isReachable = true }, to: view { _ in })

        #expect(log.all == ["Optional(false)", "Optional(true)", "Optional(false)"])
        withExtendedLifetime(token) {}
    }

    @Test func `the options say which values are told`() {
        let ((session, client), log) = (told(), Log())
        let tokens = [
            session.observe(\.isPaired) { _, change in log.add("\(change.oldValue as Any) \(change.newValue as Any)") },
            session.observe(\.isPaired, options: [.old, .new, .prior]) { _, change in
                log.add("\(change.oldValue as Any) \(change.newValue as Any) \(change.isPrior)")
            },
        ]
        client.viewChanged(from: view { $0.isPaired = session.isPaired }, to: view { $0.isPaired = !session.isPaired })

        let (was, becomes) = (session.isPaired, !session.isPaired)
        #expect(
            log.all == ["nil nil", "Optional(\(was)) nil true", "Optional(\(was)) Optional(\(becomes)) false"])
        withExtendedLifetime(tokens) {}
    }

    @Test func `a change of another property is not told`() {
        let ((session, client), log) = (told(), Log())
        let token = session.observe(\.hasContentPending) { _, _ in log.add("told") }
        client.viewChanged(from: view { _ in }, to: view { $0.isReachable = true })
        #expect(log.all.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `an observation ends with its token, or when it is invalidated`() {
        let ((session, client), log) = (told(), Log())
        do {
            let token = session.observe(\.isReachable) { _, _ in log.add("released") }
            withExtendedLifetime(token) {}
        }
        let token = session.observe(\.isReachable) { _, _ in log.add("invalidated") }
        token.invalidate()
        client.viewChanged(from: view { _ in }, to: view { $0.isReachable = true })
        #expect(log.all.isEmpty)
        withExtendedLifetime(token) {}
    }

    @Test func `the activation is observed before the delegate is told of it`() {
        // R9
        let device = FakeDevice(.phone)
        let (session, recorder) = (device.session(), EventRecorder())
        session.delegate = recorder
        let token = session.observe(\.activationState, options: [.new]) { _, change in
            recorder.record("observed \(change.newValue?.rawValue ?? -1)")
        }
        session.activate()
        device.settle()
        #expect(recorder.events == ["observed 2", "activated 2, reads 2"])
        withExtendedLifetime(token) {}
    }

    @Test func `a mock's own property can be observed`() {
        let (mock, log) = (MockSession(), Log())
        let token = mock.observe(\.isReachable, options: [.initial, .new]) { _, change in
            log.add("\(change.newValue as Any)")
        }
        mock.reachable = false
        mock.backing.observations.reread()
        mock.backing.observations.reread()
        #expect(log.all == ["Optional(true)", "Optional(false)"])
        withExtendedLifetime(token) {}
    }

    /// A session whose property changes while it is being read.
    // Unchecked: one thread uses it.
    private final class SlowSession: WCSession, @unchecked Sendable {
        var reachable = false
        var duringRead: (() -> Void)?
        override var isReachable: Bool {
            let value = reachable
            let work = duringRead
            duringRead = nil
            work?()
            return value
        }
    }

    @Test func `a look that began earlier does not undo what a later one saw`() {
        let (session, log) = (SlowSession(), Log())
        let token = session.observe(\.isReachable, options: [.new]) { _, change in log.add("\(change.newValue as Any)")
        }
        session.duringRead = {
            session.reachable = true
            session.backing.observations.reread()
        }
        session.backing.observations.reread()
        #expect(log.all == ["Optional(true)"])
        withExtendedLifetime(token) {}
    }

    @Test func `a change within an observer's call is told after it`() {
        let ((session, client), log) = (told(), Log())
        let token = session.observe(\.isReachable, options: [.new]) { _, change in
            log.add("\(change.newValue as Any) begins")
            if change.newValue == true {
                var old = SessionView()
                old.isReachable = true
                client.viewChanged(from: old, to: SessionView())
            }
            log.add("ends")
        }
        client.viewChanged(from: view { _ in }, to: view { $0.isReachable = true })
        #expect(log.all == ["Optional(true) begins", "ends", "Optional(false) begins", "ends"])
        withExtendedLifetime(token) {}
    }

    @Test func `the progress of a file is observed`() throws {
        // R125
        let ((session, client), log) = (told(), Log())
        let transfer = WCSessionFileTransfer(
            RandomID(high: 1, low: 1), WCSessionFile(url: URL(fileURLWithPath: "/f"), metadata: nil), byteCount: 10,
            on: client)
        _ = client.transfers.object(RandomID(high: 1, low: 1)) { transfer }
        let token = transfer.progress.observe(\.fractionCompleted, options: [.new]) { progress, change in
            log.add("\(change.newValue as Any)")
        }

        _ = client.take(.fileProgress(RandomID(high: 1, low: 1), byteCount: 5, of: 10), path: nil)
        transfer.steps.complete()

        #expect(log.all == ["Optional(0.5)", "Optional(1.0)"])
        #expect(transfer.progress.isFinished)
        withExtendedLifetime((token, session)) {}
    }

    @Test func `of another progress only the first value is told`() {
        let (progress, log) = (Progress(totalUnitCount: 2), Log())
        let token = progress.observe(\.fractionCompleted, options: [.initial, .new]) { _, _ in log.add("told") }
        progress.completedUnitCount = 1
        #expect(log.all == ["told"])
        withExtendedLifetime(token) {}
    }

    @Test func `a transfer's end is observed`() {
        // R92
        let device = FakeDevice(.phone)
        let (session, log) = (device.session(), Log())
        let recorder = EventRecorder()
        session.delegate = recorder
        session.activate()
        device.settle()
        let transfer = session.transferUserInfo(["a": 1])
        #expect(transfer.isTransferring)
        let token = transfer.observe(\.isTransferring, options: [.old, .new]) { _, change in
            log.add("\(change.oldValue as Any) \(change.newValue as Any)")
        }
        transfer.cancel()
        #expect(log.all == ["Optional(true) Optional(false)"])
        withExtendedLifetime((token, recorder)) {}
    }
}
