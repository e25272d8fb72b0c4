/// Errors of the sources that have no words of their own: printed, they show the names of types and cases.
///
/// A type is known by the last part of its name; of several that share it, each must say that it has words.
func wordlessErrorViolations(in sources: [SwiftSource]) -> [Violation] {
    var errors: [(name: String, violation: Violation)] = []
    var worded: [String: Int] = [:]
    for source in sources where source.path.hasPrefix("Sources/") {
        for declaration in source.declarations {
            if !Set(declaration.inherited).isDisjoint(with: ["CustomStringConvertible", "LocalizedError"]) {
                worded[declaration.name, default: 0] += 1
            }
            if declaration.inherited.contains("Error") {
                let violation = source.violation(
                    at: declaration.place,
                    "the error \(declaration.name) needs words: let it be CustomStringConvertible")
                errors.append((declaration.name, violation))
            }
        }
    }
    let counts = Dictionary(grouping: errors, by: \.name).mapValues(\.count)
    return errors.filter { worded[$0.name, default: 0] < counts[$0.name, default: 0] }.map(\.violation)
}

/// Texts that show the number of an error of the system or of a library: people are told its words.
func errorNumberViolations(in source: SwiftSource) -> [Violation] {
    guard source.path.hasPrefix("Sources/") else { return [] }
    return source.prose.filter { text in
        text.kind == .string && ["errno", "mosq_err_t"].contains { text.text.contains($0) }
    }.map {
        Violation(path: source.path, line: $0.line, message: "a text with the number of an error: say its words")
    }
}

extension SwiftSource {
    /// A type or an extension, and what it is said to be.
    struct Declaration {
        var name: String
        var inherited: [String]
        var place: Int
    }

    /// The types and extensions that are said to be something.
    var declarations: [Declaration] {
        tokens.indices.compactMap { index in
            guard ["enum", "struct", "class", "actor", "extension"].contains(text(at: index)),
                tokens.indices.contains(index + 1), tokens[index + 1].isWord, text(at: index + 1) != "func"
            else { return nil }
            var name = ""
            var inherited: [String] = []
            var isInherited = false
            for token in tokens[(index + 1)...] {
                switch token.text {
                case "{", "where": return Declaration(name: name, inherited: inherited, place: index)
                case ":": isInherited = true
                case ";", "}", "=", "(": return nil
                case _ where token.isWord && isInherited: inherited.append(token.text)
                case _ where token.isWord: name = token.text
                default: break
                }
            }
            return nil
        }
    }
}
