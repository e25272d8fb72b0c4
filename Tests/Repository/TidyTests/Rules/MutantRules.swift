/// Entries of `Tests/Mutants` that `.ci/mutants` could not plant, or that would be planted twice.
///
/// - Parameters:
///   - texts: The texts with the entries.
///   - sources: The text of each file that an entry may change, by its path.
/// - Returns: The violations, in the order of the texts.
func mutantViolations(in texts: [MutantText], sources: [String: String]) -> [Violation] {
    var found: [Violation] = []
    var names: Set<String> = []
    /// The lines of each file that some entry replaces.
    var taken: [String: Set<Int>] = [:]
    for text in texts {
        func complain(_ line: Int, _ message: String) {
            found.append(Violation(path: text.path, line: line, message: message))
        }
        for line in text.strayLines { complain(line, "the line belongs to no name, sentence or place") }
        for entry in text.entries {
            if !names.insert(entry.name).inserted { complain(entry.line, "there are two entries \(entry.name)") }
            if entry.sentence.isEmpty { complain(entry.line, "say in one sentence what \(entry.name) is") }
            if entry.places.isEmpty { complain(entry.line, "\(entry.name) changes nothing") }
            for place in entry.places {
                let places = places(of: place.old, in: sources[place.file] ?? "")
                guard places.count == 1, let lines = places.first else {
                    complain(place.line, "its text stands \(places.count) times in \(place.file), not once")
                    continue
                }
                if !taken[place.file, default: []].isDisjoint(with: lines) {
                    complain(place.line, "another entry replaces the same lines of \(place.file)")
                }
                taken[place.file, default: []].formUnion(lines)
            }
        }
    }
    return found
}

/// Where whole lines stand in a text.
private func places(of wanted: [Substring], in text: String) -> [Range<Int>] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard !wanted.isEmpty, wanted.count <= lines.count else { return [] }
    return (0...(lines.count - wanted.count)).map { $0..<($0 + wanted.count) }.filter { Array(lines[$0]) == wanted }
}

/// Shipped sources that speak of mutants, or name one.
func plantedFaultViolations(path: String, text: String, names: Set<String>) -> [Violation] {
    matches(of: "\\b(\(names.sorted().joined(separator: "|")))\\b|[Mm]utant", in: text).map {
        Violation(path: path, line: $0.line, message: "`\($0.text)`: planted faults stand in Tests/Mutants")
    }
}
