/// A run of a small world that breaks a promise with a fault of design, and keeps it without.
package struct SmallCounterexample: Hashable, Sendable {
    /// The fault.
    package var mutant: SmallMutant
    /// The promise that it breaks.
    package var rule: Violation.Rule
    /// The seed whose run was made shorter to this one, nil for one that was made by hand.
    package var seed: UInt64?
    /// What happens, for people.
    package var sentence: String
    /// The operations.
    package var operations: [SmallOperation]

    /// Reads `Fixtures/schedules/small-mutants.txt`; entries are apart by blank lines, each with a sentence in a comment,
    /// a line `mutant rule seed` (`-` for no seed) and the operations.
    package static func entries(in text: String) throws(SmallFixtureFault) -> [SmallCounterexample] {
        var entries: [SmallCounterexample] = []
        var sentence: [Substring] = []
        var heading: (number: Int, words: [Substring])?
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty {
                sentence = []
            } else if line.hasPrefix("#") {
                sentence.append(line.drop { $0 == "#" || $0 == " " })
            } else if let (start, words) = heading {
                entries.append(
                    try entry(words, sentence.joined(separator: " "), line, start: start, line: number))
                heading = nil
            } else {
                heading = (number, line.split(separator: " "))
            }
        }
        if let heading { throw .line(heading.number + 1, "operations are missing after it") }
        return entries
    }

    private static func entry(
        _ words: [Substring], _ sentence: String, _ operations: Substring, start: Int, line: Int
    ) throws(SmallFixtureFault) -> SmallCounterexample {
        guard words.count == 3, let mutant = SmallMutant(rawValue: String(words[0])),
            let rule = Violation.Rule(rawValue: String(words[1])), words[2] == "-" || UInt64(words[2]) != nil
        else { throw .line(start + 1, "expected a mutant, a promise and a seed") }
        return SmallCounterexample(
            mutant: mutant, rule: rule, seed: UInt64(words[2]), sentence: sentence,
            operations: try SmallOperation.list(operations, line: line + 1))
    }
}

/// A run of a small world, with the end that another implementation of the design came to.
package struct SmallReplay: Hashable, Sendable {
    /// The operations.
    package var operations: [SmallOperation]
    /// How it ends, as ``SmallOutcome/text`` writes it.
    package var outcome: String

    /// Reads `Fixtures/schedules/small-outcomes.txt`: pairs of lines, the operations and the end that begins with `=`.
    package static func entries(in text: String) throws(SmallFixtureFault) -> [SmallReplay] {
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
package enum SmallFixtureFault: Error, Hashable, Sendable {
    /// The line, from 1, and what is wrong with it.
    case line(Int, String)
}

extension SmallFixtureFault: CustomStringConvertible {
    /// The line, and what is wrong with it.
    package var description: String {
        switch self {
        case .line(let number, let words): "line \(number): \(words)"
        }
    }
}

extension SmallOperation {
    /// Reads operations that are separated by semicolons; the line is for the fault.
    package static func list(_ text: some StringProtocol, line: Int = 1) throws(SmallFixtureFault) -> [SmallOperation] {
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
