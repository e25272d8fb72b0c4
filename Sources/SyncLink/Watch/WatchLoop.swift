import Logging
import SyncCore
import ZeroMQ

/// A watch's thread: waits for the socket, its monitor and letters, feeds the engine, carries out what it wants.
///
/// It decides nothing about the protocol, only when to open a new socket: when the engine asks for it, or when the
/// hub's door was shut, after which libzmq would never try again.
struct WatchLoop: Sendable {
    /// What other threads want of the loop.
    enum Letter: Sendable {
        /// An input for the engine.
        case input(WatchEngine.Input)
        /// An edit or a settlement whose answer somebody waits for.
        case request(RequestID, WatchEngine.Input, CheckedContinuation<WatchEngine.Answer, any Error>)
        /// A request about transfers whose answer somebody waits for.
        case ask(RequestID, TransferInput, TransferDesk.Waiting)
        /// Somebody wants to see what the watch shows.
        case view(CheckedContinuation<WatchDriver.View, any Error>)
        /// Other things shall go wrong.
        case faults(LinkFaults?)
        /// The hub listens elsewhere now.
        case follow(Endpoint)
        /// The loop is to end.
        case stop
    }

    /// The wait after a shut door: it doubles from the shortest to the longest.
    private static let shutDoorWait = (shortest: Duration.milliseconds(500), longest: Duration.seconds(10))
    /// How long a hub is left alone that answers with no handshake.
    private static let wrongAnswerWait = Duration.milliseconds(500)
    /// The time for the goodbye to leave when the loop ends.
    private static let farewellLinger = Duration.milliseconds(200)

    let configuration: WatchDriver.Configuration
    let state: WatchEngine.State
    let storage: any WatchStorage
    let mailbox: Mailbox<Letter>
    let tally: FaultTally
    let logger: Logger
    let onEvent: @Sendable (WatchDriver.Event) -> Void
    let onHubTime: @Sendable (WatchEngine.HubTime?) -> Void
    let files: (any FileStorage)?
    let onTransfer: @Sendable (TransferEvent) -> Void

    /// Answers letters that nobody will work on any more.
    static func abandon(_ letters: [Letter]) {
        for letter in letters {
            switch letter {
            case .request(_, _, let continuation): continuation.resume(throwing: LinkError.ended)
            case .ask(_, _, let waiting): waiting(.failure(.ended))
            case .view(let continuation): continuation.resume(throwing: LinkError.ended)
            case .input, .faults, .follow, .stop: break
            }
        }
    }

    func run() throws {
        let context: Context
        do {
            context = try Context()
        } catch {
            throw LinkError.transport(error)
        }
        let finished = Semaphore()
        let disk = StorageThread<Job>(work: { try $0.write(to: storage) }) { [mailbox] job, error in
            switch job {
            case .record(let record):
                mailbox.post(
                    .input(error.map { .persistFailed(record, reason: "\($0)") } ?? .persisted(record)))
            case .last: finished.signal()
            }
        }
        let fileThread = FileThread(storage: { [files] _ in files }) { [mailbox] answers in
            mailbox.post(answers.map { .input(.transfer(.files($0.input))) })
        }
        defer { fileThread.close() }
        var seeds = SystemRandomNumberGenerator()
        var watch = RunningWatch(
            engine: RecordedWatch(
                configuration: configuration.engine, state: state, seed: seeds.next(),
                recording: configuration.recording),
            endpoint: configuration.endpoint,
            desk: TransferDesk(files: fileThread) { [onTransfer] _, event in onTransfer(event) })
        defer { watch.abandonRequests() }
        watch.setFaults(configuration.faults, hub, tally)
        defer {
            // What the engine put out last, such as its registers, is written before the process may end.
            disk.submit(.last)
            disk.close()
            finished.wait()
        }
        while !watch.isStopped {
            do throws(ZeroMQError) {
                try follow(&watch, context: context, disk: disk)
            } catch {
                throw LinkError.transport(error)
            }
        }
    }

