import Logging
import Platform
import SyncTransport
import TestSupport
import Testing
import ZeroMQ

@testable import SyncCore

/// The application of all devices of these tests.
let testApp: AppName = "tests"

/// An in-memory store that outlives transports, as a disk outlives processes.
final class MemoryHubStorage: HubStorage {
    private let ledger = Lock(
        Ledger(state: LedgerState(newEpoch: Epoch(number: .random(in: 1...(.max))))))
    private let exchanged = Lock<[PeerKey: TransferState]>([:])
    /// Called before each write.
    let beforeWrite = Lock<@Sendable () -> Void>({})

    var state: LedgerState { ledger.withLock(\.state) }
    var transfers: [PeerKey: TransferState] { exchanged.withLock(\.self) }

    func commit(_ group: [Transaction]) throws {
        beforeWrite.withLock(\.self)()
        ledger.withLock { ledger in
            for transaction in group { ledger.apply(transaction) }
        }
    }

    func commit(_ record: TransferRecord, of watch: PeerKey) throws {
        beforeWrite.withLock(\.self)()
        exchanged.withLock { $0[watch, default: TransferState()].apply(record) }
    }
}

/// An in-memory store of a watch.
final class MemoryWatchStorage: WatchStorage {
    private let held = Lock(WatchEngine.State(newIncarnation: RandomID(high: .random(in: 0...(.max)), low: 1)))

    var state: WatchEngine.State { held.withLock(\.self) }
    /// Called before each write.
    let beforeWrite = Lock<@Sendable () -> Void>({})

    func write(_ record: WatchEngine.Record) throws {
        beforeWrite.withLock(\.self)()
        held.withLock { state in
            switch record {
            case .replica(let record): state.replica.apply(record)
            case .transfer(let record): state.transfers.apply(record)
            case .registers(let registers, let fence):
                state.replica.fence = fence
                for register in registers {
                    state.registers[register.register.key] = register
                }
            }
        }
    }
}

let testSchema = Schema(versions: 1...1, rules: [.init(kind: "note", group: "text"): .init(.shared)])

func noteKey(_ number: UInt64) -> CellKey {
    CellKey(kind: "note", record: RandomID(high: 0, low: number), group: "text")
}

/// A hub that can be stopped and started again with its stored state.
final class TestHub: Sendable {
    let keys: CurveKeyPair
    let storage = MemoryHubStorage()
    let events = Recorder<HubEngine.Event>()
    let transfers = Recorder<TransferEvent>()
    private let endpoints = Recorder<Endpoint>()
    private let running = Lock<(transport: HubTransport, task: Task<Void, any Error>)?>(nil)

    init() throws {
        keys = try CurveKeyPair()
    }

    var transport: HubTransport {
        get throws { try present(running.withLock { $0?.transport }) }
    }

    func start(at text: String = "tcp://127.0.0.1:*", heartbeat: Duration = .milliseconds(200)) async throws -> Endpoint
    {
        let configuration = HubTransport.Configuration(
            endpoint: try Endpoint(text), keys: keys,
            engine: .init(app: testApp, schema: testSchema, heartbeat: heartbeat))
        let transport = HubTransport(
            configuration: configuration, state: storage.state, transfers: storage.transfers, storage: storage,
            logger: Logger(label: "hub"), onTransfer: { [transfers] in transfers.record($1) },
            onEvent: { [events] in events.record($0) })
        let count = endpoints.items.count
        let task = Task { try await transport.run { [endpoints] in endpoints.record($0) } }
        running.withLock { $0 = (transport, task) }
        await endpoints.wait { $0.count > count }
        return try present(endpoints.items.last)
    }

    /// Starts it, and pairs a watch with it; returns when they have a link.
    func start(with watch: TestWatch) async throws -> Endpoint {
        let endpoint = try await start()
        _ = try await watch.pair(with: self)
        watch.start(endpoint, hubKey: keys.publicKey)
        await watch.waitForLink(true)
        return endpoint
    }

    func stop() async throws {
        guard let task = running.withLock({ $0?.task }) else { return }
        task.cancel()
        try await task.value
        running.withLock { $0 = nil }
    }
}

/// A watch with its own keys.
final class TestWatch: Sendable {
    let keys: CurveKeyPair
    let storage = MemoryWatchStorage()
    let events = Recorder<WatchTransport.Event>()
    let transfers = Recorder<TransferEvent>()
    private let running = Lock<(transport: WatchTransport, task: Task<Void, any Error>)?>(nil)

    init() throws {
        keys = try CurveKeyPair()
    }

