import ArgumentParser
import CommandSupport
import Foundation

/// What all benchmarks take, and the shell around their measurements.
struct BenchOptions: ParsableArguments {
    @Flag(help: "Measure little, in some seconds: enough to see that it works.")
    var quick = false

    @Flag(help: "Print JSON: one line for each result.")
    var json = false

    /// Measures until it is done or a signal stops it, and leaves nothing behind.
    ///
    /// - Parameter measure: Measures with what it is given, and prints the results as they come.
    /// - Throws: What the measurement throws; an exit with 1 if it was stopped.
    func run(_ measure: @escaping @Sendable (Bench, BenchOutput) async throws -> Void) async throws {
        let signals = await stopSignals()
        let bench = try Bench(isQuick: quick, environment: ProcessInfo.processInfo.environment)
        // Everything that was started ends with the lifeline, and so even if this process is killed.
        defer { bench.tidyUp() }
        let output = BenchOutput(isJSON: json)
        let reason = try await untilStopped(signals: signals) { try await measure(bench, output) }
        guard reason == .finished else { throw ExitCode(1) }
    }
}
