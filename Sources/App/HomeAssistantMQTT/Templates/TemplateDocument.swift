import Text

/// The parts of a template: expressions in `{{ }}`, statements in `{% %}`, and text around them.
struct TemplateDocument {
    private typealias Refusal = ValueTemplate.Refusal

    private enum Part {
        case text(String)
        case expression(Substring)
        case statement(Substring)
    }

    /// The most parts of one template.
    private static let partCountMax = 64

    private var parts: [Part] = []
    private var position = 0
    private var depth = 0

    /// Cuts a template into its parts.
    init(_ template: Substring) throws(ValueTemplate.Refusal) {
        var rest = template
        while !rest.isEmpty {
            guard parts.count < Self.partCountMax else { throw Refusal(reason: "it is too long") }
            let start = Self.opening(in: rest) ?? rest.endIndex
            let text = rest[..<start].trimmedOfBlanks
            if !text.isEmpty { parts.append(.text(String(text))) }
            guard start < rest.endIndex else { return }
            let kind = rest[rest.index(after: start)]
            let end = kind == "{" ? "}}" : "\(kind)}"
            rest = rest[rest.index(start, offsetBy: 2)...]
            guard let close = Self.position(of: end, in: rest) else { throw Refusal(reason: "it does not end") }
            var inner = rest[..<close]
            rest = rest[close...].dropFirst(2)
            // "{{-" and "-}}" trim the text around. A minus sign of a number has no blank after it.
            if inner.hasPrefix("- ") || inner.hasPrefix("+ ") { inner = inner.dropFirst() }
            if inner.hasSuffix("-") || inner.hasSuffix("+") { inner = inner.dropLast() }
            switch kind {
            case "{": parts.append(.expression(inner))
            case "%": parts.append(.statement(inner.hasPrefix("-") ? inner.dropFirst() : inner))
            default: break
            }
        }
    }

    /// The meaning of the whole template.
    mutating func term() throws(ValueTemplate.Refusal) -> TemplateTerm {
        var variables: [String: TemplateTerm] = [:]
        let term = try block(&variables)
        guard position == parts.count else { throw Refusal(reason: "its statements do not fit together") }
        return term
    }

    /// The meaning of the parts up to a statement that ends them.
    private mutating func block(_ variables: inout [String: TemplateTerm]) throws(ValueTemplate.Refusal) -> TemplateTerm
    {
        depth += 1
        defer { depth -= 1 }
        guard depth <= 16 else { throw Refusal(reason: "it is nested too deep") }
        var result: TemplateTerm?
        while position < parts.count {
            let found: TemplateTerm
            switch parts[position] {
            case .text(let text):
                position += 1
                found = MappingWord.isNoValue(text) ? .nothing : .text(text)
            case .expression(let text):
                position += 1
                var parser = TemplateParser(try TemplateToken.tokens(of: text), variables: variables)
                found = try parser.term()
            case .statement(let text):
                let words = text.trimmedOfBlanks
                let name = words.prefix { $0.isLetter }
                let rest = words.dropFirst(name.count)
                switch name {
                case "set":
                    position += 1
                    try set(rest, &variables)
                    continue
                case "if":
                    position += 1
                    found = try choice(rest, variables)
                case "elif", "else", "endif": return result ?? .nothing
                default: throw Refusal(reason: "it has statements (\(String(name).shortened))")
                }
            }
            guard result == nil else {
                throw Refusal(reason: "it is more than one expression, not one expression in {{ }}")
            }
            result = found
        }
        return result ?? .nothing
    }

    private mutating func choice(
        _ condition: Substring, _ variables: [String: TemplateTerm]
    ) throws(ValueTemplate.Refusal) -> TemplateTerm {
        var parser = TemplateParser(try TemplateToken.tokens(of: condition), variables: variables)
        let test = try parser.test()
        var own = variables
        let first = try block(&own)
        guard position < parts.count, case .statement(let text) = parts[position] else {
            throw Refusal(reason: "it ends too early")
        }
        position += 1
        let words = text.trimmedOfBlanks
        if words.hasPrefix("elif") { return .choice(test, first, try choice(words.dropFirst(4), variables)) }
        guard words.hasPrefix("else") else { return .choice(test, first, .nothing) }
        own = variables
        let second = try block(&own)
        guard position < parts.count, case .statement(let end) = parts[position], end.trimmedOfBlanks == "endif" else {
            throw Refusal(reason: "it ends too early")
        }
        position += 1
        return .choice(test, first, second)
    }

    private func set(
        _ text: Substring, _ variables: inout [String: TemplateTerm]
    ) throws(ValueTemplate.Refusal) {
        let tokens = try TemplateToken.tokens(of: text)
        guard tokens.count > 2, case .name(let name) = tokens[0], tokens[1] == .sign("=") else {
            throw Refusal(reason: "it has statements (set)")
        }
        var parser = TemplateParser(Array(tokens.dropFirst(2)), variables: variables)
        variables[name] = try parser.term()
    }

    private static func opening(in text: Substring) -> Substring.Index? {
        text.indices.first { index in
            guard text[index] == "{", text.index(after: index) < text.endIndex else { return false }
            return "{%#".contains(text[text.index(after: index)])
        }
    }

    /// The first place of two signs outside quotation marks.
    private static func position(of end: String, in text: Substring) -> Substring.Index? {
        var quote: Character?
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if text[index...].hasPrefix(end) {
                return index
            } else if character == "'" || character == "\"" {
                quote = character
            }
        }
        return nil
    }
}
