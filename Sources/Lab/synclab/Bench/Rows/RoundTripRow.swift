import PoolControl

/// A question from a watch to the hub and its answer.
///
/// `LoadSession.question` makes the question, the smallest that the engine answers.
struct RoundTripRow: BenchRow {
    static let name = "round-trip"
    static let summary = "a question of a watch, and the hub's answer"

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let runs = try await bench.alternating([Workload.Side.engine, .raw]) { side in
            try await bench.run(
                Workload(side: side, watchCount: 1, work: .ask(count: bench.isQuick ? 500 : 5000))
            ).load.roundTrips.sorted()
        }
        func microseconds(_ share: Double) -> [[Double]] {
            runs.map { $0.map { $0[Int(Double($0.count - 1) * share)] * 1e6 } }
        }
        let (middle, slow) = (microseconds(0.5), microseconds(0.99))
        return [
            BenchResult(
                "p50", unit: "µs", engine: middle[0], raw: middle[1], rawName: "DEALER–ROUTER", goal: .atMost(1.1)),
            BenchResult("p99", unit: "µs", engine: slow[0], raw: slow[1], rawName: "DEALER–ROUTER"),
        ]
    }
}
