import Platform
import SyncSimulation

/// Tries the seeds of a range in small worlds, on several threads.
final class SmallSearchRunner: Sendable {
    /// The number of random operations in a run.
    static let operationCount = 60

    /// A run that broke a promise.
    struct Failure: Sendable {
        var seed: UInt64
        var violation: SmallViolation
    }

    /// What was found so far.
    struct Findings: Sendable {
        var runCount = 0
        var stepCount = 0
        var failureCount = 0
        /// The failure of the lowest seed.
        var first: Failure?
    }

    private let seeds: ClosedRange<UInt64>
    private let watchCount: Int
    private let sum = Lock(Findings())

    init(seeds: ClosedRange<UInt64>, watchCount: Int) {
        self.seeds = seeds
        self.watchCount = watchCount
    }

    var findings: Findings { sum.withLock(\.self) }

    /// Runs until all seeds are tried or the task is cancelled.
    func run(jobs: Int) async {
        let threads = SeedThreads(seeds: seeds, portion: 256) { [self] portion in
            let part = tried(portion)
            sum.withLock { sum in
                sum.runCount += part.runCount
                sum.stepCount += part.stepCount
                sum.failureCount += part.failureCount
                if let first = part.first, first.seed < sum.first?.seed ?? .max { sum.first = first }
            }
        }
        await threads.run(jobs: jobs)
    }

    private func tried(_ seeds: ClosedRange<UInt64>) -> Findings {
        var findings = Findings()
        for seed in seeds {
            let operations = SmallOperation.drawn(seed: seed, count: Self.operationCount, watchCount: watchCount)
            var world = SmallWorld(watchCount: watchCount)
            let violation = world.run(operations)
            findings.runCount += 1
            findings.stepCount += world.stepCount
            guard let violation else { continue }
            findings.failureCount += 1
            findings.first = findings.first ?? Failure(seed: seed, violation: violation)
        }
        return findings
    }
}
