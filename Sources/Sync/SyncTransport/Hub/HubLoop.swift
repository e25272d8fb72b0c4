import Logging
import SyncCore
import ZeroMQ

/// The hub's thread: waits for sockets and letters, feeds the engine, carries out what it wants.
///
/// It decides nothing about the protocol.
struct HubLoop: Sendable {
    /// What other threads want of the loop.
    enum Letter: Sendable {
        /// An input for the engine.
        case input(HubEngine.Input)
        /// An input whose answer somebody waits for.
        case request(HubEngine.RequestID, HubEngine.Input, CheckedContinuation<Version, any Error>)
        /// A request about transfers with a watch whose answer somebody waits for.
        case ask(RequestID, TransferInput, with: PeerKey, PendingTransfers.Waiting)
        /// Somebody wants to see the hub's state.
        case status(CheckedContinuation<HubTransport.Status, any Error>)
        /// Other things shall go wrong, on the link of one watch or on all that have no faults of their own.
        case faults(LinkFaults?, for: PeerKey?)
        /// The loop is to end.
        case stop
    }

    /// How long messages are taken from the ROUTER before other work has its turn: what one of them costs, its sender
    /// decides.
    private static let turnTime = Duration.milliseconds(5)
    /// The messages that may wait for one watch inside libzmq; the real queues are the engine's, which counts on each frame
    /// of a window to find room.
    ///
    /// Twice the largest window: libzmq tells of new room only when half of it is there.
    private static let sendHighWaterMark = 2 * 1024
    private static let receiveHighWaterMark = 64
    /// The connections that may wait to be accepted: a thousand watches come back at once.
    private static let backlog = 4096

    /// The time after which a connection is closed whose watch is gone without a word.
    ///
    /// That a session is over shows much sooner, by the watch's own pings; this only gives back what the connection
    /// holds. So the transport's heartbeats may be rare, and a thousand idle watches cost little.
    private static let clearingInterval = Duration.seconds(20)

    /// How often the engine hears at the end what became of its last wishes: a file that has just arrived is finished,
    /// then recorded.
    private static let lastRoundCount = 4

    let configuration: HubTransport.Configuration
    let state: LedgerState
    let transfers: [PeerKey: TransferState]
    let storage: any HubStorage
    let mailbox: RequestQueue<Letter>
    let tally: FaultCounters
    let logger: Logger
    let onEvent: @Sendable (HubEngine.Event) -> Void
    let files: @Sendable (PeerKey) -> (any FileStorage)?
    let onTransfer: @Sendable (PeerKey, TransferEvent) -> Void

    /// Something to make durable.
    enum Job: Sendable {
        case transaction(Transaction)
        case record(PeerKey, TransferRecord)

        func write(to storage: any HubStorage) throws {
            switch self {
            case .transaction(let transaction): try storage.commit(transaction)
            case .record(let peer, let record): try storage.commit(record, of: peer)
            }
        }

        /// What the engine is told.
        func outcome(_ error: (any Error)?) -> HubEngine.Input {
            switch self {
            case .transaction(let transaction):
                error.map { .persistFailed(transaction, reason: "\($0)") } ?? .persisted(transaction)
            case .record(let peer, let record):
                error.map { .recordFailed(peer, record, reason: "\($0)") } ?? .recorded(peer, record)
            }
        }
    }

    /// Answers letters that nobody will work on any more.
    static func abandon(_ letters: [Letter]) {
        for letter in letters {
            switch letter {
            case .request(_, _, let continuation): continuation.resume(throwing: LinkError.ended)
            case .ask(_, _, _, let waiting): waiting(.failure(.ended))
            case .status(let continuation): continuation.resume(throwing: LinkError.ended)
            case .input, .faults, .stop: break
            }
        }
    }

