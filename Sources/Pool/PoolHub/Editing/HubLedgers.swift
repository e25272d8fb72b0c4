import Platform
import Service
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
struct RestingLedger: HubLedger {
    private let engine: RestingEngine<HubEngine>

    init(_ store: HubStore) throws {
        var generator = SystemRandomNumberGenerator()
        let engine = HubEngine(
            configuration: .pool(), state: try store.load(), transfers: try store.transfers(), seed: generator.next(),
            at: .now)
        self.engine = RestingEngine(engine) { output in
            switch output {
            case .persist(let group):
                do {
                    try store.commit(group)
                    return .persisted(group)
                } catch {
                    return .persistFailed(group, reason: "\(error)")
                }
            case .record(let peer, let record):
                do {
                    try store.commit(record, of: peer)
                    return .recorded(peer, record)
                } catch {
                    return .recordFailed(peer, record, reason: "\(error)")
                }
            // Transfers continue when the hub runs.
            case .answer, .send, .close, .admit, .event, .transfer: return nil
            }
        }
    }

    func contents() async throws -> LedgerContents {
        engine.read { LedgerContents(cells: $0.cells, version: $0.version, conflicts: $0.conflicts.values) }
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
        let answer = engine.perform { request in
            author.map { .authored(by: $0, input(request)) } ?? input(request)
        } answer: { output, request -> HubEngine.Answer? in
            if case .answer(request, let answer) = output { answer } else { nil }
        }
        if case .refused(let fault) = answer { throw LinkError.refused(fault) }
    }

    /// The paired watches.
    var watches: [HubEngine.WatchStatus] { engine.read(\.watches) }
}
