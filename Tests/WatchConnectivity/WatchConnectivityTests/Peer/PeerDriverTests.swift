import Dispatch
import Platform
import SyncCore
import Testing

@testable import WatchConnectivity

/// Ports that a test looks into: a disk in memory, an engine that only notes, and a queue that the test turns.
private final class NotingPorts: PeerEnvironment {
    struct Notes {
        var stored: [String: [UInt8]] = [:]
        var isFull = false
        var asked: [(request: PeerState.EngineRequest, tag: PeerState.EngineTag)] = []
        var work: [@Sendable () -> Void] = []
        var removed: [RandomID] = []
        var missing: Set<RandomID> = []
        var wakes: [Instant?] = []
        var launches: [PeerState.LaunchReason] = []
    }

    struct DiskFull: Error {}

    let notes = Lock(Notes())

    var moment: Moment { Moment(monotonic: Instant(nanoseconds: 5), wallMilliseconds: 1_800_000_000_000) }
    var watchDirectoryPath: String? { nil }

    func persist(_ record: PeerState.Record) throws {
        try notes.withLock { notes in
            guard !notes.isFull else { throw DiskFull() }
            for change in record.changes { notes.stored[change.key] = change.value }
        }
    }

    func ask(_ request: PeerState.EngineRequest, tag: PeerState.EngineTag) {
        notes.withLock { $0.asked.append((request, tag)) }
    }

    func copyFile(_ id: RandomID, path: String) {}
    func releaseCopy(_ file: String) {}

    func path(of file: FileOffer) -> String? {
        notes.withLock { $0.missing.contains(file.id) ? nil : "/inbox/\(file.name)" }
    }

    func remove(_ file: FileOffer) {
        notes.withLock { $0.removed.append(file.id) }
    }

    func launchApp(_ reason: PeerState.LaunchReason) {
        notes.withLock { $0.launches.append(reason) }
    }

    func watchDirectory(exists: Bool) {}

    func wake(at deadline: Instant?) {
        notes.withLock { $0.wakes.append(deadline) }
    }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        notes.withLock { $0.work.append(work) }
    }

    func trace(_ event: TraceEvent) {}

    /// Runs what is in the queue, and what comes into it meanwhile.
    func runQueue() {
        while let work = notes.withLock({ $0.work.isEmpty ? nil : $0.work.removeFirst() }) { work() }
    }
}

/// A session that notes what it is told, in order.
private final class NotingApp: PeerApp {
    enum Note: Equatable {
        case call(PeerState.Call, path: String?)
        case view(WCSessionActivationState, received: [UInt8]?)
    }

    let notes = Lock<[Note]>([])
    let onCall = Lock<(@Sendable (PeerState.Call) -> Void)?>(nil)

    func take(_ call: PeerState.Call, path: String?) -> PeerState.Handling {
        notes.withLock { $0.append(.call(call, path: path)) }
        onCall.withLock { $0 }?(call)
        return .handled
    }

    func viewChanged(from old: SessionView, to new: SessionView) {
        notes.withLock { $0.append(.view(new.activationState, received: new.receivedApplicationContext)) }
    }

    func claim() -> [Note] {
        notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
    }
}

/// The shell: where the machine meets threads.
@Suite struct PeerDriverTests {
    private let environment = NotingPorts()
    private let app = NotingApp()

    private func peerDriver(_ role: PeerState.Role = .phone, isActive: Bool = true) -> PeerDriver {
        let peerState = PeerState(configuration: .init(role: role), stored: [:], storedTransfers: .init(), seed: 1)
        let peerDriver = PeerDriver(peerState, environment: environment)
        peerDriver.start()
        peerDriver.attach(app)
        peerDriver.handle(.paired(true))
        peerDriver.handle(.appState(.foreground))
        guard isActive else { return peerDriver }
        peerDriver.handle(.activate(hasDelegate: true))
        peerDriver.handle(.link(isOpen: true))
        tell(peerDriver, .status(DeviceStatus()), 1)
        environment.runQueue()
        _ = app.claim()
        return peerDriver
    }

