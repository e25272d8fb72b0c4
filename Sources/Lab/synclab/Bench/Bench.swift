import CommandSupport
import Foundation
import PoolControl

/// The tools of a benchmark's rows: the sizes of a run, a folder and child processes that end with it.
struct Bench: Sendable {
    /// Whether to use small sizes and one run.
    let isQuick: Bool
    /// The folder for stores.
    let folder: String
    let environment: Environment

    /// Makes the folder and locks its lifeline file.
    init(isQuick: Bool, environment: Environment) throws {
        self.isQuick = isQuick
        self.environment = environment
        folder = try ScratchFolder.make(prefix: "synclab", environment: environment)
        try ProcessGroupLock.hold(path: "\(folder)/lifeline")
    }

    /// The runs of each side.
    var runCount: Int { isQuick ? 1 : 3 }

    /// Removes the folder.
    func removeFiles() {
        ScratchFolder.remove(folder, program: "synclab")
    }

    /// Runs something alternately for each side, and returns the numbers in the order of the sides.
    func alternating<Side, Number>(
        _ sides: [Side], _ run: (Side) async throws -> Number
    ) async throws -> [[Number]] {
        var numbers = sides.map { _ in [Number]() }
        for round in 0..<runCount {
            // Each side comes first equally often, so that neither profits from what the other warmed up.
            for index in round % 2 == 0 ? Array(sides.indices) : sides.indices.reversed() {
                numbers[index].append(try await run(sides[index]))
            }
        }
        return numbers
    }

    /// Runs a hub and many clients in two child processes.
    ///
    /// - Throws: ``CommandFailure`` if one ends too early, or does not end in time.
    func run(_ workload: Workload) async throws -> (hub: HubFindings, load: LoadFindings) {
        let hub = try part("part", called: "hub", BenchTask(role: .hub, workload: workload, endpoint: nil))
        do {
            let start = try await hub.report(HubStart.self)
            let load = try part(
                "part", called: "crowd", BenchTask(role: .load, workload: workload, endpoint: start.endpoint))
            do {
                let loadReport = try await load.report(LoadFindings.self)
                let hubReport = try await hub.report(HubFindings.self)
                await load.kill()
                await hub.kill()
                return (hubReport, loadReport)
            } catch {
                await load.kill()
                throw error
            }
        } catch {
            await hub.kill()
            throw error
        }
    }

    /// Starts a child process for a part of the benchmark.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be started.
    func part(_ command: String, called name: String, _ task: some Encodable) throws -> BenchPart {
        try BenchPart(
            command, called: name, task, lifeline: "\(folder)/lifeline",
            environment: LocalTools.childEnvironment(environment, of: .poolsensors))
    }
}
