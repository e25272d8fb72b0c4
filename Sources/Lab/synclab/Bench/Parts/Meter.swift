import CommandSupport
import PoolControl

/// Measures the time and the processor time of some work.
struct Meter {
    private let started = ProcessFacts.now
    private let processorStarted = ProcessFacts.processorSeconds

    func report(byteCountPerWatch: Double) -> HubFindings {
        HubFindings(
            byteCountPerWatch: byteCountPerWatch, seconds: ProcessFacts.now - started,
            processorSeconds: ProcessFacts.processorSeconds - processorStarted)
    }
}

/// Sends reports from a part to the benchmark.
enum PartReport {
    static func send(_ report: some Encodable) {
        do {
            Output.standard.line(try JSONText.message(report))
        } catch {
            preconditionFailure("a report has no form in JSON: \(error)")
        }
    }
}
