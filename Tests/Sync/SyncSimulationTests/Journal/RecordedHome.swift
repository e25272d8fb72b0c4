import SyncCore
import Synchronization

@testable import SyncSimulation

/// A hub and a watch on a lossless link, with stores that store everything immediately; both are recorded.
struct RecordedHome {
    /// The bytes of a journal.
    final class File: Sendable {
        private let stored = Mutex<[UInt8]>([])
        var bytes: [UInt8] { stored.withLock(\.self) }
        func append(_ bytes: [UInt8]) { stored.withLock { $0 += bytes } }
    }

    static let watchKey = PeerKey.simulated(kind: 1, number: 7, draw: 7)
    static let invitation = PeerKey.simulated(kind: 2, number: 9, draw: 9)
    static let hubKey = PeerKey.simulated(kind: 3, number: 1, draw: 1)
    static let versions = ScenarioSchema.versions

    let hubFile = File()
    let watchFile = File()
    var hubStore = HubMemory(ledger: LedgerState(newEpoch: Epoch(number: 1)))
    var watchStore = WatchEngine.State(newIncarnation: RandomID(high: 5, low: 5))
    private(set) var hub: HubEngine
    private(set) var watch: WatchEngine
    private var hubRecorder: EngineRecorder
    private var watchRecorder: EngineRecorder
    private var toHub: [Frame] = []
    private var toWatch: [Frame] = []
    private var now: Int64 = 1_000_000_000
    private var lastRequest: UInt64 = 0
    private let byteCountMax: Int

    init(byteCountMax: Int = EngineRecorder.defaultByteCountMax) {
        self.byteCountMax = byteCountMax
        hub = HubEngine(
            configuration: HubEngine.Configuration(
                app: ScenarioSchema.app, schema: ScenarioSchema.schema(Self.versions)),
            state: hubStore.ledger, seed: 0, at: Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0))
        watch = WatchEngine(configuration: Self.configuration, state: watchStore, seed: 0)
        hubRecorder = Self.recorder("hub", Self.hubKey, hubFile, byteCountMax)
        watchRecorder = Self.recorder("watch", Self.watchKey, watchFile, byteCountMax)
        startHub(seed: 1)
        startWatch(seed: 2)
        tellHub(.invite(request(), key: Self.invitation, name: "watch", validMilliseconds: 60_000))
        var client = PairingClient(key: Self.watchKey, name: "watch", app: ScenarioSchema.app, seed: 4)
        if case .send(let frame) = client.connected(now: Instant(nanoseconds: now)) {
            let parts = FrameCodec.parts(of: frame)
            tellHub(.received(parts: parts, connection: ConnectionID(bytes: [9]), peer: Self.invitation))
        }
        tellWatch(.connected)
        settle()
    }

    private static let configuration = WatchEngine.Configuration(
        name: "watch", app: ScenarioSchema.app, schemaVersions: versions, node: watchKey.node)

    private static func recorder(_ name: String, _ key: PeerKey, _ file: File, _ most: Int) -> EngineRecorder {
        EngineRecorder(
            device: JournalDevice(
                name: name, key: key, versions: versions, application: JournalApplication.scenarios.name),
            of: .scenarios, byteCount: file.bytes.count,
            byteCountMax: most
        ) { bytes in
            file.append(bytes)
            return true
        }
    }

    private var moment: Moment {
        Moment(monotonic: Instant(nanoseconds: now), wallMilliseconds: 1_700_000_000_000 + now / 1_000_000)
    }

    mutating func request() -> RequestID {
        lastRequest += 1
        return RequestID(number: lastRequest)
    }

    // MARK: - Starting processes

    /// Starts the hub with the contents of its store.
    mutating func startHub(seed: UInt64) {
        hubRecorder = Self.recorder("hub", Self.hubKey, hubFile, byteCountMax)
        hub = HubEngine(
            configuration: HubEngine.Configuration(
                app: ScenarioSchema.app, schema: ScenarioSchema.schema(Self.versions)),
            state: hubStore.ledger, transfers: hubStore.transfers, seed: seed, at: moment)
        let outputs = drainedHub()
        hubRecorder.began(
            hubStore.ledger, transfers: hubStore.transfers, seed: seed, at: moment, outputs: outputs)
        toHub = []
        carryOut(outputs)
    }

    /// Starts the watch with the contents of its store.
    mutating func startWatch(seed: UInt64) {
        watchRecorder = Self.recorder("watch", Self.watchKey, watchFile, byteCountMax)
        watch = WatchEngine(configuration: Self.configuration, state: watchStore, seed: seed)
        let outputs = drainedWatch()
        watchRecorder.began(Self.configuration, watchStore, seed: seed, at: moment, outputs: outputs)
        toWatch = []
        carryOut(outputs)
    }

    // MARK: - Events

    /// Delivers all frames, and lets some seconds pass.
    mutating func settle(seconds: Int64 = 3) {
        for _ in 0..<seconds * 20 {
            now += 50_000_000
            while !toHub.isEmpty || !toWatch.isEmpty {
                now += 1_000_000
                if !toHub.isEmpty {
                    let parts = FrameCodec.parts(of: toHub.removeFirst())
                    tellHub(.received(parts: parts, connection: ConnectionID(bytes: [1]), peer: Self.watchKey))
                } else {
                    tellWatch(.received(parts: FrameCodec.parts(of: toWatch.removeFirst())))
                }
            }
            tellHub(.timeReached)
            tellWatch(.timeReached)
        }
    }

    mutating func tellHub(_ input: HubEngine.Input) {
        hub.handle(input, at: moment)
        let outputs = drainedHub()
        hubRecorder.stepped(input, at: moment, outputs: outputs)
        carryOut(outputs)
    }

    mutating func tellWatch(_ input: WatchEngine.Input) {
        watch.handle(input, at: moment)
        let outputs = drainedWatch()
        watchRecorder.stepped(input, at: moment, outputs: outputs)
        carryOut(outputs)
    }

    private mutating func drainedHub() -> [HubEngine.Output] {
        var outputs: [HubEngine.Output] = []
        while let output = hub.nextOutput() { outputs.append(output) }
        return outputs
    }

    private mutating func drainedWatch() -> [WatchEngine.Output] {
        var outputs: [WatchEngine.Output] = []
        while let output = watch.nextOutput() { outputs.append(output) }
        return outputs
    }

    private mutating func carryOut(_ outputs: [HubEngine.Output]) {
        for output in outputs {
            switch output {
            case .send(let frame, let connection): if connection.bytes == [1] { toWatch.append(frame) }
            case .persist(let group):
                hubStore.apply(.group(group))
                tellHub(.persisted(group))
            case .record(let peer, let record):
                hubStore.apply(.transfer(peer, record))
                tellHub(.recorded(peer, record))
            case .transfer, .close, .admit, .answer, .event: break
            }
        }
    }

    private mutating func carryOut(_ outputs: [WatchEngine.Output]) {
        for output in outputs {
            switch output {
            case .send(let frame): toHub.append(frame)
            case .persist(let record):
                watchStore.apply(record)
                tellWatch(.persisted(record))
            case .reconnect, .transfer, .answer, .event: break
            }
        }
    }
}
