@testable import SyncCore

/// A time in milliseconds after the start; the wall clock starts on a day in 2026.
func moment(_ milliseconds: Int64) -> Moment {
    Moment(
        monotonic: Instant(nanoseconds: milliseconds * 1_000_000),
        wallMilliseconds: 1_790_000_000_000 + milliseconds)
}

func instant(_ milliseconds: Int64) -> Instant { moment(milliseconds).monotonic }

func key(_ number: UInt8) -> PeerKey {
    guard let key = PeerKey(bytes: Array(repeating: number, count: 32)) else { preconditionFailure("32 bytes") }
    return key
}

func connection(_ number: UInt8) -> ConnectionID { ConnectionID(bytes: [0, number]) }

func note(_ number: UInt64) -> CellKey {
    CellKey(kind: "note", record: RandomID(high: 0, low: number), group: "text")
}

func secret(_ number: UInt64) -> CellKey {
    CellKey(kind: "note", record: RandomID(high: 0, low: number), group: "secret")
}

/// The application of all devices of these tests.
let testApp: AppName = "tests"

let schema = Schema(versions: 1...1, projected: [.init(kind: "note", group: "text")])

func version(_ revision: UInt64, epoch: UInt64 = 1, chain: UInt64 = 0) -> Version {
    Version(epoch: Epoch(number: epoch), revision: revision, chain: chain)
}

func snapshot(_ revision: UInt64, epoch: UInt64 = 1) -> Snapshot {
    Snapshot(version: version(revision, epoch: epoch, chain: revision), cells: SortedMap())
}

/// The contents of a watch's store.
func watchState(_ snapshot: Snapshot? = nil, _ fence: EpochFence = EpochFence()) -> WatchEngine.State {
    WatchEngine.State(
        replica: ReplicaState(snapshot: snapshot, fence: fence, incarnation: RandomID(high: 1, low: 1)))
}

extension Snapshot {
    /// The frame that sends the snapshot to a watch.
    func frame(session: UInt64, receipt: UploadReceipt? = nil) -> Frame {
        ContextFrame.frame(version: version, contents: contents, receipt: receipt, session: session)
    }
}

func register(_ key: String, _ order: UInt64) -> Register {
    Register(key: key, order: order, value: [UInt8(truncatingIfNeeded: order)])
}

/// A hub whose outputs a test claims one by one; an unclaimed output fails the test.
struct HubScript {
    private(set) var engine: HubEngine
    var outputs: [HubEngine.Output] = []

    init(
        _ state: LedgerState = LedgerState(newEpoch: Epoch(number: 1)), schema: Schema = schema, seed: UInt64 = 1
    ) {
        engine = HubEngine(
            configuration: .init(app: testApp, schema: schema), state: state, seed: seed, at: moment(0))
        drain()
        outputs = []
    }

    mutating func feed(_ input: HubEngine.Input, at milliseconds: Int64) { feed(input, at: moment(milliseconds)) }

    mutating func feed(_ input: HubEngine.Input, at moment: Moment) {
        engine.handle(input, at: moment)
        drain()
    }

    private mutating func drain() {
        while let output = engine.nextOutput() { outputs.append(output) }
    }

    /// Takes all outputs that are not events.
    mutating func claimDeeds() -> [HubEngine.Output] {
        defer { outputs = [] }
        return outputs.filter { output in
            guard case .event = output else { return true }
            return false
        }
    }

    /// Takes the events.
    mutating func claimEvents() -> [HubEngine.Event] {
        defer { outputs = [] }
        return outputs.compactMap { output in
            guard case .event(let event) = output else { return nil }
            return event
        }
    }

    /// Makes the requested group of transactions durable.
    mutating func store(at milliseconds: Int64) {
        let groups = claimDeeds().compactMap { output -> [Transaction]? in
            guard case .persist(let group) = output else { return nil }
            return group
        }
        for group in groups { feed(.persisted(group), at: milliseconds) }
    }