    /// What the disk thread does.
    private enum Job: Sendable {
        case record(WatchEngine.Record)
        case last

        func write(to storage: any WatchStorage) throws {
            if case .record(let record) = self { try storage.write(record) }
        }
    }

    /// Uses one socket until the engine wants another one, the door is shut, or the loop is to end.
    private func follow(
        _ watch: inout RunningWatch, context: Context, disk: StorageThread<Job>
    ) throws(ZeroMQError) {
        let dealer = try Socket(context, .dealer, options: options(for: watch.endpoint))
        let monitor = try dealer.monitor([.handshake, .connection])
        try dealer.connect(to: watch.endpoint)
        var poller = Poller()
        let bell = poller.add(fileDescriptor: mailbox.bell.fileDescriptor, for: .input)
        _ = poller.add(monitor.socket, for: .input)
        let incoming = poller.add(dealer, for: .input)
        watch.wantsNewSocket = false
        watch.beginConnection()
        // At its start the engine tells again what the application has not taken.
        carryOut(&watch, dealer: dealer, disk: disk)
        if watch.isConnected {
            watch.isConnected = false
            step(&watch, .disconnected, dealer: dealer, disk: disk)
        }
        while !watch.wantsNewSocket, !watch.isStopped {
            _ = try poller.wait(timeout: mailbox.rest() ? watch.timeout : .zero)
            while let event = try monitor.nextEvent() {
                noticed(event.kind, &watch, dealer: dealer, disk: disk)
            }
            if poller[incoming].contains(.input) {
                while let message = try dealer.receive() {
                    guard watch.faults == nil else {
                        watch.enterFaults(.incoming, message.frames, hub)
                        continue
                    }
                    step(&watch, .received(parts: message.frames), dealer: dealer, disk: disk)
                }
            }
            // Last, so that what the application answers to what was just received leaves at once.
            read(rung: poller[bell].contains(.input), &watch, dealer: dealer, disk: disk)
            step(&watch, .timeReached, dealer: dealer, disk: disk)
            if watch.faults != nil { passFaults(&watch, dealer: dealer, disk: disk) }
            if let due = watch.openAgainAt, due <= Moment.now.monotonic {
                watch.openAgainAt = nil
                watch.wantsNewSocket = true
            }
        }
    }

    /// Hands on what the faults let through by now.
    private func passFaults(_ watch: inout RunningWatch, dealer: borrowing Socket, disk: StorageThread<Job>) {
        while let event = watch.faults?.next(at: Moment.now.monotonic) {
            switch event {
            case .passes(.incoming, let parts, _, _):
                step(&watch, .received(parts: parts), dealer: dealer, disk: disk)
            case .passes(.outgoing, let parts, _, _): send(parts, dealer)
            case .resets: watch.wantsNewSocket = true
            }
        }
        if watch.faults?.isIdle == true { watch.faults = nil }
    }

    /// The hub's name for what belongs to its link.
    private var hub: PeerKey { configuration.hubKey.peerKey }

    private func options(for endpoint: Endpoint) -> SocketOptions {
        var options = SocketOptions()
        options.immediate = true
        options.maxMessageSize = 1_048_576
        options.linger = Self.farewellLinger
        options.handshakeInterval = .seconds(2)
        options.connectTimeout = .milliseconds(700)
        options.reconnect = .backoff(shortest: .milliseconds(100), longest: .milliseconds(500))
        options.ipv6 = endpoint.text.contains("[")
        options.security = .curveClient(keyPair: configuration.keys, serverKey: configuration.hubKey)
        return options
    }