    @Test func `what comes before the start finds it done, and the start comes once`() {
        let peerState = PeerState(configuration: .init(role: .phone), stored: [:], storedTransfers: .init(), seed: 1)
        let peerDriver = PeerDriver(peerState, environment: environment)
        peerDriver.handle(.paired(true))
        peerDriver.handle(.appState(.foreground))
        peerDriver.handle(.activate(hasDelegate: true))
        peerDriver.attach(app)
        environment.runQueue()
        let stored = environment.notes.withLock(\.stored)
        peerDriver.start()
        #expect(peerDriver.view.isPaired && peerDriver.view.activationState == .activated)
        #expect(environment.notes.withLock(\.stored) == stored)
    }

    /// The other device's companion sends something.
    private func tell(_ peerDriver: PeerDriver, _ envelope: Envelope, _ number: UInt64) {
        guard let message = arrivedMessage(envelope.encoded, number: number) else {
            Issue.record("no message")
            return
        }
        peerDriver.handle(.engineEvent(.exchange(.messageReceived(message))))
    }

    @Test func `nothing runs on the caller's stack`() {
        // Rules R8, R51; runtime demand 14 of the clients.
        let peerDriver = peerDriver(isActive: false)
        peerDriver.handle(.activate(hasDelegate: true))
        peerDriver.handle(
            .transferUserInfo(
                RandomID(high: 1, low: 1), .unsupported(keyPath: "", type: ""), isComplication: false,
                hasDelegate: true))
        #expect(app.claim().isEmpty)
        #expect(peerDriver.view.activationState == .notActivated)
        environment.runQueue()
        #expect(peerDriver.view.activationState == .activated)
        #expect(app.claim().count >= 3)
    }

