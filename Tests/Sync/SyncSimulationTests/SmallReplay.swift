import SyncSimulation

/// A run of a small world, with the end that another implementation of the design came to.
struct SmallReplay: Hashable, Sendable {
    /// The operations.
    var operations: [SmallOperation]
    /// How it ends, as ``SmallOutcome/text`` writes it.
    var outcome: String

    /// Reads `Fixtures/schedules/small-outcomes.txt`: pairs of lines, the operations and the end that begins with `=`.
    static func entries(in text: String) throws(SmallFixtureError) -> [SmallReplay] {
        var entries: [SmallReplay] = []
        var operations: [SmallOperation]?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("=") {
                guard let expected = operations else { throw .line(number + 1, "an end without operations") }
                entries.append(SmallReplay(operations: expected, outcome: String(line)))
                operations = nil
            } else {
                guard operations == nil else { throw .line(number + 1, "expected the end of the run before") }
                operations = try SmallOperation.list(line, line: number + 1)
            }
        }
        guard operations == nil else { throw .line(0, "the last run has no end") }
        return entries
    }
}

extension SmallOutcome {
    /// The end of a run in one line: the cells that are not deleted as `created:written`, the writes in the log of conflicts,
    /// and the cells whose deletion is in it; a write is named by the number of its operation.
    var text: String {
        let cells = cells.sorted { $0[0] < $1[0] }.map { "\($0[0]):\($0[1])" }
        return "= \(Self.list(cells)) | \(Self.list(losers)) | \(Self.list(lostDeletions))"
    }

    private static func list(_ words: [some CustomStringConvertible]) -> String {
        words.isEmpty ? "-" : words.map(\.description).joined(separator: " ")
    }
}
