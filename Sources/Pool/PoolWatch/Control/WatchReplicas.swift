internal import Service
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
struct RestingReplica: WatchReplica {
    private let engine: RestingEngine<WatchEngine>

    init(_ store: WatchStore, configuration: WatchEngine.Configuration) throws {
        var generator = SystemRandomNumberGenerator()
        let engine = WatchEngine(configuration: configuration, state: try store.load(), seed: generator.next())
        self.engine = RestingEngine(engine) { output in
            switch output {
            case .persist(let record):
                do throws(StoreError) {
                    try store.write(record)
                    return .persisted(record)
                } catch {
                    return .persistFailed(record, reason: "\(error)")
                }
            // Transfers continue when the watch runs: the engine repeats these outputs then.
            case .answer, .send, .reconnect, .transfer, .event: return nil
            }
        }
    }

    func contents() async throws -> ReplicaContents {
        engine.read { ReplicaContents($0.snapshot, under: $0.pendingEdits) }
    }

    func edit(_ changes: [CellChange]) async throws -> WatchEngine.Answer {
        request { .edit($0, changes) }
    }

    func settle(_ conflict: RandomID, restoring: Bool) async throws -> WatchEngine.Answer {
        request { .settle($0, conflict: conflict, restoring: restoring) }
    }

    private func request(_ input: (RequestID) -> WatchEngine.Input) -> WatchEngine.Answer {
        engine.perform(input) { output, request in
            if case .answer(request, let answer) = output { answer } else { nil }
        }
    }

    func send(_ transfer: Exchange.Transfer) async throws -> Exchange.Answer {
        engine.perform {
            .transfer(.exchange(.transfer($0, transfer)))
        } answer: { output, request in
            if case .transfer(.exchange(.answer(request, let answer))) = output { answer } else { nil }
        }
    }
}
