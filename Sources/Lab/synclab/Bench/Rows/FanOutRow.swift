import CommandSupport

/// Live values from the hub to all watches.
struct FanOutRow: BenchRow {
    static let name = "fan-out"
    static let summary = "registers of 256 bytes from the hub to N watches"

    private static let byteCount = 256

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        var results: [BenchResult] = []
        for count in bench.isQuick ? [1, 100] : [1, 10, 100, 1000] {
            let runs = try await bench.alternating([Workload.Side.engine, .raw, .rawInParts]) { side in
                try await bench.run(
                    Workload(
                        side: side, watchCount: count,
                        work: .flood(milliseconds: bench.isQuick ? 200 : 700, byteCount: Self.byteCount)))
            }
            let rates = runs.map { $0.map { Double($0.load.deliveryCount) / $0.load.seconds } }
            let costs = runs.map { $0.map { $0.hub.processorSeconds / Double($0.load.deliveryCount) * 1e6 } }
            results += [
                BenchResult(
                    "\(count) watches", unit: "deliveries/s", engine: rates[0], raw: rates[1], rawName: "libzmq",
                    goal: .atLeast(count == 1 ? 1 : 1.5)),
                BenchResult(
                    "\(count) watches, three parts", unit: "deliveries/s", engine: rates[0], raw: rates[2],
                    rawName: "libzmq"),
                BenchResult(
                    "\(count) watches, hub alone", unit: "µs of processor a delivery", engine: costs[0], raw: costs[1],
                    rawName: "libzmq", goal: .within(2)),
            ]
        }
        return results
    }
}
