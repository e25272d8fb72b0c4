/// A word of a mapping that matches many numbers: `>0`, `>=10.5`, `<0`, `<=100`.
package struct NumberComparison: Equatable {
    /// The signs, the longer ones first.
    package static let signs = [">=", "<=", ">", "<"]

    /// The sign; one of ``signs``.
    package let sign: String
    /// The number as written.
    package let number: String
    private let bound: Double

    /// Nil for a word that is not a comparison.
    package init?(_ word: some StringProtocol) {
        guard let sign = Self.signs.first(where: word.hasPrefix) else { return nil }
        let number = String(word.dropFirst(sign.count))
        guard NumberGrammar.isDecimalNumber(number), let bound = Double(number), bound.isFinite else { return nil }
        self.sign = sign
        self.number = number
        self.bound = bound
    }

    /// Whether the number in a text satisfies it, with a unit after the number or not; nil for another text.
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

/// Compares a scalar of a payload with a word of a mapping.
package enum MappingWord {
    /// The form for comparing words: without case and surrounding blanks.
    package static func folded(_ word: some StringProtocol) -> String { word.trimmedOfBlanks.lowercased() }

    /// A value as a word; nil for lists and objects.
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

    /// Whether a word is in a list; numbers are compared by value: `1` equals `1.0`.
    package static func isAny(_ word: String, of words: [String]) -> Bool {
        let folded = folded(word)
        let number = number(folded)
        return words.contains { candidate in
            let candidate = Self.folded(candidate)
            if let comparison = NumberComparison(candidate) { return comparison.holds(for: folded) ?? false }
            return candidate == folded || number != nil && Self.number(candidate) == number
        }
    }

    /// Whether devices and bridges write this text if there is no value; also a text of blanks.
    package static func isNoValue(_ text: some StringProtocol) -> Bool {
        noValueWords.contains(folded(text))
    }

    private static let noValueWords: Set<String> = [
        "", "none", "null", "nil", "unavailable", "not available", "unknown", "undefined", "undef",
        "uninitialized", "no value", "novalue", "no data", "nodata", "n/a", "na", "n.a.", "-", "--", "---", "–", "—",
        "?", "???",
    ]

    private static func number(_ text: String) -> Double? {
        NumberGrammar.isDecimalNumber(text) ? Double(text) : nil
    }
}
