internal import Platform
internal import SyncCore
internal import SyncStore
internal import SyncTransport

/// The replica of a running watch, which its transport holds.
struct RunningReplica: WatchReplica {
    let transport: WatchTransport
    let reducer: WatchReducer

    func contents() async throws -> ReplicaContents {
        ReplicaContents(try await transport.view())
    }

    func edit(_ changes: [CellChange]) async throws -> WatchEngine.Answer {
        announced(try await transport.edit(changes))
    }

    func settle(_ conflict: RandomID, restoring: Bool) async throws -> WatchEngine.Answer {
        announced(try await transport.settle(conflict, restoring: restoring))
    }

    func send(_ transfer: Exchange.Transfer) async throws -> Exchange.Answer {
        guard case .exchange(let answer) = try await transport.transfer({ .exchange(.transfer($0, transfer)) }) else {
            preconditionFailure("the engine answered user info as a file")
        }
        return answer
    }

    /// Updates the faces after an edit on this watch.
    private func announced(_ answer: WatchEngine.Answer) -> WatchEngine.Answer {
        if case .accepted(let edit) = answer { reducer.handle(.edited(edit)) }
        return answer
    }
}

extension ReplicaContents {
    init(_ view: WatchTransport.View) {
        self.init(nil, under: [])
        for (key, cell) in view.cells.pairs { cells[key] = cell.value }
        conflicts = view.conflicts
        pending = view.pendingEdits
        revision = view.version?.revision
    }
}

/// The replica of a watch that does not run: the same engine, without a link, for one command.
final class RestingReplica: WatchReplica {
    private let engine: Lock<WatchEngine>
    private let store: WatchStore

    init(_ store: WatchStore, configuration: WatchEngine.Configuration) throws {
        self.store = store
        var generator = SystemRandomNumberGenerator()
        engine = Lock(WatchEngine(configuration: configuration, state: try store.load(), seed: generator.next()))
    }

    func contents() async throws -> ReplicaContents {
        engine.withLock { ReplicaContents($0.snapshot, under: $0.pendingEdits) }
    }

    func edit(_ changes: [CellChange]) async throws -> WatchEngine.Answer {
        try request { .edit($0, changes) }
    }

    func settle(_ conflict: RandomID, restoring: Bool) async throws -> WatchEngine.Answer {
        try request { .settle($0, conflict: conflict, restoring: restoring) }
    }

    func send(_ transfer: Exchange.Transfer) async throws -> Exchange.Answer {
        let answer = try drained { .transfer(.exchange(.transfer($0, transfer))) }.transfer
        guard let answer else { preconditionFailure("the engine did not answer although its store is idle") }
        return answer
    }

    private func request(_ input: (RequestID) -> WatchEngine.Input) throws -> WatchEngine.Answer {
        guard let answer = try drained(input).edit else {
            preconditionFailure("the engine did not answer although its store is idle")
        }
        return answer
    }

    /// The answers to one request, each of which is to an edit or to user info.
    private typealias Answers = (edit: WatchEngine.Answer?, transfer: Exchange.Answer?)

    private func drained(_ input: (RequestID) -> WatchEngine.Input) throws -> Answers {
        // Only one request is open at a time, so one identifier is enough.
        let request = RequestID(number: 1)
        return engine.withLock { engine in
            _ = Self.drain(&engine, store, until: request)
            engine.handle(input(request), at: .now)
            return Self.drain(&engine, store, until: request)
        }
    }

    /// Carries out the engine's outputs; there is no peer to send to.
    private static func drain(
        _ engine: inout WatchEngine, _ store: WatchStore, until request: RequestID
    ) -> Answers {
        var answers: Answers = (nil, nil)
        var results: [WatchEngine.Input] = []
        while true {
            while let output = engine.nextOutput() {
                switch output {
                case .persist(let record):
                    do throws(StoreError) {
                        try store.write(record)
                        results.append(.persisted(record))
                    } catch {
                        results.append(.persistFailed(record, reason: "\(error)"))
                    }
                case .answer(request, let given): answers.edit = given
                case .transfer(.exchange(.answer(request, let given))): answers.transfer = given
                // Other outputs for transfers can wait until the watch runs: the engine repeats them then.
                case .answer, .send, .reconnect, .transfer, .event: break
                }
            }
            guard !results.isEmpty else { return answers }
            engine.handle(results.removeFirst(), at: .now)
        }
    }
}
