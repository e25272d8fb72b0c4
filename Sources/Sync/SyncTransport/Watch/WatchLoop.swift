import Logging
import SyncCore
import ZeroMQ

/// A watch's thread: waits for the socket, its monitor and letters, feeds the engine, carries out what it wants.
///
/// It decides nothing about the protocol, only when to open a new socket: when the engine asks for it, when the hub's
/// door was shut, after which libzmq would never try again, or when there was no socket to be had.
struct WatchLoop: Sendable {
    /// What other threads want of the loop.
    enum Letter: Sendable {
        /// An input for the engine.
        case input(WatchEngine.Input)
        /// An edit or a settlement whose answer somebody waits for.
        case request(RequestID, WatchEngine.Input, CheckedContinuation<WatchEngine.Answer, any Error>)
        /// A request about transfers whose answer somebody waits for.
        case ask(RequestID, TransferInput, PendingTransfers.Waiting)
        /// Somebody wants to see what the watch shows.
        case view(CheckedContinuation<WatchTransport.View, any Error>)
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
    /// The longest time for a handshake.
    private static let handshakeInterval = Duration.seconds(2)
    /// The answer of a door that knows the key and turns it away; others mean that it cannot tell.
    private static let deniedStatus = 400
    /// The wait after the system had no room for a socket.
    private static let shortageWait = Duration.seconds(1)
    /// The time for the goodbye to leave when the loop ends.
    private static let farewellLinger = Duration.milliseconds(200)
    /// How often the engine hears at the end what became of its last wishes: the last bytes of a file that is being
    /// received are written, then synced, then recorded.
    private static let lastRoundCount = 4

    let configuration: WatchTransport.Configuration
    let state: WatchEngine.State
    let storage: any WatchStorage
    let mailbox: RequestQueue<Letter>
    let tally: FaultCounters
    let logger: Logger
    let onEvent: @Sendable (WatchTransport.Event) -> Void
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
        let disk = Disk(work: { [storage] in try storage.write($0) }) { [mailbox] record, error in
            mailbox.post(.input(error.map { .persistFailed(record, reason: "\($0)") } ?? .persisted(record)))
        }
        let fileThread = FileWorker(storage: { [files] _ in files }) { [mailbox] answers in
            mailbox.post(answers.map { .input(.transfer(.files($0.input))) })
        }
        var seeds = SystemRandomNumberGenerator()
        var watch = RunningWatch(
            engine: RecordedWatch(
                configuration: configuration.engine, state: state, seed: seeds.next(),
                recording: configuration.recording),
            endpoint: configuration.endpoint,
            desk: PendingTransfers(files: fileThread) { [onTransfer] _, event in onTransfer(event) })
        defer { watch.abandonRequests() }
        watch.setFaults(configuration.faults, hub, tally)
        defer {
            // What the engine put out last, such as its registers, is written before the process may end, and nothing
            // is written afterwards: the folder may be another one's then.
            fileThread.end()
            disk.end()
        }
        var context: Context?
        while !watch.isStopped {
            do throws(ZeroMQError) {
                let line = try open(&watch, in: &context)
                try follow(&watch, line, disk: disk)
            } catch {
                throw LinkError.transport(error)
            }
        }
    }

    /// The thread that makes records durable.
    private typealias Disk = StorageThread<WatchEngine.Record>

    /// Opens a socket; nil if there is none to be had now, which passes: it is tried again after a while.
    private func open(_ watch: inout RunningWatch, in context: inout Context?) throws(ZeroMQError) -> WatchSocket? {
        // Whatever it was to be opened again for is done now.
        watch.openAgainAt = nil
        do throws(ZeroMQError) {
            let ready: Context
            if let context { ready = context } else { ready = try configuration.openContext() }
            context = ready
            let line = try WatchSocket(ready, to: watch.endpoint, options: options(for: watch.endpoint))
            watch.lacksSocket = false
            return line
        } catch {
            guard error.isShortage else { throw error }
            if !watch.lacksSocket { logger.info("no socket to be had", metadata: ["link.error": "\(error)"]) }
            watch.lacksSocket = true
            watch.openAgainAt = Moment.now.monotonic.advanced(by: Self.shortageWait)
            show(.unreachable, &watch)
            return nil
        }
    }