    func run(onReady: @Sendable (Endpoint) -> Void) throws {
        do {
            let context = try Context(maxSockets: 8192)
            var gate = try ZAPAuthenticator(context)
            let router = try Socket(context, .router, options: options)
            let arrivals = try router.monitor(.accepted)
            let endpoint = try bind(router)
            let disk = StorageThread<Job>(work: { [storage] in try $0.write(to: storage) }) { [mailbox] job, error in
                mailbox.post(.input(job.outcome(error)))
            }
            // Nothing is written after the end: the folder may be another one's then.
            defer { disk.end() }
            let fileThread = FileWorker(storage: files) { [mailbox] answers in
                mailbox.post(answers.map { .input(.transfer($0.peer, .files($0.input))) })
            }
            defer { fileThread.end() }
            var hub = start(PendingTransfers(files: fileThread, onEvent: onTransfer), at: endpoint)
            try AuthenticationSelfTest.run(
                against: endpoint, hubKey: configuration.keys.publicKey, allowing: hub.allowed, context: context,
                gate: &gate)
            onReady(endpoint)
            try serve(&hub, router: router, arrivals: arrivals, gate: &gate, disk: disk, endpoint: endpoint)
        } catch let error as ZeroMQError {
            throw LinkError.transport(error)
        }
    }

    private var options: SocketOptions {
        var options = SocketOptions()
        options.sendHighWaterMark = Self.sendHighWaterMark
        options.receiveHighWaterMark = Self.receiveHighWaterMark
        options.maxMessageSize = 1_048_576
        options.handshakeInterval = .seconds(5)
        options.heartbeat = .init(
            interval: Self.clearingInterval, timeout: Self.clearingInterval, timeToLive: Self.clearingInterval * 3)
        options.backlog = Self.backlog
        options.ipv6 = configuration.endpoint.text.contains("[")
        options.security = .curveServer(secretKey: configuration.keys.secretKey, zapDomain: "sync")
        return options
    }

    private func bind(_ router: borrowing Socket) throws -> Endpoint {
        do {
            return try router.bind(configuration.endpoint)
        } catch {
            throw LinkError.endpoint(configuration.endpoint.text, error)
        }
    }

    private func start(_ desk: PendingTransfers, at endpoint: Endpoint) -> RunningHub {
        var seeds = SystemRandomNumberGenerator()
        var hub = RunningHub(
            engine: RecordedHub(
                configuration: configuration.engine, state: state, transfers: transfers, seed: seeds.next(), at: .now,
                recording: configuration.recording),
            connections: ConnectionTable(endpoint), desk: desk)
        hub.allowed = Set(hub.engine.admittedKeys)
        if let faults = configuration.faults { hub.setFaults(faults, for: nil, tally) }
        return hub
    }

    private func serve(
        _ hub: inout RunningHub, router: borrowing Socket, arrivals: borrowing Monitor, gate: inout ZAPAuthenticator,
        disk: StorageThread<Job>, endpoint: Endpoint
    ) throws {
        try carryOut(&hub, router: router, disk: disk)
        var poller = Poller()
        let bell = poller.add(fileDescriptor: mailbox.bell.fileDescriptor, for: .input)
        var door = gate.add(to: &poller)
        let incoming = poller.add(router, for: .input)
        let news = poller.add(arrivals.socket, for: .input)
        var letters: ArraySlice<Letter> = []
        defer {
            // What was taken together with the wish to stop, or before a failure, is answered as well.
            Self.abandon(Array(letters))
            hub.abandonRequests()
        }
        while true {
            _ = try poller.wait(timeout: mailbox.rest() ? hub.timeout(or: gate.due) : .zero)
            try gate.tend(&door, in: &poller, allowing: hub.allowed, at: Moment.now.monotonic)
            if poller[news].contains(.input) {
                while let event = try arrivals.nextEvent() {
                    event.fileDescriptor.map { hub.connections.accepted($0, at: Moment.now.monotonic) }
                }
            }
            if poller[incoming].contains(.input) { try receive(&hub, router: router, disk: disk) }
            // After that, so that nobody is taken for silent because this thread had no time.
            hub.connections.look(at: Moment.now.monotonic)
            // Last, so that what the application answers to what was just received leaves at once.
            letters = mailbox.takeAll(rung: poller[bell].contains(.input))[...]
            while let letter = letters.popFirst() {
                guard hub.read(letter, endpoint: endpoint, tally) else {
                    return try finish(&hub, &letters, router: router, disk: disk)
                }
                try carryOut(&hub, router: router, disk: disk)
            }
            hub.engine.handle(.timeReached, at: .now)
            try carryOut(&hub, router: router, disk: disk)
            if hub.faults != nil { try passFaults(&hub, router: router, disk: disk) }
        }
    }

