/// A text of `Tests/Mutants`: planted faults, each with the places in the sources that it changes.
struct MutantText {
    /// A fault, or a hook.
    struct Entry {
        var name: String
        /// What the fault is, in one sentence.
        var sentence = ""
        /// Which tests catch it, as a regular expression; nil where the matrix says it.
        var tests: String?
        var places: [Place] = []
        /// The line of its name, counted from 1.
        var line: Int
    }

    /// Some whole lines of a file, and those that the copy has in place of them.
    struct Place {
        var file: String
        var old: [Substring] = []
        var new: [Substring] = []
        /// The line of the file's name, counted from 1.
        var line: Int
    }

    /// The path relative to the repository.
    let path: String
    private(set) var entries: [Entry] = []
    /// Lines that belong to nothing.
    private(set) var strayLines: [Int] = []

    /// Reads a text: `== name`, a sentence, perhaps `tests: ` with their names, then for each place `@@ file`, lines with
    /// `-` and lines with `+`.
    init(path: String, text: String) {
        self.path = path
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            read(line, number: index + 1)
        }
    }

    private mutating func read(_ line: Substring, number: Int) {
        if line.isEmpty || line.hasPrefix("#") { return }
        if line.hasPrefix("== ") { return entries.append(Entry(name: String(line.dropFirst(3)), line: number)) }
        guard let entry = entries.indices.last else { return strayLines.append(number) }
        if line.hasPrefix("@@ ") {
            return entries[entry].places.append(Place(file: String(line.dropFirst(3)), line: number))
        }
        guard let place = entries[entry].places.indices.last else {
            if line.hasPrefix("tests: "), entries[entry].tests == nil {
                entries[entry].tests = String(line.dropFirst(7))
                return
            }
            guard entries[entry].sentence.isEmpty else { return strayLines.append(number) }
            entries[entry].sentence = String(line)
            return
        }
        if line.hasPrefix("-"), entries[entry].places[place].new.isEmpty {
            entries[entry].places[place].old.append(line.dropFirst())
        } else if line.hasPrefix("+") {
            entries[entry].places[place].new.append(line.dropFirst())
        } else {
            strayLines.append(number)
        }
    }
}