    /// Uses one socket, or none, until the engine wants another one, one is to be opened again, or the loop is to end.
    private func follow(_ watch: inout RunningWatch, _ line: WatchSocket?, disk: Disk) throws(ZeroMQError) {
        var poller = Poller()
        let bell = poller.add(fileDescriptor: mailbox.bell.fileDescriptor, for: .input)
        let incoming = line?.add(to: &poller)
        watch.wantsNewSocket = false
        watch.beginConnection()
        // At its start the engine tells again what the application has not taken.
        carryOut(&watch, line, disk: disk)
        if watch.isConnected {
            watch.isConnected = false
            step(&watch, .disconnected, line, disk: disk)
        }
        while !watch.wantsNewSocket, !watch.isStopped {
            _ = try poller.wait(timeout: mailbox.rest() ? watch.timeout : .zero)
            if let line, let incoming {
                try receive(&watch, line, hasMessages: poller[incoming].contains(.input), disk: disk)
            }
            // Last, so that what the application answers to what was just received leaves at once.
            read(rung: poller[bell].contains(.input), &watch, line, disk: disk)
            step(&watch, .timeReached, line, disk: disk)
            if watch.faults != nil { passFaults(&watch, line, disk: disk) }
            if let due = watch.openAgainAt, due <= Moment.now.monotonic {
                watch.openAgainAt = nil
                watch.wantsNewSocket = true
            }
        }
        if watch.isStopped { finish(&watch, line, disk: disk) }
    }

    /// Takes in what happened to the connection, and what came through it.
    private func receive(
        _ watch: inout RunningWatch, _ line: WatchSocket, hasMessages: Bool, disk: Disk
    ) throws(ZeroMQError) {
        while let event = try line.monitor.nextEvent() {
            noticed(event.kind, &watch, line, disk: disk)
        }
        guard hasMessages else { return }
        while let message = try line.dealer.receive() {
            guard watch.faults == nil else {
                watch.enterFaults(.incoming, message.frames, hub)
                continue
            }
            step(&watch, .received(parts: message.frames), line, disk: disk)
        }
    }

    /// Follows what the farewell leads to, while there is something.
    ///
    /// A record may have to wait for one that is being written, so the engine hears what becomes of the last ones, too.
    /// Anybody who asks for something from now on is told that the watch has ended.
    private func finish(_ watch: inout RunningWatch, _ line: WatchSocket?, disk: Disk) {
        for _ in 0..<Self.lastRoundCount {
            disk.drain()
            watch.desk.awaitFileJobs()
            let letters = mailbox.takeAll()
            if letters.isEmpty { return }
            for letter in letters {
                switch letter {
                // Nobody looks for the hub any more.
                case .input(.retry): continue
                case .input(let input): step(&watch, input, line, disk: disk)
                case .request, .ask, .view, .faults, .follow, .stop: Self.abandon([letter])
                }
            }
        }
    }

