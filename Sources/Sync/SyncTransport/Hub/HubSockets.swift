import Logging
import Platform
import SyncCore
import ZeroMQ

/// The sockets of a hub: a ROUTER for its watches, the authenticator, and the table of connections.
final class HubSockets: EngineSockets {
    typealias Engine = HubEngine
    typealias View = HubTransport.Status
    /// There are no commands for a hub's sockets.
    typealias Command = Never

    /// Something to make durable.
    enum Job: Sendable {
        case group([Transaction])
        case record(PeerKey, TransferRecord)

        func write(to storage: any HubStorage) throws {
            switch self {
            case .group(let group): try storage.commit(group)
            case .record(let peer, let record): try storage.commit(record, of: peer)
            }
        }
    }

    /// How long messages are read from the ROUTER, and news of connections, before other work is done.
    ///
    /// A time limit is used because those who send or connect decide how much work they cause.
    private static let turnTime = Duration.milliseconds(5)
    /// The most messages that may wait for one watch inside libzmq.
    ///
    /// The real queues are in the engine, which relies on room for all frames of a window.
    ///
    /// It is twice the largest window, because libzmq reports new room only when half of it is free.
    private static let sendHighWaterMark = 2 * 1024
    private static let receiveHighWaterMark = 64
    /// The most connections that may wait to be accepted: a thousand watches may reconnect at the same time.
    private static let backlog = 4096
    /// The time after which the connection of a vanished watch is closed.
    ///
    /// The watch's own pings show much sooner that a session is over; this only frees what the connection holds. So
    /// the transport's heartbeats can be rare, and a thousand idle watches cost little.
    private static let clearingInterval = Duration.seconds(20)

    /// The actual endpoint of the ROUTER.
    let endpoint: Endpoint
    private let context: Context
    private let router: Socket
    private let arrivals: Monitor
    private var gate: ZAPAuthenticator
    private var connections: ConnectionTable
    private var allowed: Set<PeerKey> = []
    private var encoder = FrameEncoder()
    /// The last user id from the authenticator, and its key: consecutive messages often come from the same watch.
    private var lastPeer: (userID: String, key: PeerKey)?

    private var poller = Poller()
    private let wakeItem: Poller.Item
    private var gateItem: Poller.Item
    private let routerItem: Poller.Item
    private let arrivalsItem: Poller.Item
    /// When to stop reading messages and do other work; nil outside of reading.
    private var turnEnd: Instant?

    private let logger: Logger
    private let onEvent: @Sendable (HubEngine.Event) -> Void

    /// Opens the sockets; no key is admitted yet.
    ///
    /// - Throws: ``LinkError/endpoint(_:_:)``, `ZeroMQError`.
    init(
        _ configuration: HubTransport.Configuration, wakePipe: WakePipe, logger: Logger,
        onEvent: @escaping @Sendable (HubEngine.Event) -> Void
    ) throws {
        self.logger = logger
        self.onEvent = onEvent
        let context = try Context(maxSockets: 8192)
        let gate = try ZAPAuthenticator(context)
        let router = try Socket(context, .router, options: Self.options(configuration))
        let arrivals = try router.monitor(.accepted)
        do {
            endpoint = try router.bind(configuration.endpoint)
        } catch {
            throw LinkError.endpoint(configuration.endpoint.text, error)
        }
        connections = ConnectionTable(endpoint)
        wakeItem = poller.add(fileDescriptor: wakePipe.fileDescriptor, for: .input)
        gateItem = gate.add(to: &poller)
        routerItem = poller.add(router, for: .input)
        arrivalsItem = poller.add(arrivals.socket, for: .input)
        self.context = context
        self.gate = gate
        self.router = router
        self.arrivals = arrivals
    }

    private static func options(_ configuration: HubTransport.Configuration) -> SocketOptions {
        var options = SocketOptions()
        options.sendHighWaterMark = sendHighWaterMark
        options.receiveHighWaterMark = receiveHighWaterMark
        options.maxMessageSize = 1_048_576
        options.handshakeInterval = .seconds(5)
        options.heartbeat = .init(
            interval: clearingInterval, timeout: clearingInterval, timeToLive: clearingInterval * 3)
        options.backlog = backlog
        options.ipv6 = configuration.endpoint.text.contains("[")
        options.security = .curveServer(secretKey: configuration.keys.secretKey, zapDomain: "sync")
        return options
    }

    /// Admits watches, after a test that an unknown key cannot connect.
    ///
    /// - Throws: ``LinkError/notProtected(_:)``, `ZeroMQError`.
    func open(for keys: [PeerKey], hubKey: CurvePublicKey) throws {
        allowed = Set(keys)
        try AuthenticationSelfTest.run(
            against: endpoint, hubKey: hubKey, allowing: allowed, context: context, gate: &gate)
    }

    // MARK: - Receiving frames

    func wait(until deadline: Instant?) throws(ZeroMQError) -> Bool {
        try poller.wait(until: [deadline, connections.deadline, gate.due].lazy.compactMap(\.self).min())
        let now = Moment.now.monotonic
        try gate.tend(&gateItem, in: &poller, allowing: allowed, at: now)
        if poller[arrivalsItem].contains(.input) {
            let end = Moment.now.monotonic.advanced(by: Self.turnTime)
            while Moment.now.monotonic < end, let event = try arrivals.nextEvent() {
                if let descriptor = event.fileDescriptor { connections.accepted(descriptor, at: now) }
            }
        }
        turnEnd = poller[routerItem].contains(.input) ? Moment.now.monotonic.advanced(by: Self.turnTime) : nil
        return poller[wakeItem].contains(.input)
    }

