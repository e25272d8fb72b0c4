/// All watches reconnect at once.
struct ReturnRow: BenchRow {
    static let name = "return"
    static let summary = "1000 watches connect at once, until all are current"

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let count = bench.isQuick ? 100 : 1000
        let runs = try await bench.alternating([Workload.Side.engine, .raw]) { side in
            try await bench.run(Workload(side: side, watchCount: count, work: .rest(milliseconds: 0)))
                .load.joinSeconds
        }
        return [
            BenchResult(
                "\(count) watches", unit: "s", engine: runs[0], raw: runs[1], rawName: "CURVE connects",
                goal: .atMost(1.1))
        ]
    }
}