    /// Hands on what the faults let through by now.
    private func passFaults(_ watch: inout RunningWatch, _ line: WatchSocket?, disk: Disk) {
        while let event = watch.faults?.next(at: Moment.now.monotonic) {
            switch event {
            case .passes(.incoming, let parts, _, _):
                step(&watch, .received(parts: parts), line, disk: disk)
            case .passes(.outgoing, let parts, _, _): send(parts, line)
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
        options.handshakeInterval = Self.handshakeInterval
        options.connectTimeout = .milliseconds(700)
        options.reconnect = .backoff(shortest: .milliseconds(100), longest: .milliseconds(500))
        options.ipv6 = endpoint.text.contains("[")
        options.security = .curveClient(keyPair: configuration.keys, serverKey: configuration.hubKey)
        return options
    }

    private func read(
        rung: Bool, _ watch: inout RunningWatch, _ line: WatchSocket?, disk: Disk
    ) {
        for letter in mailbox.takeAll(rung: rung) {
            switch letter {
            case .input(.retry):
                watch.shutDoorWait = nil
                if watch.openAgainAt != nil { watch.openAgainAt = Moment.now.monotonic }
                step(&watch, .retry, line, disk: disk)
            case .input(let input):
                step(&watch, input, line, disk: disk)
            case .request(let id, let input, let continuation):
                watch.waiting[id] = continuation
                step(&watch, input, line, disk: disk)
            case .ask(let id, let input, let waiting):
                watch.desk.ask(id, waiting)
                step(&watch, .transfer(input), line, disk: disk)
            case .view(let continuation):
                continuation.resume(returning: WatchTransport.View(watch.engine.engine))
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
                step(&watch, .farewell, line, disk: disk)
                watch.isStopped = true
            }
        }
    }

    private func noticed(
        _ event: MonitorEvent.Kind, _ watch: inout RunningWatch, _ line: WatchSocket?, disk: Disk
    ) {
        switch event {
        case .handshakeSucceeded:
            watch.isConnected = true
            watch.shutDoorWait = nil
            show(.connected, &watch)
            step(&watch, .connected, line, disk: disk)
        case .handshakeFailedAuthentication(let status):
            show(status == Self.deniedStatus ? .notAdmitted : .unfinished, &watch)
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
            watch.answeredAt = Moment.now.monotonic
        case .connectRetried:
            // What broke a handshake is gone, if nothing answered since.
            if !watch.isAnswered { watch.failedHandshakeCount = 0 }
            watch.isAnswered = false
            if watch.failedHandshakeCount == 0, watch.openAgainAt == nil { show(.unreachable, &watch) }
        case .disconnected:
            guard watch.isConnected else { return }
            watch.isConnected = false
            step(&watch, .disconnected, line, disk: disk)
        case .connectDelayed, .listening, .bindFailed, .accepted, .acceptFailed, .closed, .closeFailed, .monitorStopped,
            .unknown:
            break
        }
    }

    /// A connection that breaks in the handshake looks like a wrong key; a wrong key does it each time, and at once.
    ///
    /// A hub that has too much to do is silent until the time for the handshake is over.
    private func handshakeFailed(_ watch: inout RunningWatch) {
        let wasSilent = watch.answeredAt.map {
            $0.advanced(by: Self.handshakeInterval * 3 / 4) <= Moment.now.monotonic
        }
        guard wasSilent != true else {
            watch.failedHandshakeCount = 0
            return show(.unfinished, &watch)
        }
        watch.failedHandshakeCount += 1
        if watch.failedHandshakeCount >= 2 { show(.notThisHub, &watch) }
    }

    private func show(_ transport: WatchTransport.Transport, _ watch: inout RunningWatch) {
        if transport == .connected { watch.failedHandshakeCount = 0 }
        guard watch.transport != transport else { return }
        watch.transport = transport
        logger.debug("watch transport", metadata: ["link.transport": "\(transport)"])
        onEvent(.transport(transport))
    }

    private func step(
        _ watch: inout RunningWatch, _ input: WatchEngine.Input, _ line: WatchSocket?, disk: Disk
    ) {
        let timeBefore = watch.engine.engine.hubTime
        watch.engine.handle(input, at: .now)
        carryOut(&watch, line, disk: disk)
        if watch.engine.engine.hubTime != timeBefore { onHubTime(watch.engine.engine.hubTime) }
    }

    private func carryOut(_ watch: inout RunningWatch, _ line: WatchSocket?, disk: Disk) {
        while let output = watch.engine.nextOutput() {
            switch output {
            case .send(let frame):
                if watch.faults == nil {
                    send(frame, line)
                } else {
                    watch.enterFaults(.outgoing, FrameCodec.parts(of: frame), hub)
                }
            case .reconnect: watch.wantsNewSocket = true
            case .persist(let record): disk.submit(record)
            case .transfer(let output): watch.desk.carryOut(output, with: hub)
            case .answer(let id, let answer): watch.waiting.removeValue(forKey: id)?.resume(returning: answer)
            case .event(let event):
                logger.debug("watch event", metadata: ["watch.event": "\(event)"])
                onEvent(.engine(event))
            }
        }
        watch.desk.beginFileJobs()
    }

    private func send(_ frame: Frame, _ line: WatchSocket?) {
        guard let line else { return }
        let checksum = FrameCodec.contentChecksum(of: frame)
        // A frame that finds no room or no connection is lost; time repairs it.
        _ = try? line.dealer.send(byteCount: FrameCodec.byteCount(of: frame)) { room in
            // The room is for the bytes of the frame, of which all are written.
            unsafe FrameCodec.write(frame, contentChecksum: checksum, to: room)
        }
    }

    private func send(_ parts: [[UInt8]], _ line: WatchSocket?) {
        guard let line else { return }
        // A frame that finds no room or no connection is lost; time repairs it.
        _ = try? line.dealer.send(parts)
    }
}

/// The engine and what the loop knows of its socket.
private struct RunningWatch {
    var engine: RecordedWatch
    /// Where the hub listens.
    var endpoint: Endpoint
    var transport = WatchTransport.Transport.connecting
    var isConnected = false
    var isStopped = false
    var wantsNewSocket = false
    var failedHandshakeCount = 0
    /// Whether something took the connection since it was last tried anew.
    var isAnswered = false
    /// When something last did.
    var answeredAt: Instant?
    var shutDoorWait: Duration?
    /// When to use another socket, nil while this one may do; there is another one then in any case.
    var openAgainAt: Instant?
    /// Whether there is no socket, because there was none to be had.
    var lacksSocket = false
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
    var desk: PendingTransfers
    /// Who waits for an answer about an edit.
    var waiting: [RequestID: CheckedContinuation<WatchEngine.Answer, any Error>] = [:]

    init(engine: RecordedWatch, endpoint: Endpoint, desk: PendingTransfers) {
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

    mutating func setFaults(_ wanted: LinkFaults?, _ hub: PeerKey, _ tally: FaultCounters) {
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