    private func read(
        rung: Bool, _ watch: inout RunningWatch, dealer: borrowing Socket, disk: StorageThread<Job>
    ) {
        for letter in mailbox.takeAll(rung: rung) {
            switch letter {
            case .input(.retry):
                watch.shutDoorWait = nil
                if watch.openAgainAt != nil { watch.openAgainAt = Moment.now.monotonic }
                step(&watch, .retry, dealer: dealer, disk: disk)
            case .input(let input):
                step(&watch, input, dealer: dealer, disk: disk)
            case .request(let id, let input, let continuation):
                watch.waiting[id] = continuation
                step(&watch, input, dealer: dealer, disk: disk)
            case .ask(let id, let input, let waiting):
                watch.desk.ask(id, waiting)
                step(&watch, .transfer(input), dealer: dealer, disk: disk)
            case .view(let continuation):
                continuation.resume(returning: WatchDriver.View(watch.engine.engine))
            case .faults(let faults):
                watch.setFaults(faults, hub, tally)
            case .follow(let endpoint):
                guard watch.endpoint != endpoint else { continue }
                watch.endpoint = endpoint
                watch.failedHandshakeCount = 0
                watch.shutDoorWait = nil
                watch.openAgainAt = nil
                watch.wantsNewSocket = true
            case .stop:
                step(&watch, .farewell, dealer: dealer, disk: disk)
                watch.isStopped = true
            }
        }
    }

    private func noticed(
        _ event: MonitorEvent.Kind, _ watch: inout RunningWatch, dealer: borrowing Socket, disk: StorageThread<Job>
    ) {
        switch event {
        case .handshakeSucceeded:
            watch.isConnected = true
            watch.shutDoorWait = nil
            show(.connected, &watch)
            step(&watch, .connected, dealer: dealer, disk: disk)
        case .handshakeFailedAuthentication:
            show(.notAdmitted, &watch)
            let wait = min((watch.shutDoorWait ?? Self.shutDoorWait.shortest) * 2, Self.shutDoorWait.longest)
            watch.shutDoorWait = wait
            watch.openAgainAt = Moment.now.monotonic.advanced(by: wait)
        case .handshakeFailedNoDetail:
            handshakeFailed(&watch)
        case .handshakeFailedProtocol:
            handshakeFailed(&watch)
            // The socket connects again after a connection that broke, but never after an answer that is no handshake.
            watch.openAgainAt = watch.openAgainAt ?? Moment.now.monotonic.advanced(by: Self.wrongAnswerWait)
        case .connected:
            watch.isAnswered = true
        case .connectRetried:
            // What broke a handshake is gone, if nothing answered since.
            if !watch.isAnswered { watch.failedHandshakeCount = 0 }
            watch.isAnswered = false
            if watch.failedHandshakeCount == 0, watch.openAgainAt == nil { show(.unreachable, &watch) }
        case .disconnected:
            guard watch.isConnected else { return }
            watch.isConnected = false
            step(&watch, .disconnected, dealer: dealer, disk: disk)
        default:
            break
        }
    }

    /// A connection that breaks in the handshake looks like a wrong key; a wrong key does it each time.
    private func handshakeFailed(_ watch: inout RunningWatch) {
        watch.failedHandshakeCount += 1
        if watch.failedHandshakeCount >= 2 { show(.notThisHub, &watch) }
    }

    private func show(_ transport: WatchDriver.Transport, _ watch: inout RunningWatch) {
        if transport == .connected { watch.failedHandshakeCount = 0 }
        guard watch.transport != transport else { return }
        watch.transport = transport
        logger.debug("watch transport", metadata: ["link.transport": "\(transport)"])
        onEvent(.transport(transport))
    }

    private func step(
        _ watch: inout RunningWatch, _ input: WatchEngine.Input, dealer: borrowing Socket, disk: StorageThread<Job>
    ) {
        let timeBefore = watch.engine.engine.hubTime
        watch.engine.handle(input, at: .now)
        carryOut(&watch, dealer: dealer, disk: disk)
        if watch.engine.engine.hubTime != timeBefore { onHubTime(watch.engine.engine.hubTime) }
    }

