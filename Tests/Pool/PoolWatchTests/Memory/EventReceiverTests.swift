import InMemoryLogging
import Logging
import PoolModel
import SyncCore
import SyncTransport
import Synchronization
import Testing

@testable import PoolWatch

@Suite struct EventReceiverTests {
    /// A receiver with its log, and the number of changes that it reported.
    private final class Bench: Sendable {
        let log = InMemoryLogHandler()
        let receiver: EventReceiver
        private let changes = Changes()

        var changeCount: Int { changes.count }

        init() {
            receiver = EventReceiver(
                logger: Logger(label: "watch") { [log] _ in log }, onChange: { [changes] in changes.add() })
        }
    }

    private final class Changes: Sendable {
        private let value = Atomic<Int>(0)
        var count: Int { value.load(ordering: .relaxed) }
        func add() { value.add(1, ordering: .relaxed) }
    }

    @Test func `each change that a face could show is told`() throws {
        let bench = Bench()
        bench.receiver.receive(.transport(.unreachable))
        #expect(bench.changeCount == 1)
        bench.receiver.receive(.engine(.linkChanged(.linked)))
        #expect(bench.changeCount == 2)
        bench.receiver.receive(.engine(.snapshotChanged(Snapshot(try sampleConfiguration(), revision: 1))))
        #expect(bench.changeCount == 3)
        bench.receiver.receive(.engine(.registerChanged(try register(goodReadings(of: lagoon.id, order: 1)))))
        #expect(bench.changeCount == 4)

        bench.receiver.receive(.engine(.dropped(.foreignSession)))
        bench.receiver.receive(.engine(.notStored("full")))
        bench.receiver.receive(.engine(.hubForked(Epoch(number: 1))))
        #expect(bench.changeCount == 4)
    }

    @Test func `a disk that fails is counted, and said once for each reason`() {
        let bench = Bench()
        for reason in ["full", "full", "read-only"] { bench.receiver.receive(.engine(.notStored(reason))) }
        #expect(bench.receiver.storageFailureCount == 3)
        #expect(bench.log.entries.map(\.metadata["store.reason"]) == ["full", "read-only"])
    }

    @Test func `a hub that is back in a history which was left is said once`() {
        let bench = Bench()
        for number: UInt64 in [7, 7, 8] { bench.receiver.receive(.engine(.hubForked(Epoch(number: number)))) }
        #expect(bench.log.entries.map(\.metadata["context.epoch"]) == ["7", "8"])
        #expect(bench.log.entries.allSatisfy { $0.level == .info })
    }
}
