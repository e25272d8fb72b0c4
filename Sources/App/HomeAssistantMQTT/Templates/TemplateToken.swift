import Text

/// One token of the expression in a template.
enum TemplateToken: Hashable {
    case number(Double)
    case string(String)
    case name(String)
    /// An operator or a bracket, such as `.`, `(`, `|`, `==`.
    case sign(String)

    /// The most tokens of one template.
    static let countMax = 512

    private static let doubleSigns = ["==", "!=", "<=", ">=", "**", "//"]

    /// The tokens of an expression.
    static func tokens(of text: Substring) throws(ValueTemplate.Refusal) -> [TemplateToken] {
        var tokens: [TemplateToken] = []
        var rest = text
        while let character = rest.first {
            guard tokens.count < countMax else { throw ValueTemplate.Refusal(reason: "it is too long") }
            switch character {
            case _ where character.isWhitespace:
                rest = rest.dropFirst()
            case "'", "\"":
                tokens.append(.string(try string(&rest, quote: character)))
            case _ where character.isASCII && character.isNumber:
                tokens.append(try number(&rest))
            case _ where character == "_" || character.isLetter:
                let name = rest.prefix { $0 == "_" || $0.isLetter || $0.isNumber }
                rest = rest.dropFirst(name.count)
                tokens.append(.name(String(name)))
            case _ where doubleSigns.contains(String(rest.prefix(2))):
                let sign = String(rest.prefix(2))
                if sign == "**" || sign == "//" { throw ValueTemplate.Refusal(reason: "it uses \(sign)") }
                rest = rest.dropFirst(2)
                tokens.append(.sign(sign))
            case _ where ".[]()|,=+-*/<>~:".contains(character):
                rest = rest.dropFirst()
                tokens.append(.sign(String(character)))
            default:
                throw ValueTemplate.Refusal(reason: "it uses \(Excerpt(String(character)))")
            }
        }
        return tokens
    }

    private static func string(_ rest: inout Substring, quote: Character) throws(ValueTemplate.Refusal) -> String {
        rest = rest.dropFirst()
        let text = rest.prefix { $0 != quote }
        guard text.endIndex < rest.endIndex else { throw ValueTemplate.Refusal(reason: "a string does not end") }
        guard !text.contains("\\") else { throw ValueTemplate.Refusal(reason: "a string has a backslash") }
        rest = rest[rest.index(after: text.endIndex)...]
        return String(text)
    }

    private static func number(_ rest: inout Substring) throws(ValueTemplate.Refusal) -> TemplateToken {
        let isDigit: (Character) -> Bool = { $0.isASCII && $0.isNumber }
        var length = rest.prefix(while: isDigit).count
        let afterWhole = rest.dropFirst(length)
        if afterWhole.first == ".", afterWhole.dropFirst().first.map(isDigit) == true {
            length += 1 + afterWhole.dropFirst().prefix(while: isDigit).count
        }
        let text = rest.prefix(length)
        rest = rest.dropFirst(length)
        guard let number = Double(String(text)), number.isFinite else {
            throw ValueTemplate.Refusal(reason: "\(text.shortened) is not a number")
        }
        return .number(number)
    }
}
