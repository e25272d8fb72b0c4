/// A run of a small world, with the end that another implementation of the design came to.
package struct SmallReplay: Hashable, Sendable {
    /// The operations.
    package var operations: [SmallOperation]
    /// How it ends, as ``SmallOutcome/text`` writes it.
    package var outcome: String

    /// Reads `Fixtures/schedules/small-outcomes.txt`: pairs of lines, the operations and the end that begins with `=`.
    package static func entries(in text: String) throws(SmallFixtureError) -> [SmallReplay] {
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

/// Why a file of runs cannot be read.
package enum SmallFixtureError: Error, Hashable, Sendable {
    /// The line, from 1, and what is wrong with it.
    case line(Int, String)
}

extension SmallFixtureError: CustomStringConvertible {
    /// The line, and what is wrong with it.
    package var description: String {
        switch self {
        case .line(let number, let words): "line \(number): \(words)"
        }
    }
}

extension SmallOperation {
    /// Reads operations that are separated by semicolons; the line is for the fault.
    package static func list(_ text: some StringProtocol, line: Int = 1) throws(SmallFixtureError) -> [SmallOperation] {
        var operations: [SmallOperation] = []
        for word in text.split(separator: ";") {
            guard let operation = SmallOperation(text: String(word)) else {
                throw .line(line, "no operation: \(word)")
            }
            operations.append(operation)
        }
        return operations
    }
}

extension SmallOutcome {
    /// The end of a run in one line: the cells that are not deleted as `created:written`, the writes in the log of conflicts,
    /// and the cells whose deletion is in it; a write is named by the number of its operation.
    package var text: String {
        let cells = cells.sorted { $0[0] < $1[0] }.map { "\($0[0]):\($0[1])" }
        return "= \(Self.list(cells)) | \(Self.list(losers)) | \(Self.list(lostDeletions))"
    }

    private static func list(_ words: [some CustomStringConvertible]) -> String {
        words.isEmpty ? "-" : words.map(\.description).joined(separator: " ")
    }
}