    func nextInput(
        _ effects: inout LoopEffects<HubSockets>
    ) throws(ZeroMQError) -> (HubEngine.Input, Moment)? {
        while let end = turnEnd, let message = try router.receive() {
            let now = Moment.now
            if end <= now.monotonic { turnEnd = nil }
            // Without a user id from the authenticator there is no sender. Such a message cannot have passed the
            // handshake.
            guard let routingID = message.routingID, let peer = message.userID.flatMap({ self.peer(of: $0) }) else {
                continue
            }
            let connection = ConnectionID(bytes: routingID.bytes)
            switch connections.heard(message.fileDescriptor, connection, from: peer, at: now.monotonic) {
            case .first: gate.heard(peer)
            case .further: break
            case .ignored: continue
            }
            guard effects.faults == nil else {
                effects.faults?.enter(
                    .incoming, message.frames, peer: peer, connection: connection, at: now.monotonic)
                continue
            }
            return (.received(parts: message.frames, connection: connection, peer: peer), now)
        }
        turnEnd = nil
        // After reading messages, so that no connection counts as silent only because this thread was busy.
        connections.look(at: Moment.now.monotonic)
        return nil
    }

    /// The key for a user id from the authenticator.
    private func peer(of userID: String) -> PeerKey? {
        if let lastPeer, lastPeer.userID == userID { return lastPeer.key }
        guard let key = PeerKey(userID: userID) else { return nil }
        lastPeer = (userID, key)
        return key
    }

    func received(_ parts: [[UInt8]], from peer: PeerKey, on connection: ConnectionID) -> HubEngine.Input? {
        .received(parts: parts, connection: connection, peer: peer)
    }

    func connectionBroke(_ connection: ConnectionID) -> HubEngine.Input? { .unroutable(connection) }

    static func outcome(of job: Job, _ error: (any Error)?) -> HubEngine.Input {
        switch job {
        case .group(let group): error.map { .persistFailed(group, reason: "\($0)") } ?? .persisted(group)
        case .record(let peer, let record):
            error.map { .recordFailed(peer, record, reason: "\($0)") } ?? .recorded(peer, record)
        }
    }

    static func transfer(_ input: TransferInput, with peer: PeerKey) -> HubEngine.Input { .transfer(peer, input) }

    // MARK: - Sending frames

    func carryOut(
        _ output: HubEngine.Output, _ effects: inout LoopEffects<HubSockets>
    ) throws(ZeroMQError) -> HubEngine.Input? {
        switch output {
        case .send(let frame, let connection):
            guard let peer = effects.faults?.peer(of: connection) else { return try send(frame, to: connection) }
            effects.faults?.enter(
                .outgoing, encoder.parts(of: frame), peer: peer, connection: connection, at: Moment.now.monotonic)
        case .persist(let group): effects.disk.submit(.group(group))
        case .record(let peer, let record): effects.disk.submit(.record(peer, record))
        case .transfer(let peer, let output): effects.transfers.carryOut(output, with: peer)
        case .close(let connection):
            effects.faults?.ended(connection)
            connections.end(connection)
        case .admit(let keys): allowed = Set(keys)
        case .answer(let id, let answer):
            if case .refused(let fault) = answer, effects.transfers.fail(id, LinkError.refused(fault)) { break }
            effects.answer(id, answer)
        case .event(let event):
            logger.debug("hub event", metadata: ["hub.event": "\(event)"])
            onEvent(event)
        }
        return nil
    }

    private func send(_ frame: Frame, to connection: ConnectionID) throws(ZeroMQError) -> HubEngine.Input? {
        guard let peer = RoutingID(connection.bytes) else { return .unroutable(connection) }
        let byteCount = FrameCodec.byteCount(of: frame)
        // The frame is dropped, as libzmq does beyond its own limit; the engine sends what is missing again later.
        guard connections.mayTake(byteCount, frame.kind, connection) else { return nil }
        let checksum = encoder.contentChecksum(of: frame)
        let result = try router.send(byteCount: byteCount, to: peer) { room in
            // The room has the size of the frame, and all of it is written.
            unsafe FrameCodec.write(frame, contentChecksum: checksum, to: room)
        }
        return result == .unroutable ? .unroutable(connection) : nil
    }

    func send(_ parts: [[UInt8]], to connection: ConnectionID) throws(ZeroMQError) -> HubEngine.Input? {
        guard let peer = RoutingID(connection.bytes), try router.send(parts, to: peer) != .unroutable else {
            return .unroutable(connection)
        }
        return nil
    }

    func stepped(_ engine: HubEngine) {}

    // MARK: - Commands and views for other threads

    func handle(_ command: Never) -> HubEngine.Input? {}

    func view(of engine: HubEngine) -> HubTransport.Status {
        HubTransport.Status(
            endpoint: endpoint, version: engine.version, cells: engine.cells, conflicts: engine.conflicts.values,
            watches: engine.watches, moment: .now)
    }
}
