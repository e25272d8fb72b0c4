import InMemoryLogging
import Logging
import PoolModel
import SyncCore
import SyncTransport
import Synchronization
import Testing

@testable import PoolWatch

@Suite struct WatchReducerTests {
    /// A reducer with its log, and the number of changes that it reported.
    private final class Bench: Sendable {
        let log = InMemoryLogHandler()
        let reducer: WatchReducer
        private let changes = Changes()

        var changeCount: Int { changes.count }

        init(wanted: String? = nil) {
            reducer = WatchReducer(
                wanted: wanted, logger: Logger(label: "watch") { [log] _ in log },
                onChange: { [changes] in changes.add() })
        }
    }

    private final class Changes: Sendable {
        private let value = Atomic<Int>(0)
        var count: Int { value.load(ordering: .relaxed) }
        func add() { value.add(1, ordering: .relaxed) }
    }

    @Test func `each change that a face could show is told`() throws {
        let bench = Bench()
        bench.reducer.handle(.transport(.transport(.unreachable)))
        #expect(bench.changeCount == 1)
        bench.reducer.handle(.transport(.engine(.linkChanged(.linked))))
        #expect(bench.changeCount == 2)
        bench.reducer.handle(.transport(.engine(.snapshotChanged(Snapshot(try sampleConfiguration(), revision: 1)))))
        #expect(bench.changeCount == 3)
        bench.reducer.handle(.transport(.engine(.registerChanged(try register(goodReadings(of: lagoon.id, order: 1))))))
        #expect(bench.changeCount == 4)

        bench.reducer.handle(.transport(.engine(.dropped(.foreignSession))))
        bench.reducer.handle(.transport(.engine(.notStored("full"))))
        bench.reducer.handle(.transport(.engine(.hubForked(Epoch(number: 1)))))
        #expect(bench.changeCount == 4)
    }

    @Test func `a device that was asked for by its name is still shown when it is renamed`() throws {
        let bench = Bench(wanted: "Lagoon")
        let before = try sampleConfiguration()
        bench.reducer.handle(.transport(.engine(.snapshotChanged(Snapshot(before, revision: 1)))))
        #expect(bench.reducer.facts.found == lagoon.id)
        var renamed = try #require(before.device(lagoon.id))
        renamed.name = "Bay"
        let after = try before.replacing(renamed)
        bench.reducer.handle(.transport(.engine(.snapshotChanged(Snapshot(after, revision: 2)))))
        #expect(bench.reducer.facts.found == lagoon.id)
        let other = Bench(wanted: "Nowhere")
        other.reducer.handle(.transport(.engine(.snapshotChanged(Snapshot(before, revision: 1)))))
        #expect(other.reducer.facts.found == nil)
    }

    @Test func `a disk that fails is counted, and said once for each reason`() {
        let bench = Bench()
        for reason in ["full", "full", "read-only"] { bench.reducer.handle(.transport(.engine(.notStored(reason)))) }
        #expect(bench.reducer.facts.storageFailureCount == 3)
        #expect(bench.log.entries.map(\.metadata["store.reason"]) == ["full", "read-only"])
    }

    @Test func `a hub that is back in a history which was left is said once`() {
        let bench = Bench()
        for number: UInt64 in [7, 7, 8] { bench.reducer.handle(.transport(.engine(.hubForked(Epoch(number: number))))) }
        #expect(bench.log.entries.map(\.metadata["context.epoch"]) == ["7", "8"])
        #expect(bench.log.entries.allSatisfy { $0.level == .info })
    }

    @Test func `user info and files wait in their order until somebody stores them`() async throws {
        let bench = Bench()
        let items = (1...3).map { ReceivedItem(id: RandomID(high: 0, low: $0), payload: [], isUrgent: false) }
        let digest = try #require(FileDigest(bytes: [UInt8](repeating: 0, count: 32)))
        let offers = (1...3).map { number in
            FileOffer(id: RandomID(high: 1, low: number), name: "day.csv", byteCount: 0, digest: digest, metadata: [])
        }
        for (item, offer) in zip(items, offers) {
            bench.reducer.handle(.transfer(.exchange(.itemReceived(item))))
            bench.reducer.handle(.transfer(.files(.received(offer))))
        }
        #expect(bench.changeCount == 0)
        var found: [ReceivedItem] = []
        for await item in bench.reducer.items {
            found.append(item)
            if found.count == items.count { break }
        }
        #expect(found == items)
        var foundOffers: [FileOffer] = []
        for await offer in bench.reducer.offers {
            foundOffers.append(offer)
            if foundOffers.count == offers.count { break }
        }
        #expect(foundOffers == offers)
        bench.reducer.handle(.stored)
        #expect(bench.changeCount == 1)
    }

    @Test func `why edits wait is told when it changes, as long as edits wait`() throws {
        let bench = Bench()
        bench.reducer.handle(.transport(.engine(.snapshotChanged(Snapshot(try sampleConfiguration(), revision: 1)))))
        bench.reducer.handle(.uploadsWait(.logFull))
        #expect(bench.reducer.memory.uploadObstacle == nil)
        bench.reducer.handle(
            .edited(
                Edit(
                    id: RandomID(high: 77, low: 1), changes: [],
                    stamp: Stamp(milliseconds: 5, counter: 0, node: 1), schema: 2, resolves: RandomID(high: 1, low: 1)))
        )
        let count = bench.changeCount
        bench.reducer.handle(.uploadsWait(.logFull))
        bench.reducer.handle(.uploadsWait(.logFull))
        #expect(bench.changeCount == count + 1)
        #expect(bench.reducer.memory.uploadObstacle == Conflict.Rule.logFull.uploadObstacle)
        bench.reducer.handle(.uploadsWait(nil))
        #expect(bench.changeCount == count + 2)
        #expect(bench.reducer.memory.uploadObstacle == nil)
    }

    @Test func `the quantities without alerts are those of the hub's last answer`() {
        let bench = Bench()
        #expect(bench.reducer.muted == nil)
        bench.reducer.handle(.answered(.alerting(muted: [.ph])))
        bench.reducer.handle(.answered(.refused("not now")))
        #expect(bench.reducer.muted == [.ph])
        let newest = NewestReply(
            readings: nil, server: nil, connection: nil, revision: 1, muted: [], now: Timestamp(milliseconds: 0))
        bench.reducer.handle(.answered(.newest(newest)))
        #expect(bench.reducer.muted == [])
    }
}
