import MQTT
import PoolControl
import PoolModel
import PoolStore
import TestSupport
import Testing

@testable import PoolHub

/// Ingest while the history cannot be stored.
@Suite struct IngestFullDiskTests {
    // P13, X8
    @Test func `what comes together and cannot be stored is shown, and leaves only its count`() async throws {
        // In a separate process, whose disk can be full.
        await #expect(processExitsWith: .success) {
            let bench = try IngestBench()
            try bench.use(try bench.device("Lagoon", topic: "pool"))
            try bench.receive(#"{"ph":7.2}"#, on: "pool")
            let before = bench.ingest.readings
            // From now on no file can grow: rows are inserted, and the commit fails.
            limitFileSize(to: 4096)

            let verdict = try bench.receive(together: [("pool", #"{"ph":7.3}"#), ("pool", "no reading")])

            guard case .sendAgain = verdict else { throw HistoryError.failed(path: "", reason: "acknowledged") }
            #expect(bench.ingest.readings.map(\.values) == before.map(\.values))
            #expect(bench.shown.items.map { $0.values[.ph]?.value } == [7.2, 7.3])
            #expect(bench.ingest.counts.notStored == 2)
            #expect(bench.ingest.counts.rejected.isEmpty)

            // The watches have seen the order of the value that is gone, so the next one must be greater.
            limitFileSize(to: .max)
            try bench.receive(#"{"ph":7.4}"#, on: "pool")
            let orders = bench.shown.items.map(\.order)
            #expect(orders.count == 3 && orders == orders.sorted() && Set(orders).count == 3)
        }
    }

    @Test func `what cannot be stored is judged all the same, once, also when it comes again`() async throws {
        await #expect(processExitsWith: .success) {
            let bench = try IngestBench()
            let device = try bench.device("Lagoon", topic: "pool")
            try bench.use(device)
            try bench.receive(#"{"ph":7.2}"#, on: "pool")
            limitFileSize(to: 4096)

            try bench.receive(#"{"ph":8.9}"#, on: "pool", packet: 100)
            #expect(bench.measured.map { $0.values[.ph] } == [7.2, 8.9])
            #expect(bench.told.items.contains { if case .notStored(let reason) = $0 { reason != "" } else { false } })
            // The stand-in connection receives the next message, which also waits in the hub's session.
            let verdict = try bench.receive(#"{"ph":9.0}"#, on: "pool", packet: 1, isStandIn: true)
            guard case .acknowledge = verdict else { throw HistoryError.failed(path: "", reason: "not acknowledged") }
            #expect(bench.measured.map { $0.values[.ph] } == [7.2, 8.9, 9.0])
            #expect(bench.ingest.readings[0].values[.ph]?.value == 7.2)

            limitFileSize(to: .max)
            bench.ingest.beginCatchUp(bench.serverID)
            for (packet, ph) in [(100, 8.9), (101, 9.0), (102, 7.4)] {
                try bench.receive(
                    "{\"ph\":\(ph)}", on: "pool", life: 2, isSessionResumed: true, packet: UInt16(packet))
            }
            bench.ingest.endCatchUp(bench.serverID)
            #expect(bench.measured.map { $0.values[.ph] } == [7.2, 8.9, 9.0, 7.4] && bench.overtaken.isEmpty)
            #expect(try bench.stored(device).map { $0.values[.ph] } == [7.2, 8.9, 9.0, 7.4])
            #expect(bench.ingest.readings[0].values[.ph]?.value == 7.4)
            // From now on an equal value is a new one again.
            try bench.receive(#"{"ph":8.9}"#, on: "pool")
            #expect(bench.measured.count == 5)
        }
    }
}
