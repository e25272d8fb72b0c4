/// A scalar of a payload as a word of a mapping.
enum MappingWord {
    /// The form in which words are compared: without case and blanks around them.
    static func folded(_ word: some StringProtocol) -> String { word.trimmedOfBlanks.lowercased() }

    /// The word that a value is; nil for lists and objects.
    static func word(of value: JSONValue) -> String? {
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
    static func isAny(_ word: String, of words: [String]) -> Bool {
        let folded = folded(word)
        let number = number(folded)
        return words.contains { candidate in
            let candidate = Self.folded(candidate)
            return candidate == folded || number != nil && Self.number(candidate) == number
        }
    }

    /// Whether a text is what devices write where there is no value.
    static func isNoValue(_ text: some StringProtocol) -> Bool {
        ["none", "null", "unavailable", "unknown", "undefined", "n/a", "na", "-", "--", "---"].contains(folded(text))
    }

    private static func number(_ text: String) -> Double? {
        NumberGrammar.isDecimalNumber(text) ? Double(text) : nil
    }
}
