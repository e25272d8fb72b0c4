import ArgumentParser
import CommandSupport
import Foundation

/// The options of a benchmark's child process.
struct BenchPartOptions: ParsableArguments {
    @Option(help: "The lifeline.")
    var lifeline: String

    @Option(help: "The part, as JSON.")
    var task: String

    /// Runs the part until it is done or the benchmark has ended.
    func run<Task: Decodable & Sendable>(
        _ type: Task.Type, _ workload: @escaping @Sendable (Task) async throws -> Void
    ) async throws {
        let task = try JSONDecoder().decode(type, from: Data(task.utf8))
        _ = try await untilStopped(lifeline: lifeline) { try await workload(task) }
    }
}