    private func carryOut(_ watch: inout RunningWatch, dealer: borrowing Socket, disk: StorageThread<Job>) {
        while let output = watch.engine.nextOutput() {
            switch output {
            case .send(let frame):
                if watch.faults == nil {
                    send(frame, dealer)
                } else {
                    watch.enterFaults(.outgoing, FrameCodec.parts(of: frame), hub)
                }
            case .reconnect: watch.wantsNewSocket = true
            case .persist(let record): disk.submit(.record(record))
            case .transfer(let output): watch.desk.carryOut(output, with: hub)
            case .answer(let id, let answer): watch.waiting.removeValue(forKey: id)?.resume(returning: answer)
            case .event(let event):
                logger.debug("watch event", metadata: ["watch.event": "\(event)"])
                onEvent(.engine(event))
            }
        }
        watch.desk.beginFileJobs()
    }

    private func send(_ frame: Frame, _ dealer: borrowing Socket) {
        let checksum = FrameCodec.contentChecksum(of: frame)
        // A frame that finds no room or no connection is lost; time repairs it.
        _ = try? dealer.send(byteCount: FrameCodec.byteCount(of: frame)) { room in
            // The room is for the bytes of the frame, of which all are written.
            unsafe FrameCodec.write(frame, contentChecksum: checksum, to: room)
        }
    }

    private func send(_ parts: [[UInt8]], _ dealer: borrowing Socket) {
        // A frame that finds no room or no connection is lost; time repairs it.
        _ = try? dealer.send(parts)
    }
}

/// The engine and what the loop knows of its socket.
private struct RunningWatch {
    var engine: RecordedWatch
    /// Where the hub listens.
    var endpoint: Endpoint
    var transport = WatchDriver.Transport.connecting
    var isConnected = false
    var isStopped = false
    var wantsNewSocket = false
    var failedHandshakeCount = 0
    /// Whether something took the connection since it was last tried anew.
    var isAnswered = false
    var shutDoorWait: Duration?
    var openAgainAt: Instant?
    /// What goes wrong on purpose, nil if nothing does.
    var faults: FaultLayer?
    /// The number of the socket, which names its connection to the faults.
    private var socketNumber: UInt32 = 0

    var timeout: Duration? {
        let deadlines = [engine.nextDeadline, openAgainAt, faults?.deadline]
        guard let due = deadlines.lazy.compactMap(\.self).min() else { return nil }
        return max(Moment.now.monotonic.duration(to: due), .zero)
    }

    /// What becomes of transfers.
    var desk: TransferDesk
    /// Who waits for an answer about an edit.
    var waiting: [RequestID: CheckedContinuation<WatchEngine.Answer, any Error>] = [:]

    init(engine: RecordedWatch, endpoint: Endpoint, desk: TransferDesk) {
        self.engine = engine
        self.endpoint = endpoint
        self.desk = desk
    }

    /// Tells those who still wait that no answer will come.
    mutating func abandonRequests() {
        for continuation in waiting.values { continuation.resume(throwing: LinkError.ended) }
        waiting = [:]
        desk.abandon()
    }

    mutating func setFaults(_ wanted: LinkFaults?, _ hub: PeerKey, _ tally: FaultTally) {
        guard wanted != nil || faults != nil else { return }
        var layer = faults ?? FaultLayer(tally: tally)
        layer.set(wanted, for: hub)
        faults = layer
    }

    /// A new socket is in use: what is held of the one before is gone with it.
    mutating func beginConnection() {
        let ended = connection
        faults?.ended(ended)
        socketNumber += 1
    }

    mutating func enterFaults(_ direction: FaultDirection, _ parts: [[UInt8]], _ hub: PeerKey) {
        let connection = connection
        faults?.enter(direction, parts, peer: hub, connection: connection, at: Moment.now.monotonic)
    }

    private var connection: ConnectionID {
        ConnectionID(bytes: (0..<4).map { UInt8(truncatingIfNeeded: socketNumber >> ($0 * 8)) })
    }
}
