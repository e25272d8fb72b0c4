import Logging
import Platform
import PoolModel
import SyncCore
import SyncTransport
import TestSupport
import ZeroMQ

/// An in-memory store that outlives transports, as a disk outlives processes.
final class MemoryHubStorage: HubStorage {
    private let ledger = Lock(Ledger(state: LedgerState(newEpoch: Epoch(number: .random(in: 1...(.max))))))

    var state: LedgerState { ledger.withLock(\.state) }

    func commit(_ group: [Transaction]) throws {
        ledger.withLock { ledger in
            for transaction in group { ledger.apply(transaction) }
        }
    }

    /// These hubs exchange nothing but configurations and readings.
    func commit(_ record: TransferRecord, of watch: PeerKey) throws {}
}

struct Missing: Error {}

/// A hub that can be stopped and started again with its stored state.
final class TestHub: Sendable {
    let keys: CurveKeyPair
    private let storage = MemoryHubStorage()
    private let schema: Schema
    private let configuration = Lock(PoolConfiguration())
    private let running = Lock<(transport: HubTransport, task: Task<Void, any Error>)?>(nil)

    private let files: (any FileStorage)?

    private let reply: (@Sendable (WatchQuery) -> QueryReply)?
    /// The payloads of the user info that arrived.
    let userInfo = Recorder<[UInt8]>()

    // Without `reply` the queries of watches are not answered.
    init(
        schemaVersions: ClosedRange<UInt32> = 1...1, files: (any FileStorage)? = nil,
        reply: (@Sendable (WatchQuery) -> QueryReply)? = nil
    ) throws {
        self.files = files
        self.reply = reply
        keys = try CurveKeyPair()
        let rules = ConfigurationEntry.visibleGroups.map { kind, group in
            let isShared = ConfigurationEntry.isEditableOnWatches(kind: kind, group: group)
            return (Schema.Name(kind: kind, group: group), Schema.Rule(isShared ? .shared : .hub))
        }
        schema = Schema(versions: schemaVersions, rules: Dictionary(uniqueKeysWithValues: rules))
    }

    var transport: HubTransport {
        get throws {
            guard let transport = running.withLock({ $0?.transport }) else { throw Missing() }
            return transport
        }
    }

    /// Starts the hub.
    ///
    /// Returns its endpoint.
    func start(at text: String = "tcp://127.0.0.1:*") async throws -> Endpoint {
        let transport = HubTransport(
            configuration: .init(
                endpoint: try Endpoint(text), keys: keys, engine: .init(app: "poolsensors", schema: schema)),
            state: storage.state, storage: storage, files: { [files] _ in files }, logger: Logger(label: "hub"),
            onTransfer: { [weak self] watch, event in self?.answer(event, of: watch) },
            onEvent: { _ in })
        let (endpoints, ready) = AsyncStream.makeStream(of: Endpoint.self)
        let task = Task {
            defer { ready.finish() }
            try await transport.run { ready.yield($0) }
        }
        running.withLock { $0 = (transport, task) }
        for await endpoint in endpoints { return endpoint }
        try await task.value
        throw Missing()
    }

    func stop() async throws {
        let task = running.withLock { running in
            defer { running = nil }
            return running?.task
        }
        task?.cancel()
        try await task?.value
    }

    private func answer(_ event: TransferEvent, of watch: PeerKey) {
        if case .exchange(.itemReceived(let item)) = event { userInfo.record(item.payload) }
        guard let reply, case .exchange(.messageReceived(let message)) = event,
            case .dictionary(let members)? = try? PropertyList(decoding: message.payload),
            case .string(let json)? = members["question"],
            let question = try? CanonicalJSON.decode(WatchQuery.self, from: Array(json.utf8)),
            let text = try? CanonicalJSON.encode(reply(question)), let transport = try? transport,
            let payload = try? PropertyList.dictionary(["reply": .string(String(decoding: text, as: UTF8.self))])
                .encoded()
        else { return }
        // Without a link nobody waits for the reply.
        Task { try? await transport.transfer({ .exchange(.reply($0, message.id, payload)) }, with: watch) }
    }

    func invite() async throws -> InvitationCode {
        try await transport.invite(name: nil, validForSeconds: 3600)
    }

    /// Replaces the configuration.
    func configure(_ new: PoolConfiguration) async throws {
        let old = configuration.withLock { configuration in
            defer { configuration = new }
            return configuration
        }
        let changes = new.entries(changing: old)
        _ = try await transport.transact(changes.map(\.cellChange))
    }

    func publish(_ readings: DeviceReadings) throws {
        try transport.publish(register(readings))
    }
}
