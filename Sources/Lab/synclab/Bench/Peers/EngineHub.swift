import CommandSupport
import Foundation
import Logging
import Platform
import PoolControl
import SyncCore
import SyncTransport
import ZeroMQ

/// The hub of a run: the engine's real transport, with a store that stores nothing.
struct EngineHub {
    private static let schema = Schema(versions: 1...1, projected: [.init(kind: "device", group: "name")])
    /// The registers that a flood writes; few, so that not many wait for a slow watch.
    private static let registerCount = 16

    private let workload: Workload
    private let arrivals: Arrivals
    private let transport: HubTransport
    private let replies: Replies

    init(_ workload: Workload) throws {
        self.workload = workload
        let arrivals = Arrivals()
        self.arrivals = arrivals
        let replies = Replies()
        self.replies = replies
        transport = HubTransport(
            configuration: .init(
                endpoint: try Endpoint("tcp://127.0.0.1:*"), keys: try BenchKeys.hub(),
                engine: .init(app: "bench", schema: Self.schema)),
            state: try Self.startingState(workload), storage: ForgetfulStorage(), files: { _ in MemoryFiles() },
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() },
            onTransfer: { peer, event in
                switch event {
                case .exchange(.messageReceived(let message)): replies.send(message.id, to: peer)
                case .files(.ended): arrivals.noteFile()
                case .exchange, .files: break
                }
            }, onEvent: { arrivals.note($0) })
        replies.transport.withLock { [transport] in $0 = transport }
    }

    func run() async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await transport.run { PartReport.send(HubStart(endpoint: $0.text)) } }
            group.addTask { try await work() }
            try await group.waitForAll()
        }
    }

    private func work() async throws {
        let before = try ProcessFacts.byteCount()
        // A configuration without records has no snapshot that a watch would confirm.
        await arrivals.wait { [workload] in $0.linked >= workload.watchCount && $0.acknowledged >= workload.watchCount }
        try await Task.sleep(for: .seconds(workload.pauseSeconds))
        let perWatch = Double(try ProcessFacts.byteCount() - before) / Double(workload.watchCount)
        let meter = Meter()
        switch workload.work {
        case .flood(let milliseconds, let byteCount): try await flood(milliseconds, byteCount)
        case .rest(let milliseconds): try await Task.sleep(for: .milliseconds(milliseconds))
        case .ask, .converse: break
        case .file(let byteCount): try await sendFile(of: byteCount)
        }
        PartReport.send(meter.report(byteCountPerWatch: perWatch))
    }

    // MARK: - Work

    private func flood(_ milliseconds: Int, _ byteCount: Int) async throws {
        let value = [UInt8](repeating: 0x5A, count: byteCount)
        let end = ProcessFacts.now + Double(milliseconds) / 1000
        var order: UInt64 = 0
        while ProcessFacts.now < end {
            order += 1
            for number in 0..<Self.registerCount {
                transport.publish(Register(key: "register \(number)", order: order, value: value))
            }
            try await waitForTransport()
        }
        transport.publish(Register(key: LoadMark.endKey, order: 1, value: LoadMark.end))
        try await waitForTransport()
    }

    /// Returns when the transport has handled everything published so far: it sends a request that the transport must
    /// decline, and waits for the answer.
    private func waitForTransport() async throws {
        do {
            _ = try await transport.transact([], expected: Version(epoch: Epoch(number: 0), revision: 0, chain: 0))
        } catch LinkError.refused {
            // The request must be declined.
        }
    }

    private func sendFile(of byteCount: Int) async throws {
        let digest = FileDigest(bytes: [UInt8](repeating: 0, count: 32))
        guard let digest else { throw CommandFailure("32 bytes are not a digest") }
        let answer = try await transport.transfer(
            {
                .files(
                    .send($0, file: "file", name: "file", byteCount: UInt64(byteCount), digest, metadata: []))
            }, with: try BenchKeys.watch(0).publicKey.peerKey)
        guard case .files(.accepted) = answer else { throw CommandFailure("the hub sends no file: \(answer)") }
        await arrivals.wait { $0.files > 0 }
    }

    // MARK: - Initial state

    /// A ledger with the records, in which all watches are paired.
    private static func startingState(_ workload: Workload) throws -> LedgerState {
        var state = LedgerState(newEpoch: Epoch(number: 1))
        state.apply(try pairing(of: workload.watchCount, in: state, schema: schema))
        return state
    }

    /// The transaction that pairs the watches of a run in a new ledger, and adds a record.
    static func pairing(of watchCount: Int, in state: LedgerState, schema: Schema) throws -> Transaction {
        var ledger = Ledger(state: state)
        let watches = try (0..<watchCount).map { number in
            let key = try BenchKeys.watch(number).publicKey.peerKey
            let text = JSONValue.members([
                "key": .string(key.hexadecimal), "name": .string("watch \(number)"), "paired": .integer(0),
            ])
            return CellChange(
                key: CellKey(
                    kind: "sync.watch", record: RandomID(high: 0, low: UInt64(number)), group: "pairing"),
                value: String(decoding: text.encoded, as: UTF8.self))
        }
        let device = CellChange(
            key: CellKey(kind: "device", record: RandomID(high: 1, low: 0), group: "name"),
            value: "A device with a name of a usual length")
        var generator = SplitMix64(seed: 1)
        return ledger.prepare(watches + [device], schema: schema, wallMilliseconds: 0, generator: &generator)
    }
}

/// Stores nothing: another row measures the disk.
private struct ForgetfulStorage: HubStorage {
    func commit(_ group: [Transaction]) throws {}
    func commit(_ record: TransferRecord, of watch: PeerKey) throws {}
}

/// Replies to each live message at once, with its own payload.
private final class Replies: Sendable {
    /// The transport; nil until it exists.
    let transport = Lock<HubTransport?>(nil)

    func send(_ id: MessageID, to peer: PeerKey) {
        transport.withLock { $0 }?.tell(.exchange(.reply(RequestID(number: 0), id, LoadMark.message)), to: peer)
    }
}

/// Counts what the watches did, and resumes the task that waits for it.
private final class Arrivals: Sendable {
    struct Counts {
        var linked = 0
        var acknowledged = 0
        var files = 0
    }

    private struct State {
        var counts = Counts()
        var waiting: (isReached: @Sendable (Counts) -> Bool, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Lock(State())

    func note(_ event: HubEngine.Event) {
        if case .linked = event { note { $0.linked += 1 } }
        if case .acknowledged = event { note { $0.acknowledged += 1 } }
    }

    /// Notes that a file has arrived.
    func noteFile() {
        note { $0.files += 1 }
    }

    private func note(_ change: (inout Counts) -> Void) {
        let ready = state.withLock { state -> CheckedContinuation<Void, Never>? in
            change(&state.counts)
            guard let waiting = state.waiting, waiting.isReached(state.counts) else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        ready?.resume()
    }

    var acknowledged: Int { state.withLock { $0.counts.acknowledged } }

    /// Returns when the counts are reached; only one task may wait at a time.
    func wait(until isReached: @escaping @Sendable (Counts) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isReady = state.withLock { state in
                if isReached(state.counts) { return true }
                state.waiting = (isReached, continuation)
                return false
            }
            if isReady { continuation.resume() }
        }
    }
}
