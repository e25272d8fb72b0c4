/// The limits that keep one idea to a file and one thought to a function.
enum SizeLimit {
    static let linesOfFunction = 70
    static let linesOfFile = 600
}

/// Files longer than a reader keeps in mind.
func fileSizeViolations(in source: SwiftSource, limit: Int = SizeLimit.linesOfFile) -> [Violation] {
    guard source.lineCount > limit else { return [] }
    return [
        Violation(
            path: source.path, line: limit + 1,
            message: "\(source.lineCount) lines, the limit is \(limit): split it by ideas")
    ]
}

/// Functions, initializers, subscripts and computed properties that do not fit a screen.
func functionSizeViolations(in source: SwiftSource, limit: Int = SizeLimit.linesOfFunction) -> [Violation] {
    source.bodies.compactMap { body in
        let count = source.tokens[body.end].line - source.tokens[body.start].line + 1
        guard count > limit else { return nil }
        return source.violation(at: body.start, "`\(body.name)` has \(count) lines, the limit is \(limit)")
    }
}

extension SwiftSource {
    /// One declaration with a body: from its keyword to the brace that closes it, as token indices.
    struct Body: Equatable {
        var name: String
        var start: Int
        var end: Int
    }

    /// Every declaration that has a body of code, nested ones too.
    var bodies: [Body] {
        let keywords = ["func", "init", "deinit", "subscript", "var"]
        return keywords.flatMap { places(of: $0) }.sorted().compactMap { place in
            guard isDeclaration(at: place), let open = openingBrace(after: place),
                let end = closingBrace(of: open)
            else { return nil }
            let isNamed = tokens[place].text == "func" || tokens[place].text == "var"
            return Body(name: isNamed ? text(at: place + 1) : tokens[place].text, start: place, end: end)
        }
    }

    /// Whether this keyword declares something: `self.init(…)` and `.init(…)` only call.
    private func isDeclaration(at place: Int) -> Bool {
        let before = text(at: place - 1)
        return before != "." && before != "(" && before != ":"
    }

    /// The brace that opens the body of the declaration at this place; `nil` where there is none.
    private func openingBrace(after place: Int) -> Int? {
        let isProperty = tokens[place].text == "var"
        let endsSignature: Set = [
            "func", "init", "deinit", "subscript", "var", "let", "case", "static", "public", "package", "private",
            "internal", "mutating", "associatedtype", "typealias", "struct", "class", "enum", "protocol", "extension",
            "actor", "import", "}", ";",
        ]
        var depth = 0
        for index in tokens.indices.dropFirst(place + 1) {
            switch tokens[index].text {
            case "(", "[": depth += 1
            case ")", "]": depth -= 1
            case "{" where depth == 0: return index
            case "=" where isProperty && depth == 0: return nil
            case let text where depth == 0 && endsSignature.contains(text) && index > place + 1: return nil
            default: break
            }
            if depth < 0 { return nil }
        }
        return nil
    }

    private func closingBrace(of open: Int) -> Int? {
        var depth = 0
        for index in tokens.indices.dropFirst(open) {
            if tokens[index].text == "{" { depth += 1 }
            if tokens[index].text == "}" { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }
}
