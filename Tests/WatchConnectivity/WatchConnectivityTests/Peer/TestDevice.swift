import SyncCore

@testable import WatchConnectivity

/// A device of a test: a companion on a real engine, a disk in memory, and an app that notes its calls.
///
/// Nothing happens by itself: ``TestLink/settle()`` lets it.
final class TestDevice {
    let role: PeerState.Role
    let behaviour: SessionBehaviour
    private let isTraced: Bool
    private(set) var peerState: PeerState
    private var exchange: Exchange
    private var files: FileExchange
    private(set) var exchangeState = Exchange.State()
    private(set) var fileState = FileExchange.State()
    private var life: UInt64

    /// What is durable of the companion.
    var stored: [String: [UInt8]] = [:]
    var isDiskFull = false
    var moment = Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 1_800_000_000_000)
    /// The session of the link, nil while it is down.
    private(set) var session: UInt64?
    /// What is on its way to the other device.
    var frames: [Frame] = []
    /// What is to be fed before anything else.
    private var inputs: [PeerState.Input] = []
    /// The requests in the engine, by their numbers there.
    private var requests: [UInt64: PeerState.EngineTag] = [:]
    private var lastRequest: UInt64 = 0
    /// The messages that this life of the engine told of and that were not answered: each has a place there.
    private(set) var unanswered: Set<MessageID> = []

    /// What the app was called with.
    var calls: [PeerState.Call] = []
    /// How the app takes a call; nil to leave it running.
    var takes: (PeerState.Call) -> PeerState.Handling? = { _ in .handled }
    /// The call that has not returned.
    private(set) var running: PeerState.DeliveryID?
    private var offered: PeerState.DeliveryID?
    var answers: [WCError.Code?] = []
    var launches: [PeerState.LaunchReason] = []
    /// How often the app was to be ended.
    private(set) var endedAppCount = 0
    private(set) var suspensionCount = 0
    var directories: [Bool] = []
    var trace: [TraceEvent] = []
    /// The files at the app's paths.
    var paths: [String: [UInt8]] = [:]
    /// Whether copies are made at once; if not, a test makes them by ``finishCopy(_:)``.
    var copiesAtOnce = true
    private(set) var copying: [(id: RandomID, path: String)] = []
    /// The files that need not be held any more.
    var releaseOriginal: [RandomID] = []
    var folder = TestFolder()
    /// Whether the process ends before the engine hears that a result was taken.
    var losesResultTaken = false

    init(_ role: PeerState.Role, _ behaviour: SessionBehaviour, isTraced: Bool, seed: UInt64) {
        self.role = role
        self.behaviour = behaviour
        self.isTraced = isTraced
        life = seed
        let engine = behaviour.engineConfiguration
        exchange = Exchange(configuration: engine.exchange, state: Exchange.State(), seed: seed)
        files = FileExchange(configuration: engine.files, state: FileExchange.State(), seed: seed)
        peerState = PeerState(
            configuration: .init(role: role, behaviour: behaviour, isTraced: isTraced), stored: [:],
            storedTransfers: .init(),
            seed: seed)
        drain()
    }

    // MARK: - What a test does

    /// Feeds an input and what follows from it on this device.
    func feed(_ input: PeerState.Input) {
        inputs.append(input)
        work()
    }

    /// Ends the device's process, and starts it on what is durable.
    func restart() {
        life += 100
        frames = []
        (session, running, offered) = (nil, nil, nil)
        (inputs, requests, copying) = ([], [:], [])
        unanswered = []
        let engine = behaviour.engineConfiguration
        exchange = Exchange(configuration: engine.exchange, state: exchangeState, seed: life)
        files = FileExchange(configuration: engine.files, state: fileState, seed: life)
        peerState = PeerState(
            configuration: .init(role: role, behaviour: behaviour, isTraced: isTraced), stored: stored,
            storedTransfers: .init(TransferState(exchange: exchangeState, files: fileState)), seed: life)
        drainExchange()
        drainFiles()
        drain()
        work()
    }

    /// The call that is running returns.
    func finishCall(_ handling: PeerState.Handling = .handled) {
        guard let id = running else { return }
        running = nil
        feed(.delivered(id, handling))
    }

    /// A copy is ready, or its source cannot be read.
    func finishCopy(_ id: RandomID) {
        copy(id)
        work()
    }

    // MARK: - The link

    /// Sends bytes as a message of the engine, past the companion.
    func sendPastCompanion(_ bytes: [UInt8]) {
        lastRequest += 1
        let message = Message(payload: bytes, wantsReply: false)
        exchange.handle(.message(RequestID(number: lastRequest), message), at: moment)
        drainExchange()
    }

    var positions: ItemPositions { exchange.positions }

    func open(_ number: UInt64, peer: ItemPositions) {
        session = number
        exchange.handle(.sessionOpened(number, peer: peer), at: moment)
        drainExchange()
        files.handle(.sessionOpened(number), at: moment)
        drainFiles()
        feed(.link(isOpen: true))
    }

    func close() {
        session = nil
        frames = []
        exchange.handle(.sessionClosed, at: moment)
        drainExchange()
        files.handle(.sessionClosed, at: moment)
        drainFiles()
        feed(.link(isOpen: false))
    }

    func receive(_ frame: Frame) {
        if [.offer, .pull, .chunk, .done, .abort].contains(frame.kind) {
            files.handle(.received(frame), at: moment)
            drainFiles()
        } else {
            exchange.handle(.received(frame), at: moment)
            drainExchange()
        }
        work()
    }

    var deadline: Instant? {
        [peerState.nextDeadline, exchange.nextDeadline, files.nextDeadline].compactMap(\.self).min()
    }

    func timeReached() {
        exchange.handle(.timeReached, at: moment)
        drainExchange()
        files.handle(.timeReached, at: moment)
        drainFiles()
        feed(.timeReached)
    }

    // MARK: - Carrying out

    /// Feeds what waits, and calls the app, until nothing is to be done.
    private func work() {
        while true {
            if !inputs.isEmpty {
                peerState.handle(inputs.removeFirst(), at: moment)
                drain()
            } else if let id = offered {
                offered = nil
                let begun = peerState.begin(id, at: moment)
                drain()
                guard let call = begun else { continue }
                calls.append(call)
                running = id
                if let handling = takes(call) {
                    running = nil
                    inputs.append(.delivered(id, handling))
                }
            } else {
                return
            }
        }
    }

    private func drain() {
        while let output = peerState.nextOutput() { carryOut(output) }
    }

    private func carryOut(_ output: PeerState.Output) {
        switch output {
        case .persist(let record):
            guard !isDiskFull else { return inputs.append(.persistFailed(record, reason: "full")) }
            for change in record.changes { stored[change.key] = change.value }
            inputs.append(.persisted(record))
        case .engine(let tag, let request): ask(request, tag)
        case .copyFile(let id, let path):
            copying.append((id, path))
            if copiesAtOnce { copy(id) }
        case .releaseCopy(let file): folder.copies[file] = nil
        case .releaseOriginal(let id): releaseOriginal.append(id)
        case .call(let id): offered = id
        case .answered(let code): answers.append(code)
        case .launchApp(let reason): launches.append(reason)
        case .suspendApp: suspensionCount += 1
        case .endApp: endedAppCount += 1
        case .watchDirectory(let exists): directories.append(exists)
        case .trace(let event): trace.append(event)
        }
    }

    private func copy(_ id: RandomID) {
        guard let index = copying.firstIndex(where: { $0.id == id }) else { return }
        let path = copying.remove(at: index).path
        guard let bytes = paths[path] else { return inputs.append(.fileNotCopied(id, .fileAccessDenied)) }
        let file = "copy-\(id.hexadecimal)"
        folder.copies[file] = bytes
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let copied = PeerState.CopiedFile(
            file: file, name: name, byteCount: UInt64(bytes.count), digest: TestFolder.digest(of: bytes))
        inputs.append(.fileCopied(id, copied))
    }

    private func ask(_ request: PeerState.EngineRequest, _ tag: PeerState.EngineTag) {
        lastRequest += 1
        requests[lastRequest] = tag
        let id = RequestID(number: lastRequest)
        switch request {
        case .message(let message): exchange.handle(.message(id, message), at: moment)
        case .item(let transfer): exchange.handle(.transfer(id, transfer), at: moment)
        case .cancelItem(let item): exchange.handle(.cancel(id, item), at: moment)
        case .consumedItem(let item): exchange.handle(.consumed(item), at: moment)
        case .reply(let message, let payload):
            unanswered.remove(message)
            exchange.handle(.reply(id, message, payload), at: moment)
        case .decline(let message, let refusal, let text):
            unanswered.remove(message)
            exchange.handle(.decline(id, message, refusal, text: text), at: moment)
        case .file(let copy, let metadata):
            files.handle(
                .send(
                    id, file: copy.file, name: copy.name, byteCount: copy.byteCount, copy.digest, metadata: metadata),
                at: moment)
        case .cancelFile(let file): files.handle(.cancel(id, file), at: moment)
        case .consumedFile(let file): files.handle(.consumed(file), at: moment)
        case .resultTaken where losesResultTaken: break
        case .resultTaken(let file): files.handle(.resultTaken(file), at: moment)
        }
        drainExchange()
        drainFiles()
    }

    private func answered(_ id: RequestID, _ answer: TransferAnswer) {
        guard let tag = requests.removeValue(forKey: id.number) else { return }
        inputs.append(.engineAnswered(tag, answer))
    }

    private func drainExchange() {
        var records: [Exchange.Record] = []
        repeat {
            while let output = exchange.nextOutput() {
                switch output {
                case .send(let frame): if session != nil { frames.append(frame) }
                case .persist(let record):
                    exchangeState.apply(record)
                    records.append(record)
                case .answer(let id, let answer): answered(id, .exchange(answer))
                case .event(let event):
                    if case .messageReceived(let message) = event { unanswered.insert(message.id) }
                    inputs.append(.engineEvent(.exchange(event)))
                case .endSession: break
                }
            }
            guard !records.isEmpty else { return }
            exchange.handle(.persisted(records.removeFirst()), at: moment)
        } while true
    }

    private func drainFiles() {
        var next: [FileExchange.Input] = []
        repeat {
            while let output = files.nextOutput() {
                switch output {
                case .send(let frame): if session != nil { frames.append(frame) }
                case .persist(let record):
                    fileState.apply(record)
                    next.append(.persisted(record))
                case .answer(let id, let answer): answered(id, .files(answer))
                case .event(let event): inputs.append(.engineEvent(.files(event)))
                default: if let input = folder.carryOut(output) { next.append(input) }
                }
            }
            guard !next.isEmpty else { return }
            files.handle(next.removeFirst(), at: moment)
        } while true
    }
}
