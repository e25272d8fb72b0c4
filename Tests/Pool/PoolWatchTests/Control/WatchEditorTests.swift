import Platform
import PoolModel
import SyncCore
import Testing

@testable import PoolWatch

/// What an editor makes of a person's edits, on a replica in memory.
@Suite struct WatchEditorTests {
    private static let name = cellKey(lagoon.id, "name")

    /// A replica that takes every edit and every settlement, and notes it.
    private final class MemoryReplica: WatchReplica {
        private struct State {
            var snapshot: Snapshot
            var pending: [Edit] = []
        }

        private let state: Lock<State>

        init(_ snapshot: Snapshot) {
            state = Lock(State(snapshot: snapshot))
        }

        var pending: [Edit] { state.withLock(\.pending) }

        func contents() -> ReplicaContents {
            state.withLock { ReplicaContents($0.snapshot, under: $0.pending) }
        }

        func edit(_ changes: [CellChange]) -> WatchEngine.Answer { .accepted(add(changes, resolves: nil)) }

        func settle(_ conflict: RandomID, restoring: Bool) -> WatchEngine.Answer {
            .accepted(add([], resolves: conflict))
        }

        func send(_ transfer: Exchange.Transfer) -> Exchange.Answer {
            .accepted(RandomID(high: 0, low: 0), isUrgent: false)
        }

        private func add(_ changes: [CellChange], resolves: RandomID?) -> Edit {
            state.withLock { state in
                let edit = Edit(
                    id: RandomID(high: 77, low: UInt64(state.pending.count) * 100),
                    changes: changes.map { Edit.Change(key: $0.key, value: $0.value, base: nil, seen: nil) },
                    stamp: Stamp(milliseconds: 5, counter: 0, node: 1), schema: 2, resolves: resolves)
                state.pending.append(edit)
                return edit
            }
        }
    }

    private func editor(
        _ replica: MemoryReplica, _ alerts: AlertState = AlertState([]), at now: Timestamp = Timestamp(milliseconds: 0)
    ) -> WatchEditor {
        WatchEditor(replica: replica, alerts: { alerts }, now: { now })
    }

    @Test func `an alert is quiet for as many seconds as the person said, by the hub's clock`() async throws {
        let replica = MemoryReplica(Snapshot(try sampleConfiguration(), revision: 1))
        let alert = AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 1), key: .value(lagoon.id, .ph, .high), name: "Lagoon",
            severity: .warning, since: Timestamp(milliseconds: 1), isAcknowledged: false)
        let now = Timestamp(milliseconds: 1_780_315_200_250)

        _ = try await editor(replica, AlertState([alert]), at: now).perform(.snooze(alert.episodeID, seconds: 90))

        let until = AlertState.snooze(of: alert, until: now.advanced(byMilliseconds: 90_000)).change
        guard case .upsert(let entry) = until else { return }
        #expect(replica.pending.flatMap(\.changes).map(\.value) == [String(decoding: entry.value, as: UTF8.self)])
    }

    @Test func `a conflict is settled once, though the hub has not heard of that yet`() async throws {
        var snapshot = Snapshot(try sampleConfiguration(), revision: 1)
        let loser = Conflict.Side(
            value: #"{"name":"Tub"}"#, dot: RandomID(high: 6, low: 6),
            stamp: Stamp(milliseconds: 4, counter: 0, node: 2), author: "Kitchen")
        snapshot.conflicts[loser.dot] = Conflict(
            id: loser.dot, edit: loser.dot, key: Self.name, base: nil, loser: loser, winner: nil, rule: .newest,
            place: Cell.Place(epoch: Epoch(number: 1), revision: 1))
        let replica = MemoryReplica(snapshot)
        let settling = WatchEdit.settle(conflict: ConflictID(loser.dot), restoring: false)

        guard case .waiting = try await editor(replica).perform(settling) else {
            Issue.record("it was not settled")
            return
        }
        guard case .unchanged(let words) = try await editor(replica).perform(settling) else {
            Issue.record("it was settled twice")
            return
        }
        #expect(words == "This conflict was dismissed here already; that waits for the hub.")
        #expect(replica.pending.count == 1)
    }
}
