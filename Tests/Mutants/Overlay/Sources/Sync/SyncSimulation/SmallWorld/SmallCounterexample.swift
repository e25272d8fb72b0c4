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
    package static func entries(in text: String) throws(SmallFixtureError) -> [SmallCounterexample] {
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
    ) throws(SmallFixtureError) -> SmallCounterexample {
        guard words.count == 3, let mutant = SmallMutant(rawValue: String(words[0])),
            let rule = Violation.Rule(rawValue: String(words[1])), words[2] == "-" || UInt64(words[2]) != nil
        else { throw .line(start + 1, "expected a mutant, a promise and a seed") }
        return SmallCounterexample(
            mutant: mutant, rule: rule, seed: UInt64(words[2]), sentence: sentence,
            operations: try SmallOperation.list(operations, line: line + 1))
    }
}
