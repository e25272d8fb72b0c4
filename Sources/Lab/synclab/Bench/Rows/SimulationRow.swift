import CommandSupport
import PoolControl
import SyncSimulation

/// The steps of the simulators on one thread.
struct SimulationRow: BenchRow {
    static let name = "simulation"
    static let summary = "steps of the simulators a second, on one thread"

    func measure(_ bench: Bench) async throws -> [BenchResult] {
        let isQuick = bench.isQuick
        let rates = try await bench.alternating(["search", "simulate"]) { kind in
            let started = ProcessFacts.now
            let steps = kind == "search" ? try search(isQuick ? 500 : 10_000) : try simulate(isQuick ? 5 : 100)
            return Double(steps) / (ProcessFacts.now - started)
        }
        return [
            BenchResult("short runs of the memories (search)", unit: "steps/s", engine: rates[0]),
            BenchResult(
                "whole engines with all faults (simulate)", unit: "steps/s", engine: rates[1], goal: .reaches(100_000)),
        ]
    }

    private func search(_ count: UInt64) throws -> Int {
        var steps = 0
        for seed in 0..<count {
            var world = SmallWorld()
            let operations = SmallOperation.drawn(seed: seed, count: SmallSearchRunner.operationCount, watchCount: 2)
            if let violation = world.run(operations) { throw CommandFailure("seed \(seed): \(violation)") }
            steps += world.stepCount
        }
        return steps
    }

    private func simulate(_ count: UInt64) throws -> Int {
        var steps = 0
        for seed in 0..<count {
            let report = Simulation.run(seed: seed)
            if let violation = report.violation { throw CommandFailure("seed \(seed): \(violation)") }
            steps += report.stepCount
        }
        return steps
    }
}
