import PoolControl
import PoolModel
import TestSupport
import Testing

@testable import PoolHub

/// Messages with several samples, from the broker to the history.
@Suite struct IngestSamplesTests {
    private static let mapping =
        #"{"values":[{"quantity":"ph","path":"samples[*].ph"}],"time":{"path":"samples[*].t"}}"#

    private func list(_ samples: [(time: String, ph: Double)]) -> String {
        let elements = samples.map { #"{"t":"2026-06-01T\#($0.time):00Z","ph":\#($0.ph)}"# }
        return #"{"samples":[\#(elements.joined(separator: ","))]}"#
    }

    @Test func `each sample is stored with its time, and only the last one is shown and current`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "x", mapping: Self.mapping)
        try bench.use(device)

        try bench.receive(list([("11:50", 7.9), ("11:58", 7.2), ("11:54", 7.6)]), on: "x")

        let stored = try bench.stored(device).sorted { $0.sampledAt < $1.sampledAt }
        #expect(stored.compactMap { $0.values[.ph] } == [7.9, 7.6, 7.2])
        #expect(bench.measured.map(\.values) == [[.ph: 7.2]])
        let overtaken = bench.told.items.compactMap { event -> Double? in
            if case .overtaken(_, let values, _, _) = event { values[.ph] } else { nil }
        }
        #expect(overtaken == [7.9, 7.6])
        #expect(bench.ingest.readings.first?.values[.ph]?.value == 7.2)
        #expect(bench.ingest.counts.late == 0)
    }

    @Test func `a list that comes again with one more sample stores only that one`() throws {
        let bench = try IngestBench()
        let device = try bench.device("Lagoon", topic: "x", mapping: Self.mapping)
        try bench.use(device)
        let samples = (10..<40).map { (time: "11:\($0)", ph: 7 + Double($0) / 100) }

        try bench.receive(list(samples), on: "x")
        try bench.receive(list(samples), on: "x")
        let again = try IngestBench(bench.folder)
        try again.use(device)
        try again.receive(list(samples + [("11:45", 7.5)]), on: "x")

        #expect(try again.stored(device).count == 31)
    }
}
