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

    /// The transfers of some files of ten bytes, each.
    private func transfers(_ count: Int, on client: PeerClient) -> [WCSessionFileTransfer] {
        (0..<count).map { number in
            let id = RandomID(high: 1, low: UInt64(number))
            return client.transfers.object(id) {
                WCSessionFileTransfer(
                    id, WCSessionFile(url: URL(fileURLWithPath: "/f"), metadata: nil), byteCount: 10, on: client)
            }
        }
    }

    @Test func `a progress that contains those of three files is observed`() {
        // R125
        let ((session, client), log) = (told(), Log())
        let files = transfers(3, on: client)
        let all = Progress(totalUnitCount: 4)
        for file in files { all.addChild(file.progress, withPendingUnitCount: 1) }
        let tokens = [
            all.observe(\.fractionCompleted, options: [.initial, .new]) { _, change in
                log.add("\(Int((change.newValue ?? -1) * 1000))")
            },
            all.observe(\.completedUnitCount, options: [.old, .new]) { _, change in
                log.add("\(change.oldValue ?? -1) to \(change.newValue ?? -1) files")
            },
        ]
        _ = client.take(.fileProgress(RandomID(high: 1, low: 1), byteCount: 4, of: 10), path: nil)
        files[1].steps.complete()
        files[0].steps.complete()
        files[2].steps.complete()
        #expect(log.all == ["0", "100", "250", "0 to 1 files", "500", "1 to 2 files", "750", "2 to 3 files"])
        // What the app changes itself is read with the next change of a transfer.
        all.completedUnitCount += 1
        #expect(log.all.count == 8)
        transfers(4, on: client)[3].steps.update(1, of: 10)
        #expect(log.all.suffix(2) == ["1000", "3 to 4 files"])
        withExtendedLifetime((tokens, session)) {}
    }

    @Test func `cancelling a progress that contains a file's is observed, and an observation of it ends`() {
        let ((session, client), log) = (told(), Log())
        let files = transfers(2, on: client)
        let all = Progress(totalUnitCount: 2)
        for file in files { all.addChild(file.progress, withPendingUnitCount: 1) }
        let token = all.observe(\.isCancelled, options: [.new]) { _, change in log.add("\(change.newValue as Any)") }
        let ended = all.observe(\.isCancelled) { _, _ in log.add("ended") }
        let own = files[0].progress.observe(\.isCancelled) { progress, _ in log.add("own \(progress.isCancelled)") }
        ended.invalidate()
        all.cancel()
        #expect(Set(log.all) == ["Optional(true)", "own true"] && log.all.count == 2)
        withExtendedLifetime((token, own, session)) {}
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
