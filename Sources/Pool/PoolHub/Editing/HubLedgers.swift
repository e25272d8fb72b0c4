import Platform
import SyncCore
import SyncStore
import SyncTransport

/// The ledger of a running hub, in its transport.
struct EngineLedger: HubLedger {
    let transport: HubTransport

    func contents() async throws -> LedgerContents {
        let status = try await transport.status()
        return LedgerContents(cells: status.cells, version: status.version, conflicts: status.conflicts)
    }

    func transact(_ changes: [CellChange], expected: Version, author: String?) async throws {
        _ = try await transport.transact(changes, expected: expected, author: author)
    }

    func settle(_ conflict: RandomID, restoring: Bool, author: String?) async throws {
        _ = try await transport.settle(conflict, restoring: restoring, author: author)
    }
}

/// The ledger of a hub that does not run: the same engine without links, for the time of one command.
final class StoredLedger: HubLedger {
    private let engine: Lock<HubEngine>
    private let store: HubStore

    init(_ store: HubStore) throws {
        self.store = store
        var generator = SystemRandomNumberGenerator()
        engine = Lock(
            HubEngine(
                configuration: .pool(), state: try store.load(), transfers: try store.transfers(),
                seed: generator.next(), at: .now))
    }

    func contents() async throws -> LedgerContents {
        engine.withLock { engine in
            LedgerContents(cells: engine.cells, version: engine.version, conflicts: engine.conflicts.values)
        }
    }

    func transact(_ changes: [CellChange], expected: Version, author: String?) async throws {
        try request(by: author) { .transact($0, changes, expected: expected) }
    }

    func settle(_ conflict: RandomID, restoring: Bool, author: String?) async throws {
        try request(by: author) { .settle($0, conflict: conflict, restoring: restoring) }
    }

    /// Forgets a watch.
    func unpair(_ watch: PeerKey) throws {
        try request { .unpair($0, watch) }
    }

    private func request(by author: String? = nil, _ input: (HubEngine.RequestID) -> HubEngine.Input) throws {
        // There is one request at a time, so one number is enough.
        let request = HubEngine.RequestID(number: 1)
        let answer = engine.withLock { engine in
            _ = Self.drain(&engine, store, until: request)
            let wanted = input(request)
            engine.handle(author.map { .authored(by: $0, wanted) } ?? wanted, at: .now)
            return Self.drain(&engine, store, until: request)
        }
        if case .refused(let fault)? = answer { throw LinkError.refused(fault) }
    }

    /// The paired watches.
    var watches: [HubEngine.WatchStatus] { engine.withLock(\.watches) }

    /// Carries out the outputs of the engine; nothing is sent.
    private static func drain(
        _ engine: inout HubEngine, _ store: HubStore, until request: HubEngine.RequestID
    ) -> HubEngine.Answer? {
        var answer: HubEngine.Answer?
        var results: [HubEngine.Input] = []
        while true {
            while let output = engine.nextOutput() {
                switch output {
                case .persist(let group): results.append(commit(group, store))
                case .record(let peer, let record): results.append(commit(record, of: peer, store))
                case .answer(request, let given): answer = given
                // Transfers continue when the hub runs.
                case .answer, .send, .close, .admit, .event, .transfer: break
                }
            }
            guard !results.isEmpty else { return answer }
            engine.handle(results.removeFirst(), at: .now)
        }
    }

    private static func commit(_ group: [Transaction], _ store: HubStore) -> HubEngine.Input {
        do {
            try store.commit(group)
            return .persisted(group)
        } catch {
            return .persistFailed(group, reason: "\(error)")
        }
    }

    private static func commit(
        _ record: TransferRecord, of peer: PeerKey, _ store: HubStore
    ) -> HubEngine.Input {
        do {
            try store.commit(record, of: peer)
            return .recorded(peer, record)
        } catch {
            return .recordFailed(peer, record, reason: "\(error)")
        }
    }
}
