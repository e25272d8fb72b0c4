import Logging
import Platform
import SyncCore
import ZeroMQ

/// The socket of a watch: a DEALER to its hub.
///
/// A new one replaces it whenever `ConnectionSupervisor` requires that.
final class WatchSockets: EngineSockets {
    typealias Engine = WatchEngine
    typealias Job = WatchEngine.Record
    typealias View = WatchTransport.View

    /// A command for the connection.
    enum Command: Sendable {
        /// The hub has another endpoint now.
        case follow(Endpoint)
        /// A person asks for a new attempt without further waiting.
        case retry
    }

    /// What is left to read after a wait.
    private enum Turn {
        /// The socket may have events, and messages to read until the given time.
        case events(messagesUntil: Instant?)
        case messages(until: Instant)
        case over
    }

    /// How long messages are read before other work is done.
    private static let turnTime = Duration.milliseconds(5)
    /// The status of a refused key that the hub knows; other codes mean that the hub could not decide.
    private static let deniedStatus = 400
    /// The time for sending BYE when the loop ends.
    private static let farewellLinger = Duration.milliseconds(200)

    private let configuration: WatchTransport.Configuration
    /// The hub's key, as the peer of the link.
    private let hub: PeerKey
    private let wakePipe: WakePipe
    /// The hub's endpoint.
    private var endpoint: Endpoint
    private var supervisor = ConnectionSupervisor()
    private var context: Context?
    /// Nil while no socket is available.
    private var socket: WatchSocket?
    private var socketCount: UInt32 = 0
    /// The identifier of the socket for the fault layer.
    private var connection = ConnectionID(bytes: [])
    private var poller = Poller()
    private var wakeItem: Poller.Item
    private var messagesItem: Poller.Item?
    private var turn = Turn.over

    private let logger: Logger
    private let onEvent: @Sendable (WatchTransport.Event) -> Void
    private let onHubTime: @Sendable (WatchEngine.HubTime?) -> Void
    private var hubTime: WatchEngine.HubTime?

    /// Opens nothing yet.
    init(
        _ configuration: WatchTransport.Configuration, wakePipe: WakePipe, logger: Logger,
        onEvent: @escaping @Sendable (WatchTransport.Event) -> Void,
        onHubTime: @escaping @Sendable (WatchEngine.HubTime?) -> Void
    ) {
        self.configuration = configuration
        self.wakePipe = wakePipe
        self.logger = logger
        self.onEvent = onEvent
        self.onHubTime = onHubTime
        hub = configuration.hubKey.peerKey
        endpoint = configuration.endpoint
        wakeItem = poller.add(fileDescriptor: wakePipe.fileDescriptor, for: .input)
    }

    // MARK: - The socket

    /// Opens a new socket in place of this one.
    ///
    /// If none is available, it tries again later.
    private func replaceSocket() throws(ZeroMQError) {
        poller = Poller()
        wakeItem = poller.add(fileDescriptor: wakePipe.fileDescriptor, for: .input)
        messagesItem = nil
        // The old socket is closed first, because the system may not have room for both.
        socket = nil
        socketCount += 1
        connection = ConnectionID(bytes: (0..<4).map { UInt8(truncatingIfNeeded: socketCount >> ($0 * 8)) })
        do throws(ZeroMQError) {
            let ready: Context
            if let context { ready = context } else { ready = try configuration.openContext() }
            context = ready
            let opened = try WatchSocket(ready, to: endpoint, options: options)
            messagesItem = opened.add(to: &poller)
            socket = opened
            supervisor.socketOpened()
        } catch {
            guard error.isShortage else { throw error }
            switch supervisor.socketDenied(at: Moment.now.monotonic) {
            case .report(let status):
                logger.info("no socket to be had", metadata: ["link.error": "\(error)"])
                report(status)
            case .wait: break
            }
        }
    }

