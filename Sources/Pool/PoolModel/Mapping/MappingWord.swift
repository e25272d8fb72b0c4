/// A word of a mapping that stands for many numbers: `>0`, `>=10.5`, `<0`, `<=100`.
package struct NumberComparison: Equatable {
    /// The signs, the longer ones first.
    static let signs = [">=", "<=", ">", "<"]

    /// The sign.
    let sign: String
    /// The number as written.
    let number: String
    private let bound: Double

    /// Nil for a word that is no comparison.
    package init?(_ word: some StringProtocol) {
        guard let sign = Self.signs.first(where: word.hasPrefix) else { return nil }
        let number = String(word.dropFirst(sign.count))
        guard NumberGrammar.isDecimalNumber(number), let bound = Double(number), bound.isFinite else { return nil }
        self.sign = sign
        self.number = number
        self.bound = bound
    }

    /// Whether it holds for the number that a text is, with a unit behind it or not; nil for another text.
    package func holds(for text: some StringProtocol) -> Bool? {
        guard case .number(let value, _) = UnitNumberText(text) else { return nil }
        return switch sign {
        case ">=": value >= bound
        case "<=": value <= bound
        case ">": value > bound
        default: value < bound
        }
    }
}

/// A scalar of a payload as a word of a mapping.
package enum MappingWord {
    /// The form in which words are compared: without case and blanks around them.
    package static func folded(_ word: some StringProtocol) -> String { word.trimmedOfBlanks.lowercased() }

    /// The word that a value is; nil for lists and objects.
    package static func word(of value: JSONValue) -> String? {
        switch value {
        case .string(let text): String(text.trimmedOfBlanks)
        case .number(let text): text
        case .bool(let truth): truth ? "true" : "false"
        case .null: "null"
        case .nonFinite: "nan"
        case .array, .object: nil
        }
    }

    /// Whether a word is in a list, numbers by their value: `1` is `1.0`.
    package static func isAny(_ word: String, of words: [String]) -> Bool {
        let folded = folded(word)
        let number = number(folded)
        return words.contains { candidate in
            let candidate = Self.folded(candidate)
            if let comparison = NumberComparison(candidate) { return comparison.holds(for: folded) ?? false }
            return candidate == folded || number != nil && Self.number(candidate) == number
        }
    }

    /// Whether a text is what devices write where there is no value.
    package static func isNoValue(_ text: some StringProtocol) -> Bool {
        ["none", "null", "unavailable", "unknown", "undefined", "n/a", "na", "-", "--", "---"].contains(folded(text))
    }

    private static func number(_ text: String) -> Double? {
        NumberGrammar.isDecimalNumber(text) ? Double(text) : nil
    }
}
