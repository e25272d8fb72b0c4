import Platform

/// The pairs of a test, for the text of its failures.
///
/// A pair that is created while a log is current adds itself. Its events stay in the log when the pair is released.
final class PairLog: Sendable {
    /// The log of the test that runs, if it wants one.
    @TaskLocal static var current: PairLog?

    private struct Entry: Sendable {
        let runner: PairRunner
        let seed: UInt64
        /// The events that were reported before.
        var reportedCount = 0
    }

    private let entries = Lock<[Entry]>([])

    /// Creates a log without pairs.
    init() {}

    func add(_ runner: PairRunner, seed: UInt64) {
        entries.withLock { $0.append(Entry(runner: runner, seed: seed)) }
    }

    /// The seeds, the warnings and the timelines of all pairs; of the last two, what came after the last report.
    func report() -> String {
        entries.withLock { entries in
            entries.indices.map { index in
                let events = entries[index].runner.world.withLock(\.timeline.lines)
                let new = events.dropFirst(entries[index].reportedCount)
                let isFirst = entries[index].reportedCount == 0
                entries[index].reportedCount = events.count
                let name = entries.count == 1 ? "The pair" : "Pair \(index + 1)"
                let warnings = new.filter { $0.kind == .warning }
                return
                    (["\(name) with the seed \(entries[index].seed):"]
                    + (warnings.isEmpty ? [] : ["warnings:"] + warnings.map { "    \($0.place): \($0.text)" })
                    + [isFirst ? "timeline:" : "timeline since the last failure:"] + new.map(\.line))
                    .joined(separator: "\n")
            }
            .joined(separator: "\n")
        }
    }
}
