/// A Markdown page as the rules see it: prose without the code that it shows.
struct Markdown {
    /// The path relative to the repository.
    let path: String
    /// The lines; those inside a fenced block are empty, and so is the text between backticks.
    let lines: [String]

    init(path: String, text: String) {
        self.path = path
        var fence: String?
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let trimmed = line.drop { $0 == " " }
            if let open = fence {
                if trimmed.hasPrefix(open) { fence = nil }
                return ""
            }
            if let mark = ["```", "~~~"].first(where: trimmed.hasPrefix) {
                fence = mark
                return ""
            }
            return Self.withoutCode(String(line))
        }
    }

    /// The anchors of the headings, as the renderers of the forges make them.
    ///
    /// Code keeps its letters in an anchor, so the headings are read from the text as written.
    static func anchors(in text: String) -> Set<String> {
        var seen: [String: Int] = [:]
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("#") }
        return Set(
            headings.map { heading in
                let title = heading.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
                let kept = title.filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
                let anchor = kept.replacing(" ", with: "-")
                let count = seen[anchor, default: 0]
                seen[anchor] = count + 1
                return count == 0 ? anchor : "\(anchor)-\(count)"
            })
    }

    /// The targets of inline links, images, reference definitions and HTML, each with its line, counted from 1.
    var links: [(target: String, line: Int)] {
        lines.enumerated().flatMap { index, line in
            let inline = matches(of: "\\]\\([^)\\s]+", in: line).map { String($0.text.dropFirst(2)) }
            let definitions = matches(of: "^\\[[^\\]]+\\]:\\s*\\S+", in: line).map {
                String($0.text.drop { $0 != ":" }.dropFirst().drop { $0 == " " })
            }
            let markup = matches(of: "\\b(src|href)=\"[^\"]+", in: line).map {
                String($0.text.drop { $0 != "\"" }.dropFirst())
            }
            return (inline + definitions + markup).map { ($0, index + 1) }
        }
    }

    private static func withoutCode(_ line: String) -> String {
        let pieces = line.split(separator: "`", omittingEmptySubsequences: false)
        return pieces.enumerated().map { $0.isMultiple(of: 2) ? String($1) : "" }.joined(separator: "`")
    }
}