    /// Bids the engine farewell, and follows what that leads to, while there is something.
    ///
    /// A record may have to wait for one that is being written, so the engine hears what becomes of the last ones, too.
    /// Anybody who asks for something from now on is told that the hub has ended.
    private func finish(
        _ hub: inout RunningHub, _ letters: inout ArraySlice<Letter>, router: borrowing Socket, disk: StorageThread<Job>
    ) throws {
        hub.engine.handle(.farewell, at: .now)
        try carryOut(&hub, router: router, disk: disk)
        for _ in 0..<Self.lastRoundCount {
            while let letter = letters.popFirst() {
                guard case .input(let input) = letter else {
                    Self.abandon([letter])
                    continue
                }
                hub.engine.handle(input, at: .now)
                try carryOut(&hub, router: router, disk: disk)
            }
            disk.drain()
            hub.desk.awaitFileJobs()
            letters = mailbox.takeAll()[...]
            if letters.isEmpty { return }
        }
    }

    /// Hands on what the faults let through by now.
    private func passFaults(
        _ hub: inout RunningHub, router: borrowing Socket, disk: StorageThread<Job>
    ) throws {
        while let event = hub.faults?.next(at: Moment.now.monotonic) {
            switch event {
            case .passes(.incoming, let parts, let peer, let connection):
                hub.engine.handle(.received(parts: parts, connection: connection, peer: peer), at: .now)
            case .passes(.outgoing, let parts, _, let connection):
                guard try send(parts, to: connection, router) == .unroutable else { continue }
                hub.engine.handle(.unroutable(connection), at: .now)
            case .resets(let connection):
                hub.engine.handle(.unroutable(connection), at: .now)
            }
            try carryOut(&hub, router: router, disk: disk)
        }
        if hub.faults?.isIdle == true { hub.faults = nil }
    }

    private func receive(
        _ hub: inout RunningHub, router: borrowing Socket, disk: StorageThread<Job>
    ) throws {
        var now = Moment.now
        let end = now.monotonic.advanced(by: Self.turnTime)
        repeat {
            guard let message = try router.receive() else { return }
            now = .now
            // Without a name from the gate there is no sender; such a message cannot come through the handshake.
            guard let routingID = message.routingID, let peer = message.userID.flatMap({ hub.peer(of: $0) }) else {
                continue
            }
            let connection = ConnectionID(bytes: routingID.bytes)
            guard hub.connections.heard(message.fileDescriptor, connection, from: peer, at: now.monotonic) else {
                continue
            }
            guard hub.faults == nil else {
                hub.faults?.enter(.incoming, message.frames, peer: peer, connection: connection, at: now.monotonic)
                continue
            }
            hub.engine.handle(.received(parts: message.frames, connection: connection, peer: peer), at: now)
            try carryOut(&hub, router: router, disk: disk)
        } while now.monotonic < end
    }

    /// Carries out what the engine wants until it wants nothing more.
    private func carryOut(
        _ hub: inout RunningHub, router: borrowing Socket, disk: StorageThread<Job>
    ) throws {
        var lost: [ConnectionID] = []
        repeat {
            while let output = hub.engine.nextOutput() {
                switch output {
                case .send(let frame, let connection):
                    if let peer = hub.faults?.peer(of: connection) {
                        hub.faults?.enter(
                            .outgoing, hub.encoder.parts(of: frame), peer: peer, connection: connection,
                            at: Moment.now.monotonic)
                    } else if try send(frame, to: connection, &hub, router) == .unroutable {
                        lost.append(connection)
                    }
                case .persist(let transaction): disk.submit(.transaction(transaction))
                case .record(let peer, let record): disk.submit(.record(peer, record))
                case .transfer(let peer, let output): hub.desk.carryOut(output, with: peer)
                case .close(let connection):
                    hub.faults?.ended(connection)
                    hub.connections.end(connection)
                case .admit(let keys): hub.allowed = Set(keys)
                case .answer(let id, let answer): hub.answer(id, answer)
                case .event(let event):
                    logger.debug("hub event", metadata: ["hub.event": "\(event)"])
                    onEvent(event)
                }
            }
            if let connection = lost.popLast() { hub.engine.handle(.unroutable(connection), at: .now) }
        } while !lost.isEmpty || hub.engine.hasOutput
        hub.desk.beginFileJobs()
    }

