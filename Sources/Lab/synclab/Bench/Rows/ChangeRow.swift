import CommandSupport
import SyncCore

/// One changed device of 200, on its way to each of many watches.
struct ChangeRow: BenchRow {
    static let name = "change"
    static let summary = "one changed device of 200, beside whole snapshots"

    /// What one run found, for each watch and change.
    struct Findings {
        var byteCount = 0.0
        var hubMicroseconds = 0.0
        var watchMicroseconds = 0.0
    }

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let watchCount = bench.isQuick ? 10 : 100
        let changeCount: UInt64 = bench.isQuick ? 10 : 100
        let findings = try await bench.alternating([true, false]) { takesDeltas in
            try Self.run(
                deviceCount: 200, watchCount: watchCount, changeCount: changeCount, takesDeltas: takesDeltas)
        }
        func result(_ name: String, _ unit: String, _ number: (Findings) -> Double, within goal: Double) -> BenchResult
        {
            BenchResult(
                name, unit: unit, engine: findings[0].map(number), raw: findings[1].map(number),
                rawName: "whole snapshots", goal: .within(goal))
        }
        return [
            result("bytes for each watch", "B", \.byteCount, within: 1000),
            result("the hub's time for each watch", "µs", \.hubMicroseconds, within: 20),
            result("a watch's time", "µs", \.watchMicroseconds, within: 100),
        ]
    }

    /// Changes one of some devices after the other.
    static func run(
        deviceCount: UInt64, watchCount: Int, changeCount: UInt64, takesDeltas: Bool = true
    ) throws -> Findings {
        var household = try Household(watchCount: watchCount, takesDeltas: takesDeltas)
        try household.change((0..<deviceCount).map { ($0, "A device with a name of a usual length") })
        var findings = Findings()
        for number in 0..<changeCount {
            household.findings = Findings()
            try household.change([(number % deviceCount, "A device with a name of length \(number)")])
            findings.byteCount += household.findings.byteCount
            findings.hubMicroseconds += household.findings.hubMicroseconds
            findings.watchMicroseconds += household.findings.watchMicroseconds
        }
        let count = Double(watchCount) * Double(changeCount)
        findings.byteCount /= count
        findings.hubMicroseconds /= count
        findings.watchMicroseconds /= count
        return findings
    }

    /// A hub and its watches without sockets and disks: what one sends, the other gets.
    private struct Household {
        private static let schema = Schema(versions: 1...1, projected: [.init(kind: "device", group: "name")])

        private var hub: HubEngine
        private var watches: [WatchEngine] = []
        private let keys: [PeerKey]
        private var milliseconds: Int64 = 0
        var findings = Findings()

        init(watchCount: Int, takesDeltas: Bool) throws {
            keys = try (0..<watchCount).map { number in
                let bytes = [UInt8(number >> 8), UInt8(number & 0xFF)] + [UInt8](repeating: 1, count: 30)
                guard let key = PeerKey(bytes: bytes) else { throw CommandFailure("32 bytes are not a key") }
                return key
            }
            hub = HubEngine(
                configuration: .init(app: "bench", schema: Self.schema), state: Self.state(keys), seed: 1,
                at: Moment(monotonic: Instant(nanoseconds: 0), wallMilliseconds: 0))
            while hub.nextOutput() != nil {}
            for (number, key) in keys.enumerated() {
                watches.append(
                    WatchEngine(
                        configuration: .init(
                            name: "watch", app: "bench", schemaVersions: 1...1, node: key.node,
                            takesDeltas: takesDeltas),
                        state: WatchEngine.State(newIncarnation: RandomID(high: 1, low: UInt64(number))),
                        seed: UInt64(number)))
                give(.connected, to: number)
            }
        }

        /// A ledger in which all watches are paired.
        private static func state(_ keys: [PeerKey]) -> LedgerState {
            var ledger = Ledger(state: LedgerState(newEpoch: Epoch(number: 1)))
            let pairings = keys.enumerated().map { number, key in
                let text = JSONValue.members([
                    "key": .string(key.hexadecimal), "name": .string("watch \(number)"), "paired": .integer(0),
                ])
                return CellChange(
                    key: CellKey(kind: "sync.watch", record: RandomID(high: 0, low: UInt64(number)), group: "pairing"),
                    value: String(decoding: text.encoded, as: UTF8.self))
            }
            var generator = SplitMix64(seed: 1)
            ledger.apply(ledger.prepare(pairings, schema: schema, wallMilliseconds: 0, generator: &generator))
            return ledger.state
        }

        private var moment: Moment {
            Moment(monotonic: Instant(nanoseconds: milliseconds * 1_000_000), wallMilliseconds: milliseconds)
        }

        /// Changes devices, and returns when all watches hold that.
        mutating func change(_ names: [(UInt64, String)]) throws {
            milliseconds += 10
            let changes = names.map { number, name in
                CellChange(
                    key: CellKey(kind: "device", record: RandomID(high: 0, low: number), group: "name"), value: name)
            }
            hub.handle(.transact(RequestID(number: 1), changes, expected: nil), at: moment)
            var group: [Transaction] = []
            while let output = hub.nextOutput() {
                if case .persist(let wanted) = output { group = wanted }
            }
            guard !group.isEmpty else { throw CommandFailure("the hub stores nothing") }
            let started = ProcessFacts.now
            hub.handle(.persisted(group), at: moment)
            var messages: [(parts: [[UInt8]], connection: ConnectionID)] = []
            while let output = hub.nextOutput() {
                if case .send(let frame, let connection) = output {
                    messages.append((FrameCodec.parts(of: frame), connection))
                }
            }
            findings.hubMicroseconds += (ProcessFacts.now - started) * 1_000_000
            for message in messages {
                findings.byteCount += Double(message.parts.joined().count)
                give(.received(parts: message.parts), to: Self.watch(message.connection))
            }
            guard watches.allSatisfy({ $0.snapshot?.version == hub.version }) else {
                throw CommandFailure("a watch does not hold the change")
            }
        }

        // MARK: - Passing on

        private static func connection(_ watch: Int) -> ConnectionID {
            ConnectionID(bytes: [UInt8(watch >> 8), UInt8(watch & 0xFF)])
        }

        private static func watch(_ connection: ConnectionID) -> Int {
            connection.bytes.reduce(0) { $0 << 8 | Int($1) }
        }

        private mutating func give(_ input: WatchEngine.Input, to watch: Int) {
            let started = ProcessFacts.now
            var inputs = [input]
            var frames: [Frame] = []
            while let input = inputs.popLast() {
                watches[watch].handle(input, at: moment)
                while let output = watches[watch].nextOutput() {
                    switch output {
                    case .send(let frame): frames.append(frame)
                    case .persist(let record): inputs.append(.persisted(record))
                    case .reconnect, .transfer, .answer, .event: break
                    }
                }
            }
            findings.watchMicroseconds += (ProcessFacts.now - started) * 1_000_000
            for frame in frames { give(frame, from: watch) }
        }

        private mutating func give(_ frame: Frame, from watch: Int) {
            hub.handle(
                .received(
                    parts: FrameCodec.parts(of: frame), connection: Self.connection(watch), peer: keys[watch]),
                at: moment)
            var frames: [Frame] = []
            while let output = hub.nextOutput() {
                if case .send(let frame, _) = output { frames.append(frame) }
            }
            for frame in frames { give(.received(parts: FrameCodec.parts(of: frame)), to: watch) }
        }
    }
}
