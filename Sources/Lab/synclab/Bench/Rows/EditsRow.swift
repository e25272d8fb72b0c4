import CommandSupport
import Platform
import SyncCore
import SyncStore
import SyncTransport

/// Edits of many watches at the same time, made durable.
///
/// The hub's engine and its store run on one thread, without sockets: all watches upload one edit each, the hub takes
/// them in, and all watches confirm the snapshot. The other side is given the same edits in the same groups. The engine's
/// clock goes on by a second each round, so that no watch exceeds what it may send.
struct EditsRow: BenchRow {
    static let name = "edits"
    static let summary = "durable edits of N watches together, beside SQLite rows"

    private static let value = String(repeating: "v", count: 40)
    private static let key = Schema.Name(kind: "device", group: "name")
    private static let schema = Schema(versions: 1...1, rules: [key: .init(.shared)])

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        var results: [BenchResult] = []
        var number = 0
        for watchCount in bench.isQuick ? [1, 100] : [1, 10, 100, 1000] {
            let roundCount = max(3, (bench.isQuick ? 200 : 2000) / watchCount)
            let runs = try await bench.alternating(["engine", "raw"]) { side in
                number += 1
                let path = "\(bench.folder)/edits-\(number)"
                return try side == "engine"
                    ? engine(watchCount, roundCount, path) : raw(watchCount, roundCount, path)
            }
            results.append(
                BenchResult(
                    "\(watchCount) watches", unit: "edits/s", engine: runs[0], raw: runs[1], rawName: "SQLite",
                    goal: watchCount < 100 ? nil : .reaches(2000)))
        }
        return results
    }

    private func engine(_ watchCount: Int, _ roundCount: Int, _ path: String) throws -> Double {
        let store = try HubStore(in: try StateFolder(path: path), firstEpoch: Epoch(number: 1))
        try store.commit(EngineHub.pairing(of: watchCount, in: try store.load(), schema: Self.schema))
        var hub = EditedHub(
            HubEngine(
                configuration: .init(app: "bench", schema: Self.schema), state: try store.load(), seed: 1,
                at: EditedHub.moment(of: 0)), store,
            watches: try (0..<watchCount).map { try BenchKeys.watch($0).publicKey.peerKey })
        for watch in 0..<watchCount { try hub.greet(watch) }
        let started = ProcessFacts.now
        for round in 1...UInt64(roundCount) {
            hub.round = round
            for watch in 0..<watchCount { hub.upload(edit(of: watch, round), as: round, by: watch) }
            try hub.makeDurable()
        }
        let seconds = ProcessFacts.now - started
        let count = watchCount * roundCount
        guard hub.takenCount == count else {
            throw CommandFailure("the hub took in \(hub.takenCount) of the \(count) edits")
        }
        return Double(count) / seconds
    }

    /// An edit of a watch's own record, made on its edit of the round before.
    private func edit(of watch: Int, _ round: UInt64) -> Edit {
        let key = CellKey(
            kind: Self.key.kind, record: RandomID(high: 0, low: UInt64(watch) + 1), group: Self.key.group)
        let id = RandomID(high: UInt64(watch) + 1, low: round << 16)
        let base = round == 1 ? nil : RandomID(high: id.high, low: (round - 1) << 16)
        let change = Edit.Change(key: key, value: "\(Self.value) \(round)", base: base, seen: nil)
        return Edit(
            id: id, changes: [change],
            stamp: Stamp(milliseconds: EditedHub.moment(of: round).wallMilliseconds, counter: 0, node: 0), schema: 1,
            resolves: nil)
    }

    private func raw(_ watchCount: Int, _ roundCount: Int, _ path: String) throws -> Double {
        let database = try RawDatabase(path: "\(path).sqlite")
        defer { database.close() }
        let started = ProcessFacts.now
        for round in 0..<roundCount {
            // The first edit of a round is on its way to the disk when the others come.
            try database.insert("\(Self.value) \(round)")
            var rest = watchCount - 1
            while rest > 0 {
                let count = min(rest, HubEngine.groupCountMax)
                try database.insert((0..<count).map { "\(Self.value) \(round) \($0)" })
                rest -= count
            }
        }
        return Double(watchCount * roundCount) / (ProcessFacts.now - started)
    }
}

/// A hub's engine with its store, and what its watches know of their sessions.
private struct EditedHub {
    private var engine: HubEngine
    private let store: HubStore
    private let watches: [PeerKey]
    private var sessions: [UInt64] = []
    private var groups: [[Transaction]] = []
    /// The snapshots that the watches have not confirmed.
    private var contexts: [(watch: Int, frame: Frame)] = []
    /// The edits that became durable.
    private(set) var takenCount = 0
    /// The rounds that have begun, each a second long.
    var round: UInt64 = 0

    static func moment(of round: UInt64) -> Moment {
        Moment(
            monotonic: Instant(nanoseconds: Int64(round) * 1_000_000_000),
            wallMilliseconds: 1_800_000_000_000 + Int64(round) * 1000)
    }

    init(_ engine: HubEngine, _ store: HubStore, watches: [PeerKey]) {
        self.engine = engine
        self.store = store
        self.watches = watches
        drain()
    }

    mutating func greet(_ watch: Int) throws {
        let hello = Hello(
            nonce: UInt64(watch) + 1, wire: 1...1, schema: 1...1, name: "watch", app: "bench", epoch: nil, known: nil,
            window: 64, takesDeltas: true)
        receive(hello.frame, from: watch)
        try confirm()
    }

    mutating func upload(_ edit: Edit, as sequence: UInt64, by watch: Int) {
        let batch = UploadBatch(
            incarnation: RandomID(high: 9, low: UInt64(watch)), firstPending: sequence,
            uploads: [NumberedUpload(sequence: sequence, upload: .edit(edit))])
        receive(batch.frame(session: sessions[watch]), from: watch)
    }

    /// Makes durable what the hub wants durable, until it wants nothing more.
    mutating func makeDurable() throws {
        while let group = groups.popLast() {
            try store.commit(group)
            takenCount += group.count
            engine.handle(.persisted(group), at: Self.moment(of: round))
            drain()
            try confirm()
        }
    }

    private mutating func confirm() throws {
        while let (watch, frame) = contexts.popLast() {
            let body = try JSONValue(decoding: frame.body)
            let place = JSONValue.members(["chain": body["chain"] ?? .null, "epoch": body["epoch"] ?? .null])
            receive(
                Frame(
                    kind: .contextAcknowledged, session: frame.session, sequence: frame.sequence, body: place.encoded),
                from: watch)
        }
    }

    private mutating func receive(_ frame: Frame, from watch: Int) {
        engine.handle(
            .received(
                parts: FrameCodec.parts(of: frame), connection: Self.connection(watch), peer: watches[watch]),
            at: Self.moment(of: round))
        drain()
    }

    private mutating func drain() {
        while let output = engine.nextOutput() {
            switch output {
            case .persist(let group): groups.append(group)
            case .send(let frame, _) where frame.kind == .welcome: sessions.append(frame.session)
            case .send(let frame, let connection) where frame.kind == .context:
                contexts.append((Self.watch(connection), frame))
            case .send, .record, .transfer, .close, .admit, .answer, .event: break
            }
        }
    }

    private static func connection(_ watch: Int) -> ConnectionID {
        ConnectionID(bytes: [UInt8(watch >> 8), UInt8(watch & 0xFF)])
    }

    private static func watch(_ connection: ConnectionID) -> Int {
        Int(connection.bytes[0]) << 8 | Int(connection.bytes[1])
    }
}