    private var options: SocketOptions {
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

    // MARK: - Receiving frames

    func wait(until deadline: Instant?) throws(ZeroMQError) -> Bool {
        let due = [deadline, supervisor.deadline].lazy.compactMap(\.self).min()
        try poller.wait(until: supervisor.keepsSocket ? due : .past)
        let hasMessages = messagesItem.map { poller[$0].contains(.input) } ?? false
        turn = .events(messagesUntil: hasMessages ? Moment.now.monotonic.advanced(by: Self.turnTime) : nil)
        return poller[wakeItem].contains(.input)
    }

    func nextInput(
        _ effects: inout LoopEffects<WatchSockets>
    ) throws(ZeroMQError) -> (WatchEngine.Input, Moment)? {
        while true {
            switch supervisor.nextSocketDirective() {
            case .keep: break
            case .endConnection: return (.disconnected, .now)
            case .open:
                // The held messages of the old connection are lost with it.
                effects.faults?.ended(connection)
                try replaceSocket()
            }
            switch turn {
            case .events(let end):
                if let event = try socket?.monitor.nextEvent() {
                    let now = Moment.now
                    if let input = happened(event.kind, at: now.monotonic) { return (input, now) }
                } else {
                    turn = end.map { .messages(until: $0) } ?? .over
                }
            case .messages(let end):
                guard let message = try socket?.dealer.receive() else {
                    turn = .over
                    continue
                }
                let now = Moment.now
                if end <= now.monotonic { turn = .over }
                guard effects.faults == nil else {
                    effects.faults?.enter(
                        .incoming, message.frames, peer: hub, connection: connection, at: now.monotonic)
                    continue
                }
                return (.received(parts: message.frames), now)
            case .over:
                supervisor.timeReached(at: Moment.now.monotonic)
                return nil
            }
        }
    }

    /// Handles an event of the connection.
    private func happened(_ event: MonitorEvent.Kind, at now: Instant) -> WatchEngine.Input? {
        switch event {
        case .handshakeSucceeded:
            guard case .beginConnection(let status) = supervisor.handshakeSucceeded() else { return nil }
            report(status)
            return .connected
        case .handshakeFailedAuthentication(let status):
            report(supervisor.handshakeFailed(status == Self.deniedStatus ? .denied : .undecided, at: now))
        case .handshakeFailedNoDetail: report(supervisor.handshakeFailed(.brokenOff, at: now))
        case .handshakeFailedProtocol: report(supervisor.handshakeFailed(.wrongAnswer, at: now))
        case .connected: supervisor.connectionTaken(at: now)
        case .connectRetried: report(supervisor.connectionRetried())
        case .disconnected:
            switch supervisor.connectionLost() {
            case .endConnection: return .disconnected
            case .ignore: break
            }
        case .connectDelayed, .listening, .bindFailed, .accepted, .acceptFailed, .closed, .closeFailed, .monitorStopped,
            .unknown:
            break
        }
        return nil
    }

    private func report(_ status: ConnectionStatus?) {
        guard let status else { return }
        logger.debug("watch transport", metadata: ["link.transport": "\(status)"])
        onEvent(.transport(status))
    }

    func received(_ parts: [[UInt8]], from peer: PeerKey, on connection: ConnectionID) -> WatchEngine.Input? {
        .received(parts: parts)
    }

    func connectionBroke(_ connection: ConnectionID) -> WatchEngine.Input? {
        supervisor.replaceSocket()
        return nil
    }

    static func outcome(of record: WatchEngine.Record, _ error: (any Error)?) -> WatchEngine.Input {
        error.map { .persistFailed(record, reason: "\($0)") } ?? .persisted(record)
    }

    static func transfer(_ input: TransferInput, with hub: PeerKey) -> WatchEngine.Input { .transfer(input) }

    // MARK: - Sending frames

    func carryOut(
        _ output: WatchEngine.Output, _ effects: inout LoopEffects<WatchSockets>
    ) throws(ZeroMQError) -> WatchEngine.Input? {
        switch output {
        case .send(let frame):
            guard effects.faults != nil else {
                send(frame)
                break
            }
            effects.faults?.enter(
                .outgoing, FrameCodec.parts(of: frame), peer: hub, connection: connection, at: Moment.now.monotonic)
        case .reconnect: supervisor.replaceSocket()
        case .persist(let record): effects.disk.submit(record)
        case .transfer(let output): effects.transfers.carryOut(output, with: hub)
        case .answer(let id, let answer): effects.answer(id, answer)
        case .event(let event):
            logger.debug("watch event", metadata: ["watch.event": "\(event)"])
            onEvent(.engine(event))
        }
        return nil
    }

    private func send(_ frame: Frame) {
        let checksum = FrameCodec.contentChecksum(of: frame)
        // A frame without room or without a connection is lost; the engine sends what is missing again later.
        _ = try? socket?.dealer.send(byteCount: FrameCodec.byteCount(of: frame)) { room in
            // The room has the size of the frame, and all of it is written.
            unsafe FrameCodec.write(frame, contentChecksum: checksum, to: room)
        }
    }

    func send(_ parts: [[UInt8]], to connection: ConnectionID) throws(ZeroMQError) -> WatchEngine.Input? {
        // As above.
        _ = try? socket?.dealer.send(parts)
        return nil
    }

    func stepped(_ engine: WatchEngine) {
        guard engine.hubTime != hubTime else { return }
        hubTime = engine.hubTime
        onHubTime(hubTime)
    }

    // MARK: - Commands and views for other threads

    func handle(_ command: Command) -> WatchEngine.Input? {
        switch command {
        case .follow(let new):
            guard endpoint != new else { return nil }
            endpoint = new
            supervisor.endpointChanged()
            return nil
        case .retry:
            supervisor.retryRequested()
            return .retry
        }
    }

    func view(of engine: WatchEngine) -> WatchTransport.View { WatchTransport.View(engine) }
}
