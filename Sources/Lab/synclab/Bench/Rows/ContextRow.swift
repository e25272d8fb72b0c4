import CommandSupport
import PoolControl

/// One changed device among many, sent to all watches.
struct ContextRow: BenchRow {
    static let name = "context"
    static let summary = "1 changed device among 200, brought to N watches"

    private static let changeCount = 10

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        var results: [BenchResult] = []
        for count in bench.isQuick ? [10] : [10, 100] {
            let runs = try await bench.alternating([Workload.Side.engine]) { side in
                try await bench.run(
                    Workload(side: side, watchCount: count, recordCount: 200, work: .change(count: Self.changeCount)))
            }[0]
            let snapshots = Double(count * Self.changeCount)
            results += [
                BenchResult(
                    "\(count) watches, size", unit: "bytes a watch",
                    engine: runs.map { Double($0.load.byteCount) / Double($0.load.deliveryCount) }),
                BenchResult(
                    "\(count) watches, hub", unit: "µs of processor a watch",
                    engine: runs.map { $0.hub.processorSeconds / snapshots * 1e6 }),
                BenchResult(
                    "\(count) watches, until all hold it", unit: "ms",
                    engine: runs.map { $0.hub.seconds / Double(Self.changeCount) * 1000 }),
            ]
        }
        return results
    }
}