    private func send(
        _ frame: Frame, to connection: ConnectionID, _ hub: inout RunningHub, _ router: borrowing Socket
    ) throws(ZeroMQError) -> SendResult {
        guard let peer = RoutingID(connection.bytes) else { return .unroutable }
        let byteCount = FrameCodec.byteCount(of: frame)
        // As libzmq does beyond its own mark: time repairs it.
        guard hub.connections.mayTake(byteCount, frame.kind, connection) else { return .wouldBlock }
        let checksum = hub.encoder.contentChecksum(of: frame)
        return try router.send(byteCount: byteCount, to: peer) { room in
            // The room is for the bytes of the frame, of which all are written.
            unsafe FrameCodec.write(frame, contentChecksum: checksum, to: room)
        }
    }

    private func send(
        _ parts: [[UInt8]], to connection: ConnectionID, _ router: borrowing Socket
    ) throws(ZeroMQError) -> SendResult {
        guard let peer = RoutingID(connection.bytes) else { return .unroutable }
        return try router.send(parts, to: peer)
    }
}

/// The engine and those who wait for its answers.
private struct RunningHub {
    var engine: RecordedHub
    var encoder = FrameEncoder()
    var allowed: Set<PeerKey> = []
    var connections: ConnectionTable
    /// What goes wrong on purpose, nil if nothing does.
    var faults: FaultLayer?
    /// The last name from the gate, and the key that it stands for: messages often come from one watch in a row.
    private var lastPeer: (userID: String, key: PeerKey)?
    private var waiting: [HubEngine.RequestID: CheckedContinuation<Version, any Error>] = [:]

    /// What becomes of transfers.
    var desk: PendingTransfers

    init(engine: RecordedHub, connections: ConnectionTable, desk: PendingTransfers) {
        self.engine = engine
        self.connections = connections
        self.desk = desk
    }

    /// The key that a name from the gate stands for.
    mutating func peer(of userID: String) -> PeerKey? {
        if let lastPeer, lastPeer.userID == userID { return lastPeer.key }
        guard let key = PeerKey(userID: userID) else { return nil }
        lastPeer = (userID, key)
        return key
    }

    /// The time until something is due, here or elsewhere; nil if nothing is.
    func timeout(or other: Instant?) -> Duration? {
        guard
            let due = [engine.nextDeadline, faults?.deadline, connections.deadline, other].lazy.compactMap(\.self).min()
        else { return nil }
        return max(Moment.now.monotonic.duration(to: due), .zero)
    }

    mutating func setFaults(_ wanted: LinkFaults?, for watch: PeerKey?, _ tally: FaultCounters) {
        guard wanted != nil || faults != nil else { return }
        var layer = faults ?? FaultLayer(tally: tally)
        layer.set(wanted, for: watch)
        faults = layer
    }

    /// Takes in a letter; false if it asks to stop.
    mutating func read(_ letter: HubLoop.Letter, endpoint: Endpoint, _ tally: FaultCounters) -> Bool {
        switch letter {
        case .input(let input):
            engine.handle(input, at: .now)
        case .request(let id, let input, let continuation):
            waiting[id] = continuation
            engine.handle(input, at: .now)
        case .ask(let id, let input, let peer, let waiting):
            desk.ask(id, waiting)
            engine.handle(.transfer(peer, input), at: .now)
        case .status(let continuation):
            continuation.resume(
                returning: HubTransport.Status(
                    endpoint: endpoint, version: engine.version, cells: engine.cells,
                    conflicts: engine.conflicts.values, watches: engine.watches, moment: .now))
        case .faults(let wanted, let watch):
            setFaults(wanted, for: watch, tally)
        case .stop:
            return false
        }
        return true
    }

    mutating func answer(_ id: HubEngine.RequestID, _ answer: HubEngine.Answer) {
        if case .refused(let fault) = answer, desk.fail(id, LinkError.refused(fault)) { return }
        let continuation = waiting.removeValue(forKey: id)
        switch answer {
        case .done(let version): continuation?.resume(returning: version)
        case .refused(let fault): continuation?.resume(throwing: LinkError.refused(fault))
        }
    }

    /// Tells those who still wait that no answer will come.
    mutating func abandonRequests() {
        for continuation in waiting.values {
            continuation.resume(throwing: LinkError.ended)
        }
        waiting = [:]
        desk.abandon()
    }
}