    @Test func `the view is reported before the call that tells of it`() {
        // Rules R9, R77.
        let peerDriver = peerDriver(isActive: false)
        peerDriver.handle(.activate(hasDelegate: true))
        environment.runQueue()
        #expect(
            app.claim() == [
                .view(.activated, received: nil), .call(.activationDidComplete(.activated, nil), path: nil),
            ])
        tell(peerDriver, .context(.init(incarnation: .init(high: 1, low: 1), number: 1), [7]), 1)
        environment.runQueue()
        let notes = app.claim()
        let reported = notes.firstIndex(of: .view(.activated, received: [7]))
        let called = notes.firstIndex(of: .call(.context([7]), path: nil))
        #expect(reported.map { reported in called.map { reported < $0 } ?? false } == true)
    }

    @Test func `an update of the context is durable when it returns`() {
        // Rules R75, R83, R85.
        let peerDriver = peerDriver()
        #expect(peerDriver.updateContext(.bytes([1]), hasDelegate: true) == nil)
        #expect(environment.notes.withLock { $0.stored["context.own"]?.last } == 1)
        #expect(peerDriver.view.applicationContext == [1])
        environment.notes.withLock { $0.isFull = true }
        #expect(peerDriver.updateContext(.bytes([2]), hasDelegate: true) == .genericError)
        #expect(peerDriver.view.applicationContext == [1])
        #expect(peerDriver.updateContext(.bytes([3]), hasDelegate: false) == .sessionMissingDelegate)
    }

    @Test func `an app may call the peerDriver from within a call`() {
        // Rules R61, R141.
        let peerDriver = peerDriver()
        app.onCall.withLock { onCall in
            onCall = { [environment] call in
                guard case .context = call else { return }
                _ = peerDriver.updateContext(.bytes([9]), hasDelegate: true)
                peerDriver.handle(.cancel(RandomID(high: 3, low: 3)))
                _ = peerDriver.view
                // From another thread, too.
                let done = DispatchSemaphore(value: 0)
                DispatchQueue.global().async {
                    peerDriver.handle(.timeReached)
                    done.signal()
                }
                done.wait()
                _ = environment.moment
            }
        }
        tell(peerDriver, .context(.init(incarnation: .init(high: 1, low: 1), number: 1), [7]), 2)
        environment.runQueue()
        #expect(peerDriver.view.applicationContext == [9])
    }

    @Test func `what was queued for a process that ended does not run`() {
        // Rules R14, R59.
        let peerDriver = peerDriver()
        tell(peerDriver, .context(.init(incarnation: .init(high: 1, low: 1), number: 1), [7]), 2)
        peerDriver.handle(.appState(.notRunning))
        environment.runQueue()
        #expect(app.claim().allSatisfy { if case .view = $0 { true } else { false } })
        peerDriver.handle(.appState(.foreground))
        peerDriver.handle(.activate(hasDelegate: true))
        environment.runQueue()
        #expect(app.claim().contains(.call(.context([7]), path: nil)))
    }

    @Test func `what the app leaves of a file is removed when the call returns, and a missing file is passed over`() {
        // Rules R119, R120; P10.
        let peerDriver = peerDriver()
        let digest = TestFolder.digest(of: [])
        let offers = [1, 2].map {
            FileOffer(id: .init(high: 0, low: $0), name: "f\($0)", byteCount: 0, digest: digest, metadata: [])
        }
        environment.notes.withLock { $0.missing = [offers[0].id] }
        app.onCall.withLock { onCall in
            onCall = { [environment] _ in #expect(environment.notes.withLock { $0.removed.isEmpty }) }
        }
        for offer in offers { peerDriver.handle(.engineEvent(.files(.received(offer)))) }
        environment.runQueue()
        let calls = app.claim().filter { if case .call = $0 { true } else { false } }
        #expect(calls == [.call(.file(offers[1]), path: "/inbox/f2")])
        environment.notes.withLock { notes in
            #expect(notes.removed == [offers[1].id])
            let consumed = notes.asked.map(\.request).filter { if case .consumedFile = $0 { true } else { false } }
            #expect(consumed == offers.map { .consumedFile($0.id) })
        }
    }

    @Test func `a driver that ends fails messages, and the next one tells what became of the rest`() {
        // Rules R20, R93.
        let peerDriver = peerDriver()
        func tags(_ isMeant: (PeerState.EngineRequest) -> Bool) -> [PeerState.EngineTag] {
            environment.notes.withLock { $0.asked.filter { isMeant($0.request) }.map(\.tag) }
        }
        func items() -> [PeerState.EngineTag] { tags { if case .item = $0 { true } else { false } } }
        let id = RandomID(high: 1, low: 1)
        peerDriver.handle(.transferUserInfo(id, .bytes([1]), isComplication: false, hasDelegate: true))
        tell(peerDriver, .status(foreground), 2)
        let live = PeerState.Live(payload: .bytes([5]), isData: false, wantsReply: true)
        peerDriver.handle(.send(token(1), live, hasErrorHandler: true, hasDelegate: true))
        let lost = environment.notes.withLock { $0.asked.map(\.tag) }
        for tag in lost { peerDriver.handle(.engineAnswered(tag, nil)) }
        environment.runQueue()
        #expect(app.claim().contains(.call(.errorHandler(token(1), .deliveryFailed, comesAgain: false), path: nil)))
        #expect(peerDriver.outstandingUserInfo.map(\.id) == [id])
        #expect(items().count == 1)
        // The next driver does not have it: it is handed over again.
        peerDriver.handle(.engineStarted(.init()))
        #expect(items().count == 2)
        peerDriver.handle(.engineAnswered(items()[1], .exchange(.accepted(id, isUrgent: false))))
        // The one after that has it no more: it was received.
        peerDriver.handle(.engineStarted(.init()))
        environment.runQueue()
        let info = PeerState.OutstandingUserInfo(id: id, payload: [1], isCurrentComplicationInfo: false)
        #expect(app.claim().contains(.call(.didFinishUserInfo(info, nil), path: nil)))
        #expect(items().count == 2)
    }

    // MARK: - Drivers that end

    private let ids = (1...3 as ClosedRange<UInt64>).map { RandomID(high: 1, low: $0) }

    private func queue(_ id: RandomID, _ peerDriver: PeerDriver) {
        peerDriver.handle(.transferUserInfo(id, .bytes([1]), isComplication: false, hasDelegate: true))
    }

    private func queueFile(_ id: RandomID, _ peerDriver: PeerDriver) {
        let copy = PeerState.CopiedFile(
            file: id.hexadecimal, name: "file", byteCount: 0, digest: TestFolder.digest(of: []))
        peerDriver.handle(.transferFile(id, path: "/file", metadata: nil, copy: copy, hasDelegate: true))
    }

    /// What the engine was asked to take, and under which tags.
    private func asked() -> (infos: [RandomID], files: [String], tags: [PeerState.EngineTag]) {
        var (infos, files): ([RandomID], [String]) = ([], [])
        let all = environment.notes.withLock(\.asked)
        for (request, _) in all {
            switch request {
            case .item(let transfer): if let id = transfer.id { infos.append(id) }
            case .file(let copy, _): files.append(copy.file)
            default: break
            }
        }
        return (infos, files, all.map(\.tag))
    }

    @Test func `what is queued while a driver ends goes behind what that one left unanswered`() {
        // Rules R89, R93, R126.
        let peerDriver = peerDriver()
        queue(ids[0], peerDriver)
        queueFile(ids[0], peerDriver)
        peerDriver.handle(.engineEnding)
        queue(ids[1], peerDriver)
        queueFile(ids[1], peerDriver)
        for tag in asked().tags { peerDriver.handle(.engineAnswered(tag, nil)) }
        queue(ids[2], peerDriver)
        #expect(asked().infos == [ids[0]] && asked().files == [ids[0].hexadecimal])
        peerDriver.handle(.engineStarted(.init()))
        #expect(asked().infos == [ids[0]] + ids)
        // Files go one at a time.
        #expect(asked().files == [ids[0], ids[0]].map(\.hexadecimal))
    }

    @Test func `what a driver had stored before it ended is not handed over again`() {
        // Rules R89, R93, R126.
        let peerDriver = peerDriver()
        let engineID = RandomID(high: 9, low: 9)
        queue(ids[0], peerDriver)
        queueFile(ids[0], peerDriver)
        peerDriver.handle(.engineEnding)
        for tag in asked().tags { peerDriver.handle(.engineAnswered(tag, nil)) }
        peerDriver.handle(.engineStarted(.init(items: [ids[0]: 1], files: [ids[0].hexadecimal: engineID])))
        #expect(asked().infos == [ids[0]] && asked().files == [ids[0].hexadecimal])
        peerDriver.handle(.engineEvent(.exchange(.itemDelivered(ids[0]))))
        peerDriver.handle(.engineEvent(.files(.ended(FileResult(id: engineID, failure: nil)))))
        environment.runQueue()
        #expect(peerDriver.outstandingUserInfo.isEmpty && peerDriver.outstandingFiles.isEmpty)
    }

    @Test func `what waits for the way to a driver that starts is not handed over again`() {
        // Rules R89, R126.
        let peerDriver = peerDriver()
        queue(ids[0], peerDriver)
        queueFile(ids[0], peerDriver)
        let tags = Array(asked().tags.suffix(2))
        peerDriver.handle(.engineStarted(.init()))
        queueFile(ids[1], peerDriver)
        #expect(asked().infos == [ids[0]] && asked().files == [ids[0].hexadecimal])
        peerDriver.handle(.engineAnswered(tags[0], .exchange(.accepted(ids[0], isUrgent: false))))
        peerDriver.handle(.engineAnswered(tags[1], .files(.accepted(RandomID(high: 9, low: 9)))))
        #expect(asked().infos == [ids[0]] && asked().files == ids.prefix(2).map(\.hexadecimal))
        #expect(peerDriver.outstandingUserInfo.count == 1 && peerDriver.outstandingFiles.count == 2)
    }

    @Test func `what was cancelled while a driver ended is settled by the next one`() {
        // Rules R97, R131.
        let peerDriver = peerDriver()
        queue(ids[0], peerDriver)
        peerDriver.handle(.engineEnding)
        peerDriver.handle(.cancel(ids[0]))
        for tag in asked().tags { peerDriver.handle(.engineAnswered(tag, nil)) }
        #expect(environment.notes.withLock { notes in notes.stored.keys.contains { $0.hasPrefix("infomark.") } })
        peerDriver.handle(.engineStarted(.init()))
        // The other device may have it, and confirms that it drops it.
        let drop = environment.notes.withLock { notes in
            notes.asked.last { asked in
                guard case .message(let message) = asked.request else { return false }
                return Envelope(message.payload) == .drop(ids[0])
            }?.tag
        }
        if let drop { peerDriver.handle(.engineAnswered(drop, .exchange(.delivered))) }
        #expect(environment.notes.withLock { notes in !notes.stored.keys.contains { $0.hasPrefix("infomark.") } })
        #expect(asked().infos == [ids[0]])
    }

    // MARK: - User info that is taken back

    /// A driver whose engine has complication user info; the link was cut, and another one was queued, so that the
    /// engine is asked to give the first one back.
    private func takingBack() -> PeerDriver {
        let peerDriver = peerDriver()
        var status = foreground
        status.isComplicationEnabled = true
        tell(peerDriver, .status(status), 2)
        func queueUrgent(_ id: RandomID) {
            peerDriver.handle(.transferUserInfo(id, .bytes([1]), isComplication: true, hasDelegate: true))
        }
        queueUrgent(ids[0])
        if let tag = asked().tags.last {
            peerDriver.handle(.engineAnswered(tag, .exchange(.accepted(ids[0], isUrgent: true))))
        }
        peerDriver.handle(.link(isOpen: false))
        queueUrgent(ids[1])
        #expect(cancellations().count == 1)
        return peerDriver
    }

    /// The tags of the requests to cancel user info.
    private func cancellations() -> [PeerState.EngineTag] {
        environment.notes.withLock { notes in
            notes.asked.filter { if case .cancelItem = $0.request { true } else { false } }.map(\.tag)
        }
    }

    @Test func `user info that is cancelled while it is taken back does not arrive`() throws {
        // Rules R97, R111.
        let peerDriver = takingBack()
        peerDriver.handle(.cancel(ids[0]))
        let tags = cancellations()
        try #require(tags.count == 2)
        peerDriver.handle(.engineAnswered(tags[1], .exchange(.declined(.beingCancelled(ids[0])))))
        peerDriver.handle(.engineAnswered(tags[0], .exchange(.cancelled(ids[0]))))
        peerDriver.handle(.link(isOpen: true))
        if let drop = asked().tags.last { peerDriver.handle(.engineAnswered(drop, .exchange(.delivered))) }
        #expect(peerDriver.outstandingUserInfo.map(\.id) == [ids[1]])
        #expect(asked().infos == [ids[0], ids[1]])
        #expect(environment.notes.withLock { notes in !notes.stored.keys.contains { $0.hasPrefix("infomark.") } })
    }

    @Test func `user info that fails while it is taken back ends once, and is not handed over again`() {
        // Rules R111, R157.
        let peerDriver = takingBack()
        peerDriver.handle(.paired(false))
        for tag in cancellations() { peerDriver.handle(.engineAnswered(tag, .exchange(.cancelled(ids[0])))) }
        environment.runQueue()
        let ends = app.claim().filter { if case .call(.didFinishUserInfo, _) = $0 { true } else { false } }
        #expect(ends.count == 2)
        #expect(peerDriver.outstandingUserInfo.isEmpty && asked().infos == [ids[0]])
    }

    @Test func `user info that an ending driver had not given back is asked for again`() {
        // Rules R93, R111.
        let peerDriver = takingBack()
        peerDriver.handle(.engineEnding)
        for tag in cancellations() { peerDriver.handle(.engineAnswered(tag, nil)) }
        peerDriver.handle(.engineStarted(.init(items: [ids[0]: 1])))
        #expect(cancellations().count == 2)
        if let tag = cancellations().last { peerDriver.handle(.engineAnswered(tag, .exchange(.cancelled(ids[0])))) }
        peerDriver.handle(.link(isOpen: true))
        #expect(asked().infos == [ids[0], ids[1], ids[0]])
    }

    private var foreground: DeviceStatus {
        var status = DeviceStatus()
        status.appState = .foreground
        return status
    }

    @Test func `without a session above nothing is lost`() {
        // Rule R4.
        let peerDriver = peerDriver()
        peerDriver.attach(nil)
        tell(peerDriver, .context(.init(incarnation: .init(high: 1, low: 1), number: 1), [7]), 2)
        environment.runQueue()
        #expect(peerDriver.view.hasContentPending)
        peerDriver.attach(app)
        peerDriver.handle(.delegateSet)
        environment.runQueue()
        #expect(app.claim().contains(.call(.context([7]), path: nil)))
        #expect(!peerDriver.view.hasContentPending)
    }

    @Test func `calls from many threads end with the machine intact`() async {
        // Rules R52, R53, R137.
        let peerDriver = peerDriver()
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for number in 0..<50 {
                        let id = RandomID(high: UInt64(worker) + 10, low: UInt64(number))
                        peerDriver.handle(.transferUserInfo(id, .bytes([1]), isComplication: false, hasDelegate: true))
                        _ = peerDriver.updateContext(.bytes([UInt8(worker), UInt8(number)]), hasDelegate: true)
                        _ = peerDriver.view
                        environment.runQueue()
                    }
                }
            }
        }
        #expect(peerDriver.outstandingUserInfo.count == 200)
        #expect(peerDriver.view.applicationContext != nil)
        let asked = environment.notes.withLock {
            $0.asked.filter { if case .item = $0.request { true } else { false } }
        }
        #expect(asked.count == 200)
    }
}
