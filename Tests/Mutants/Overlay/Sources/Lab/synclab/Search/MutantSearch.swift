import Platform
import SyncSimulation

/// Plants each design fault in turn, and measures how soon it is found.
final class MutantSearch: Sendable {
    /// How many faults there are.
    static let mutantCount = SmallMutant.allCases.count

    private struct Counts {
        var found = 0
        var missed = 0
    }

    private let seeds: ClosedRange<UInt64>
    private let watchCount: Int
    private let tell: @Sendable (String) -> Void
    private let counts = Lock(Counts())

    /// - Parameters:
    ///   - seeds: The seeds to try with each fault.
    ///   - watchCount: The number of watches.
    ///   - tell: Gets a line for each fault.
    init(seeds: ClosedRange<UInt64>, watchCount: Int, tell: @escaping @Sendable (String) -> Void) {
        self.seeds = seeds
        self.watchCount = watchCount
        self.tell = tell
    }

    /// Whether each fault that was tried to the end was found.
    var isGood: Bool { counts.withLock { $0.missed == 0 } }

    /// How many faults were not tried to the end.
    var untriedCount: Int { counts.withLock { Self.mutantCount - $0.found - $0.missed } }

    /// Searches until all faults are tried, or until the task is cancelled.
    func run(jobs: Int) async {
        for mutant in SmallMutant.allCases {
            let search = SmallSearchRunner(seeds: seeds, watchCount: watchCount, mutant: mutant)
            await search.run(jobs: jobs)
            if let first = search.findings.first {
                counts.withLock { $0.found += 1 }
                tell("\(mutant.rawValue): \(first.violation.rule.rawValue), first by seed \(first.seed)")
            } else {
                // The remaining seeds might have found it.
                guard !Task.isCancelled else { return }
                counts.withLock { $0.missed += 1 }
                tell("\(mutant.rawValue): not found in \(search.findings.runCount) runs")
            }
        }
    }
}
