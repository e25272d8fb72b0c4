import ArgumentParser
import CommandSupport
import Foundation

/// The options of all benchmarks, and the frame around their measurements.
struct BenchOptions: ParsableArguments {
    @Flag(help: "Measure little, in some seconds: enough to see that it works.")
    var quick = false

    @Flag(help: "Print JSON: one line for each result.")
    var json = false

    /// Measures until it is done or a signal stops it, and removes its files and processes.
    ///
    /// - Parameter measure: Measures with the given tools, and prints each result at once.
    /// - Throws: The errors of the measurement; an exit with 1 if it was stopped.
    func run(_ measure: @escaping @Sendable (Bench, BenchOutput) async throws -> Void) async throws {
        let signals = await stopSignals()
        let bench = try Bench(isQuick: quick, environment: ProcessInfo.processInfo.environment)
        // All child processes end with the lifeline, even if this process is killed.
        defer { bench.removeFiles() }
        let output = BenchOutput(isJSON: json)
        let reason = try await untilStopped(signals: signals) { try await measure(bench, output) }
        guard reason == .finished else { throw ExitCode(1) }
    }
}
