import Logging
import SyncCore
import ZeroMQ

/// A watch's thread: waits for the socket, its monitor and letters, feeds the engine, carries out what it wants.
///
/// It decides nothing about the protocol, nor when to open another socket: that does `ConnectionSupervisor`.
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

    /// The answer of a door that knows the key and turns it away; others mean that it cannot tell.
    private static let deniedStatus = 400
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
        var line: WatchSocket?
        do throws(ZeroMQError) {
            // At its start the engine tells again what the application has not taken.
            carryOut(&watch, line, disk: disk)
            while !watch.isStopped {
                switch watch.supervisor.nextSocketDirective() {
                case .keep: try follow(&watch, line, disk: disk)
                case .endConnection: step(&watch, .disconnected, line, disk: disk)
                case .open:
                    // The one before is closed first: the system may have no room for both.
                    line = nil
                    line = try open(&watch, in: &context)
                }
            }
        } catch {
            throw LinkError.transport(error)
        }
        finish(&watch, line, disk: disk)
    }

    /// The thread that makes records durable.
    private typealias Disk = StorageThread<WatchEngine.Record>

    /// Opens a socket; nil if there is none to be had now, which passes: it is tried again after a while.
    private func open(_ watch: inout RunningWatch, in context: inout Context?) throws(ZeroMQError) -> WatchSocket? {
        watch.beginConnection()
        do throws(ZeroMQError) {
            let ready: Context
            if let context { ready = context } else { ready = try configuration.openContext() }
            context = ready
            let line = try WatchSocket(ready, to: watch.endpoint, options: options(for: watch.endpoint))
            watch.supervisor.socketOpened()
            return line
        } catch {
            guard error.isShortage else { throw error }
            switch watch.supervisor.socketDenied(at: Moment.now.monotonic) {
            case .report(let status):
                logger.info("no socket to be had", metadata: ["link.error": "\(error)"])
                report(status)
            case .wait: break
            }
            return nil
        }
    }

    /// Uses one socket, or none, until another one is to be opened or the loop is to end.
    private func follow(_ watch: inout RunningWatch, _ line: WatchSocket?, disk: Disk) throws(ZeroMQError) {
        var poller = Poller()
        let bell = poller.add(fileDescriptor: mailbox.bell.fileDescriptor, for: .input)
        let incoming = line?.add(to: &poller)
        while watch.supervisor.keepsSocket, !watch.isStopped {
            _ = try poller.wait(timeout: mailbox.rest() ? watch.timeout : .zero)
            if let line, let incoming {
                try receive(&watch, line, hasMessages: poller[incoming].contains(.input), disk: disk)
            }
            // Last, so that what the application answers to what was just received leaves at once.
            read(rung: poller[bell].contains(.input), &watch, line, disk: disk)
            step(&watch, .timeReached, line, disk: disk)
            if watch.faults != nil { passFaults(&watch, line, disk: disk) }
            watch.supervisor.timeReached(at: Moment.now.monotonic)
        }
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
            case .resets: watch.supervisor.replaceSocket()
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
        options.handshakeInterval = ConnectionSupervisor.handshakeInterval
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
                watch.supervisor.retryRequested()
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
                watch.supervisor.endpointChanged()
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
            guard case .beginConnection(let status) = watch.supervisor.handshakeSucceeded() else { return }
            report(status)
            step(&watch, .connected, line, disk: disk)
        case .handshakeFailedAuthentication(let status):
            handshakeFailed(status == Self.deniedStatus ? .denied : .undecided, &watch)
        case .handshakeFailedNoDetail: handshakeFailed(.brokenOff, &watch)
        case .handshakeFailedProtocol: handshakeFailed(.wrongAnswer, &watch)
        case .connected: watch.supervisor.connectionTaken(at: Moment.now.monotonic)
        case .connectRetried: report(watch.supervisor.connectionRetried())
        case .disconnected:
            guard watch.supervisor.connectionLost() == .endConnection else { return }
            step(&watch, .disconnected, line, disk: disk)
        case .connectDelayed, .listening, .bindFailed, .accepted, .acceptFailed, .closed, .closeFailed, .monitorStopped,
            .unknown:
            break
        }
    }

    private func handshakeFailed(_ failure: ConnectionSupervisor.HandshakeFailure, _ watch: inout RunningWatch) {
        report(watch.supervisor.handshakeFailed(failure, at: Moment.now.monotonic))
    }

    private func report(_ status: ConnectionStatus?) {
        guard let status else { return }
        logger.debug("watch transport", metadata: ["link.transport": "\(status)"])
        onEvent(.transport(status))
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
            case .reconnect: watch.supervisor.replaceSocket()
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
    /// Decides about the socket.
    var supervisor = ConnectionSupervisor()
    var isStopped = false
    /// What goes wrong on purpose, nil if nothing does.
    var faults: FaultLayer?
    /// The number of the socket, which names its connection to the faults.
    private var socketNumber: UInt32 = 0

    var timeout: Duration? {
        let deadlines = [engine.nextDeadline, supervisor.deadline, faults?.deadline]
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