    var transport: WatchTransport {
        get throws { try present(running.withLock { $0?.transport }) }
    }

    func pair(with hub: TestHub, name: String = "wrist") async throws -> String {
        let code = try await hub.transport.invite(name: nil, validForSeconds: 60)
        return try await PairingTransport.pair(
            code, as: keys.publicKey, name: name, app: testApp, patience: .seconds(3600))
    }

    func start(_ endpoint: Endpoint, hubKey: CurvePublicKey, window: UInt32 = 64) {
        let transport = WatchTransport(
            configuration: .init(
                endpoint: endpoint, hubKey: hubKey, keys: keys,
                engine: .init(
                    name: "wrist", app: testApp, schemaVersions: 1...1, window: window,
                    node: keys.publicKey.peerKey.node)),
            state: storage.state, storage: storage, logger: Logger(label: "watch"),
            onTransfer: { [transfers] in transfers.record($0) },
            onEvent: { [events] in events.record($0) })
        let task = Task { try await transport.run() }
        running.withLock { $0 = (transport, task) }
    }

    func stop() async throws {
        guard let task = running.withLock({ $0?.task }) else { return }
        task.cancel()
        try await task.value
        running.withLock { $0 = nil }
    }

    func waitForNote(_ number: UInt64, _ text: String?) async {
        await events.wait { events in
            guard case .engine(.snapshotChanged(let snapshot))? = events.last(where: \.isSnapshot) else { return false }
            return snapshot.cells[noteKey(number)]?.value == text
        }
    }

    func waitForRegister(_ key: String, order: UInt64) async {
        await events.wait { events in
            events.contains { event in
                guard case .engine(.registerChanged(let register)) = event else { return false }
                return register.key == key && register.order == order
            }
        }
    }

    func waitForLink(_ isLinked: Bool) async {
        await events.wait { events in
            guard case .engine(.linkChanged(let link))? = events.last(where: \.isLink) else { return false }
            return (link == .linked) == isLinked
        }
    }

    func waitForTransport(_ transport: WatchTransport.Transport) async {
        await events.wait { events in
            events.contains { event in
                guard case .transport(transport) = event else { return false }
                return true
            }
        }
    }
}

/// A socket of a test that connects to a hub once, and the events of its connection.
final class Line {
    private let socket: Socket
    private let monitor: Monitor
    /// Whether it was admitted.
    private(set) var isAdmitted = false
    /// Whether the hub's authenticator rejected it.
    private(set) var isTurnedAway = false
    /// Whether its connection has ended, or could not be established because of a protocol error.
    private(set) var isGone = false
    /// The received frames.
    private(set) var frames: [Frame] = []

    /// Connects with keys, or without encryption.
    init(_ context: Context, as keys: CurveKeyPair?, to hub: TestHub, at endpoint: Endpoint) throws {
        var options = SocketOptions()
        options.reconnect = .never
        if let keys { options.security = .curveClient(keyPair: keys, serverKey: hub.keys.publicKey) }
        let socket = try Socket(context, .dealer, options: options)
        let monitor = try socket.monitor([.handshake, .connection])
        try socket.connect(to: endpoint)
        self.socket = socket
        self.monitor = monitor
    }

    func send(_ parts: [[UInt8]]) throws {
        _ = try socket.send(parts)
    }

    /// Sends a greeting as a watch.
    func greet(_ nonce: UInt64) throws {
        let hello = Hello(
            nonce: nonce, wire: 1...1, schema: 1...1, name: "w", app: testApp, epoch: nil, known: nil, window: 1024)
        try send(FrameCodec.parts(of: hello.frame))
    }

    /// Receives frames and connection events.
    func look() throws {
        while let event = try monitor.nextEvent() {
            switch event.kind {
            case .handshakeSucceeded: isAdmitted = true
            case .handshakeFailedAuthentication: isTurnedAway = true
            case .disconnected, .handshakeFailedNoDetail, .handshakeFailedProtocol: isGone = true
            default: break
            }
        }
        while let message = try socket.receive() { frames.append(try FrameCodec.frame(of: message.frames)) }
    }
}

extension WatchTransport.Event {
    var isSnapshot: Bool {
        guard case .engine(.snapshotChanged) = self else { return false }
        return true
    }

    var isLink: Bool {
        guard case .engine(.linkChanged) = self else { return false }
        return true
    }

    var isRegister: Bool {
        guard case .engine(.registerChanged) = self else { return false }
        return true
    }
}

struct Missing: Error {}

func present<Value>(_ value: Value?) throws -> Value {
    guard let value else { throw Missing() }
    return value
}
