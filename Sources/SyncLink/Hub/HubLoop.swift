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
        /// Somebody wants to see the hub's state.
        case status(CheckedContinuation<HubDriver.Status, any Error>)
        /// The loop is to end.
        case stop
    }

    /// The messages that are taken from the ROUTER before other work has its turn.
    private static let messagesPerTurn = 256
    /// The messages that may wait for one watch inside libzmq; the real queues are the engine's.
    private static let highWaterMark = 64
    /// The connections that may wait to be accepted: a thousand watches come back at once.
    private static let backlog = 4096

    let configuration: HubDriver.Configuration
    let state: LedgerState
    let storage: any HubStorage
    let mailbox: Mailbox<Letter>
    let logger: Logger
    let onEvent: @Sendable (HubEngine.Event) -> Void

    /// Answers letters that nobody will work on any more.
    static func abandon(_ letters: [Letter]) {
        for letter in letters {
            switch letter {
            case .request(_, _, let continuation): continuation.resume(throwing: LinkError.ended)
            case .status(let continuation): continuation.resume(throwing: LinkError.ended)
            case .input, .stop: break
            }
        }
    }

    func run(onReady: @Sendable (Endpoint) -> Void) throws {
        do {
            let context = try Context(maxSockets: 8192)
            let gate = try Gate(context)
            let router = try Socket(context, .router, options: options)
            let endpoint = try bind(router)
            let disk = StorageThread<Transaction>(work: storage.commit) { [mailbox] transaction, error in
                let input: HubEngine.Input =
                    error.map { .persistFailed(transaction, reason: "\($0)") } ?? .persisted(transaction)
                mailbox.post(.input(input))
            }
            defer { disk.close() }
            try StrangerProbe.run(against: endpoint, hubKey: configuration.keys.publicKey, context: context, gate: gate)
            onReady(endpoint)
            try serve(router: router, gate: gate, disk: disk, endpoint: endpoint)
        } catch let error as ZeroMQError {
            throw LinkError.transport(error)
        }
    }

    private var options: SocketOptions {
        var options = SocketOptions()
        options.sendHighWaterMark = Self.highWaterMark
        options.receiveHighWaterMark = Self.highWaterMark
        options.maxMessageSize = 1_048_576
        options.handshakeInterval = .seconds(5)
        options.heartbeat = .init(interval: .seconds(2), timeout: .seconds(6), timeToLive: .seconds(6))
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

    private func serve(
        router: borrowing Socket, gate: borrowing Gate, disk: StorageThread<Transaction>, endpoint: Endpoint
    ) throws {
        var seeds = SystemRandomNumberGenerator()
        var hub = RunningHub(
            engine: HubEngine(configuration: configuration.engine, state: state, seed: seeds.next(), at: .now))
        hub.allowed = Set(hub.engine.admittedKeys)
        try carryOut(&hub, router: router, disk: disk)
        var poller = Poller()
        let bell = poller.add(fileDescriptor: mailbox.bell.fileDescriptor, for: .input)
        _ = gate.add(to: &poller)
        let incoming = poller.add(router, for: .input)
        defer { hub.abandonRequests() }
        while true {
            let timeout = hub.engine.nextDeadline.map { max(Moment.now.monotonic.duration(to: $0), .zero) }
            _ = try poller.wait(timeout: timeout)
            try gate.answer(allowing: hub.allowed)
            if poller[bell].contains(.input) {
                for letter in mailbox.takeAll() {
                    guard hub.read(letter, endpoint: endpoint) else { return }
                    try carryOut(&hub, router: router, disk: disk)
                }
            }
            if poller[incoming].contains(.input) { try receive(&hub, router: router, disk: disk) }
            hub.engine.handle(.timeReached, at: .now)
            try carryOut(&hub, router: router, disk: disk)
        }
    }

    private func receive(
        _ hub: inout RunningHub, router: borrowing Socket, disk: StorageThread<Transaction>
    ) throws {
        for _ in 0..<Self.messagesPerTurn {
            guard let message = try router.receive() else { return }
            // Without a name from the gate there is no sender; such a message cannot come through the handshake.
            guard let routingID = message.routingID, let peer = message.userID.flatMap(PeerKey.init(userID:)) else {
                continue
            }
            let connection = ConnectionID(bytes: routingID.bytes)
            hub.engine.handle(.received(parts: message.frames, connection: connection, peer: peer), at: .now)
            try carryOut(&hub, router: router, disk: disk)
        }
    }

    /// Carries out what the engine wants until it wants nothing more.
    private func carryOut(
        _ hub: inout RunningHub, router: borrowing Socket, disk: StorageThread<Transaction>
    ) throws {
        var lost: [ConnectionID] = []
        repeat {
            while let output = hub.engine.nextOutput() {
                switch output {
                case .send(let frame, let connection):
                    guard let peer = RoutingID(connection.bytes) else { continue }
                    if try router.send(FrameCodec.parts(of: frame), to: peer) == .unroutable {
                        lost.append(connection)
                    }
                case .persist(let transaction): disk.submit(transaction)
                case .admit(let keys): hub.allowed = Set(keys)
                case .answer(let id, let answer): hub.answer(id, answer)
                case .event(let event):
                    logger.debug("hub event", metadata: ["hub.event": "\(event)"])
                    onEvent(event)
                }
            }
            if let connection = lost.popLast() { hub.engine.handle(.unroutable(connection), at: .now) }
        } while !lost.isEmpty || hub.engine.hasOutput
    }
}

/// The engine and those who wait for its answers.
private struct RunningHub {
    var engine: HubEngine
    var allowed: Set<PeerKey> = []
    private var waiting: [HubEngine.RequestID: CheckedContinuation<Version, any Error>] = [:]

    init(engine: HubEngine) {
        self.engine = engine
    }

    /// Takes in a letter; false if it asks to stop.
    mutating func read(_ letter: HubLoop.Letter, endpoint: Endpoint) -> Bool {
        switch letter {
        case .input(let input):
            engine.handle(input, at: .now)
        case .request(let id, let input, let continuation):
            waiting[id] = continuation
            engine.handle(input, at: .now)
        case .status(let continuation):
            continuation.resume(
                returning: HubDriver.Status(
                    endpoint: endpoint, version: engine.version, cells: engine.cells, watches: engine.watches,
                    moment: .now))
        case .stop:
            return false
        }
        return true
    }

    mutating func answer(_ id: HubEngine.RequestID, _ answer: HubEngine.Answer) {
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
    }
}
