import CommandSupport

/// The cost of watches that do nothing.
struct IdleRow: BenchRow {
    static let name = "idle"
    static let summary = "memory and processor time of the hub with idle watches"

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let count = bench.isQuick ? 100 : 1000
        let seconds = bench.isQuick ? 0.5 : 3
        let runs = try await bench.alternating([Workload.Side.engine, .raw]) { side in
            try await bench.run(
                Workload(side: side, watchCount: count, work: .rest(milliseconds: Int(seconds * 1000)))
            ).hub
        }
        let added = zip(runs[0], runs[1]).map { engine, raw in
            (engine.processorSeconds / engine.seconds - raw.processorSeconds / raw.seconds) * 100
        }
        let memory = runs.map { $0.map { $0.byteCountPerWatch / 1024 } }
        let load = runs.map { $0.map { $0.processorSeconds / $0.seconds * 100 } }
        return [
            BenchResult(
                "memory, \(count) watches", unit: "KiB a watch", engine: memory[0], raw: memory[1], rawName: "libzmq",
                goal: .atMost(1.45)),
            BenchResult(
                "load, \(count) watches", unit: "% of a core", engine: load[0], raw: load[1], rawName: "libzmq"),
            BenchResult(
                "load beyond libzmq's own", unit: "% of a core", engine: added, raw: added.map { _ in 1 },
                rawName: "allowed", goal: .atMost(1)),
        ]
    }
}
