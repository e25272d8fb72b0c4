import SyncCore
import SyncLink
import SyncStore
import Synchronization

/// The ledger of a hub that runs: its driver has it.
struct RunningLedger: HubLedger {
    let driver: HubDriver

    func contents() async throws -> (cells: SortedMap<CellKey, Cell>, version: Version) {
        let status = try await driver.status()
        return (status.cells, status.version)
    }

    func transact(_ changes: [CellChange], expected: Version) async throws {
        _ = try await driver.transact(changes, expected: expected)
    }
}

/// The ledger of a hub at rest: the same engine, without a link, for the time of one command.
final class RestingLedger: HubLedger {
    private let engine: Mutex<HubEngine>
    private let store: HubStore

    init(_ store: HubStore) throws {
        self.store = store
        var generator = SystemRandomNumberGenerator()
        engine = Mutex(
            HubEngine(
                configuration: .init(schema: .pool), state: try store.load(), seed: generator.next(), at: .now))
    }

    func contents() async throws -> (cells: SortedMap<CellKey, Cell>, version: Version) {
        engine.withLock { ($0.cells, $0.version) }
    }

    func transact(_ changes: [CellChange], expected: Version) async throws {
        let request = HubEngine.RequestID(number: 1)
        let answer = engine.withLock { engine in
            let answer = Self.drain(&engine, store, until: request)
            guard answer == nil else { return answer }
            engine.handle(.transact(request, changes, expected: expected), at: .now)
            return Self.drain(&engine, store, until: request)
        }
        if case .refused(let fault)? = answer { throw LinkError.refused(fault) }
    }

    /// Forgets a watch.
    func unpair(_ watch: PeerKey) throws {
        let request = HubEngine.RequestID(number: 2)
        let answer = engine.withLock { engine in
            _ = Self.drain(&engine, store, until: request)
            engine.handle(.unpair(request, watch), at: .now)
            return Self.drain(&engine, store, until: request)
        }
        if case .refused(let fault)? = answer { throw LinkError.refused(fault) }
    }

    /// The watches that the hub knows.
    var watches: [HubEngine.WatchStatus] { engine.withLock(\.watches) }

    /// Carries out what the engine wants; there is nobody to send to.
    private static func drain(
        _ engine: inout HubEngine, _ store: HubStore, until request: HubEngine.RequestID
    ) -> HubEngine.Answer? {
        var answer: HubEngine.Answer?
        while let output = engine.nextOutput() {
            switch output {
            case .persist(let transaction):
                var result = HubEngine.Input.persisted(transaction)
                do {
                    try store.commit(transaction)
                } catch {
                    result = .persistFailed(transaction, reason: "\(error)")
                }
                // Nothing else is wanted while a transaction is out, so the outputs are drained here.
                _ = engine.nextOutput()
                engine.handle(result, at: .now)
            case .answer(request, let given): answer = given
            case .answer, .send, .admit, .event: break
            }
        }
        return answer
    }
}
