/// The words of one line of a scenario, read from the left.
package struct ScenarioTokens {
    /// A word, or a text in quotation marks.
    enum Word: Hashable {
        case plain(String)
        case quoted(String)

        var text: String {
            switch self {
            case .plain(let text), .quoted(let text): text
            }
        }
    }

    let file: String
    let line: Int
    private var words: ArraySlice<Word>

    /// Cuts a line into words; `,`, `:`, `(`, `)`, `=` and `%` are words, and `#` begins a comment.
    package init(_ text: Substring, file: String, line: Int) throws(ScenarioError) {
        self.file = file
        self.line = line
        var words: [Word] = []
        var rest = text[...]
        while let first = rest.first, first != "#" {
            switch first {
            case _ where first.isWhitespace: rest.removeFirst()
            case "\"":
                guard let (quoted, after) = Self.quoted(rest.dropFirst()) else {
                    throw ScenarioError(
                        file: file, line: line, word: String(rest), expected: "a quotation mark at the end of the text")
                }
                words.append(.quoted(quoted))
                rest = after
            case _ where Self.marks.contains(first):
                words.append(.plain(String(first)))
                rest.removeFirst()
            default:
                let word = rest.prefix { !$0.isWhitespace && !Self.marks.contains($0) && $0 != "\"" && $0 != "#" }
                words.append(.plain(String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        self.words = words[...]
    }

    private static let marks: Set<Character> = [",", ":", "(", ")", "=", "%"]

    /// The text up to the next quotation mark; a backslash takes the next character as it is.
    private static func quoted(_ text: Substring) -> (String, Substring)? {
        var quoted = ""
        var rest = text
        while let first = rest.popFirst() {
            if first == "\"" { return (quoted, rest) }
            if first == "\\" {
                guard let next = rest.popFirst() else { return nil }
                quoted.append(next)
            } else {
                quoted.append(first)
            }
        }
        return nil
    }

    package var isEmpty: Bool { words.isEmpty }

    /// The next plain word, nil at the end or before a text.
    package var next: String? {
        guard case .plain(let text) = words.first else { return nil }
        return text
    }

    /// The line does not continue as it must.
    package func unfit(_ expected: String) -> ScenarioError {
        ScenarioError(file: file, line: line, word: words.first?.text, expected: expected)
    }

    /// Reads these words if they come next.
    package mutating func take(_ phrase: String) -> Bool {
        let wanted = phrase.split(separator: " ").map { Word.plain(String($0)) }
        guard words.starts(with: wanted) else { return false }
        words = words.dropFirst(wanted.count)
        return true
    }

    /// Reads these words, which must come next.
    package mutating func need(_ phrase: String) throws(ScenarioError) {
        for word in phrase.split(separator: " ") {
            guard take(String(word)) else { throw unfit("\"\(word)\"") }
        }
    }

    /// Reads a word that must fit.
    mutating func word(_ expected: String, _ isFit: (String) -> Bool = { _ in true }) throws(ScenarioError) -> String {
        guard let next, isFit(next) else { throw unfit(expected) }
        words = words.dropFirst()
        return next
    }

    /// Reads a word that must have a meaning.
    package mutating func read<Value>(_ expected: String, _ read: (String) -> Value?) throws(ScenarioError) -> Value {
        guard let next, let value = read(next) else { throw unfit(expected) }
        words = words.dropFirst()
        return value
    }

    /// Reads a text in quotation marks.
    package mutating func quoted() throws(ScenarioError) -> String {
        guard case .quoted(let text) = words.first else { throw unfit("a text in quotation marks") }
        words = words.dropFirst()
        return text
    }

    /// Reads a text, or `nothing`.
    mutating func quotedOrNothing() throws(ScenarioError) -> String? {
        take("nothing") ? nil : try quoted()
    }

    /// Reads texts with commas between them, or `nothing`.
    mutating func list() throws(ScenarioError) -> [String] {
        if take("nothing") { return [] }
        var texts = [try quoted()]
        while take(",") { texts.append(try quoted()) }
        return texts
    }

    /// The line must end here.
    package func end() throws(ScenarioError) {
        guard words.isEmpty else { throw unfit("the end of the line") }
    }
}