    /// Makes the requested steps of transfers durable, and those that follow from them.
    mutating func storeRecords(at milliseconds: Int64) {
        var position = 0
        while position < outputs.count {
            defer { position += 1 }
            guard case .record(let peer, let record) = outputs[position] else { continue }
            outputs.remove(at: position)
            position -= 1
            feed(.recorded(peer, record), at: milliseconds)
        }
    }

    /// Invites and pairs a watch with a key.
    mutating func pair(_ watch: PeerKey, at milliseconds: Int64) {
        let invitation = key(200)
        feed(
            .invite(.init(number: 99), key: invitation, name: nil, validMilliseconds: 60_000), at: milliseconds)
        store(at: milliseconds)
        let request = PairRequest(nonce: 5, key: watch, name: "wrist")
        feed(
            .received(parts: FrameCodec.parts(of: request.frame), connection: connection(200), peer: invitation),
            at: milliseconds)
        store(at: milliseconds)
        outputs = []
    }

    /// Greets as a watch.
    ///
    /// Returns the session.
    mutating func greet(
        _ watch: PeerKey, on connection: ConnectionID, known: Version? = nil, knownRecords: UInt32 = 0,
        takesDeltas: Bool = false, nonce: UInt64 = 7, at milliseconds: Int64
    ) -> UInt64? {
        let hello = Hello(
            nonce: nonce, wire: 1...1, schema: 1...1, name: "wrist", epoch: known?.epoch, known: known,
            knownRecords: knownRecords, window: 4, takesDeltas: takesDeltas)
        send(hello.frame, watch, connection, at: milliseconds)
        for case .send(let frame, connection) in outputs where frame.kind == .welcome { return frame.session }
        return nil
    }

    mutating func send(_ frame: Frame, _ peer: PeerKey, _ connection: ConnectionID, at milliseconds: Int64) {
        feed(.received(parts: FrameCodec.parts(of: frame), connection: connection, peer: peer), at: milliseconds)
    }
}

/// A watch whose outputs a test claims.
struct WatchScript {
    private(set) var engine: WatchEngine
    private(set) var outputs: [WatchEngine.Output] = []

    init(_ state: WatchEngine.State = watchState()) {
        engine = WatchEngine(
            configuration: .init(name: "wrist", app: testApp, schemaVersions: 1...1, node: key(1).node), state: state,
            seed: 1)
    }

    mutating func feed(_ input: WatchEngine.Input, at milliseconds: Int64) {
        engine.handle(input, at: moment(milliseconds))
        while let output = engine.nextOutput() { outputs.append(output) }
    }

    mutating func receive(_ frame: Frame, at milliseconds: Int64) {
        feed(.received(parts: FrameCodec.parts(of: frame)), at: milliseconds)
    }

    mutating func claim() -> [WatchEngine.Output] {
        defer { outputs = [] }
        return outputs
    }

    /// The frames among the outputs.
    mutating func claimFrames() -> [Frame] {
        claim().compactMap { output in
            guard case .send(let frame) = output else { return nil }
            return frame
        }
    }

    /// Connects and opens a session.
    mutating func open(
        session: UInt64, at milliseconds: Int64, heartbeat: UInt32 = 1000, uploads: UploadReceipt? = nil
    ) throws {
        feed(.connected, at: milliseconds)
        let hello = claimFrames().compactMap { try? Hello($0) }.last
        guard let nonce = hello?.nonce else { throw NoGreeting() }
        receive(welcome(nonce, heartbeat: heartbeat, uploads: uploads).frame(session: session), at: milliseconds)
        outputs = []
    }
}

struct NoGreeting: Error {}

func welcome(
    _ nonce: UInt64, heartbeat: UInt32 = 1000, uploads: UploadReceipt? = nil, items: ItemPositions = ItemPositions()
) -> Welcome {
    Welcome(
        nonce: nonce, boot: 3, wire: 1, schema: 1, uploads: uploads, items: items,
        hubMilliseconds: 1_790_000_000_000, heartbeatMilliseconds: heartbeat)
}
