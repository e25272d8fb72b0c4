/// A value of the small part of YAML that workflow files need: maps and lists by indentation, lists in brackets, and
/// text without quotation marks.
///
/// Everything else is an error, such as a tab, a key that occurs twice, or a sign that gives text another meaning.
indirect enum YAML: Equatable {
    case text(String)
    case list([YAML])
    case map([String: YAML])

    /// What is wrong with a text.
    struct Problem: Error, Equatable, CustomStringConvertible {
        /// The line, counted from 1.
        var line: Int
        var words: String

        var description: String { "line \(line): \(words)" }
    }

    /// Reads a text.
    init(_ text: some StringProtocol) throws(Problem) {
        var reader = YAMLReader(lines: try YAMLReader.lines(of: String(text)))
        self = try reader.block(indentation: 0)
        if let rest = reader.next {
            throw Problem(line: rest.number, words: "`\(rest.text)` is indented more or less than what it belongs to")
        }
    }

    subscript(_ key: String) -> YAML? {
        guard case .map(let map) = self else { return nil }
        return map[key]
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var list: [YAML]? {
        guard case .list(let list) = self else { return nil }
        return list
    }

    var map: [String: YAML]? {
        guard case .map(let map) = self else { return nil }
        return map
    }
}

private struct YAMLReader {
    struct Line {
        var number: Int
        var indentation: Int
        var text: String
    }

    private var lines: ArraySlice<Line>

    init(lines: [Line]) {
        self.lines = lines[...]
    }

    var next: Line? { lines.first }

    static func lines(of text: String) throws(YAML.Problem) -> [Line] {
        var lines: [Line] = []
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !line.contains("\t") else { throw YAML.Problem(line: index + 1, words: "a tab; indent by spaces") }
            let content = line.drop { $0 == " " }
            guard !content.isEmpty, !content.hasPrefix("#") else { continue }
            lines.append(
                Line(number: index + 1, indentation: line.count - content.count, text: String(content)))
        }
        return lines
    }

    /// Reads the map or the list whose lines have this indentation.
    mutating func block(indentation: Int) throws(YAML.Problem) -> YAML {
        guard let first = next, first.indentation == indentation else {
            throw YAML.Problem(line: next?.number ?? 1, words: "a map or a list is missing here")
        }
        return try first.text.hasPrefix("- ") ? list(indentation) : map(indentation)
    }

    private mutating func list(_ indentation: Int) throws(YAML.Problem) -> YAML {
        var items: [YAML] = []
        while let line = next, line.indentation == indentation, line.text.hasPrefix("- ") {
            let item = String(line.text.dropFirst(2))
            if Self.entry(item) != nil {
                // The rest of the line is the first line of a map.
                lines[lines.startIndex] = Line(number: line.number, indentation: indentation + 2, text: item)
                items.append(try map(indentation + 2))
            } else {
                lines.removeFirst()
                items.append(try Self.scalar(item, line.number))
            }
        }
        return .list(items)
    }

    private mutating func map(_ indentation: Int) throws(YAML.Problem) -> YAML {
        var map: [String: YAML] = [:]
        while let line = next, line.indentation == indentation, !line.text.hasPrefix("- ") {
            guard let (key, value) = Self.entry(line.text) else {
                throw YAML.Problem(line: line.number, words: "`\(line.text)` is not `key: value`")
            }
            guard map[key] == nil else { throw YAML.Problem(line: line.number, words: "the key `\(key)` twice") }
            lines.removeFirst()
            map[key] =
                if value.isEmpty {
                    try block(indentation: try lowerIndentation(indentation, line))
                } else {
                    try Self.scalar(value, line.number)
                }
        }
        return .map(map)
    }

    /// The indentation of what belongs to the key in a line: a list may begin right below its key.
    private func lowerIndentation(_ indentation: Int, _ line: Line) throws(YAML.Problem) -> Int {
        guard let next, next.indentation > indentation || next.indentation == indentation && next.text.hasPrefix("- ")
        else { throw YAML.Problem(line: line.number, words: "`\(line.text)` has no value") }
        return next.indentation
    }

    /// The key and the rest of a line `key: value` or `key:`.
    private static func entry(_ text: String) -> (key: String, value: String)? {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        let (key, value) = (text[..<colon], text[text.index(after: colon)...])
        guard !key.isEmpty, key.allSatisfy({ $0.isLetter || $0.isNumber || "-_".contains($0) }) else { return nil }
        guard value.isEmpty || value.hasPrefix(" ") else { return nil }
        return (String(key), String(value.drop { $0 == " " }))
    }

    private static func scalar(_ text: String, _ line: Int) throws(YAML.Problem) -> YAML {
        if text.hasPrefix("[") {
            guard text.hasSuffix("]") else { throw YAML.Problem(line: line, words: "`\(text)` does not end with ]") }
            var items: [YAML] = []
            for item in text.dropFirst().dropLast().split(separator: ",") {
                items.append(try scalar(String(item.drop { $0 == " " }), line))
            }
            return .list(items)
        }
        let signs: Set<Character> = ["\"", "'", "{", "}", "]", "&", "*", "!", "|", ">", "%", "@", "`", ",", "#", "?"]
        guard let first = text.first, !signs.contains(first), !text.hasSuffix(" "), !text.hasSuffix(":"),
            !text.contains(": "), !text.contains(" #")
        else { throw YAML.Problem(line: line, words: "`\(text)` is not plain text") }
        return .text(text)
    }
}
