/// A number as text, with or without a unit: `7.2`, `7,2`, `24.5 °C`.
package enum UnitNumberText: Equatable {
    /// A finite number, and the text after it, without surrounding blanks.
    case number(Double, unit: String)
    /// The text means that there is no number, or the number exceeds the range of a double.
    case nonFinite
    /// The text can be a decimal number or one with a thousands separator, as `1,024`.
    case ambiguous
    case notANumber

    package init(_ text: some StringProtocol) {
        let text = text.trimmedOfBlanks
        let number = text.prefix { $0.isASCII && ($0.isNumber || "+-.,eE".contains($0)) }
        // The "e" of a unit would look like an exponent, but no usual unit starts with it.
        let unit = text.dropFirst(number.count).trimmedOfBlanks
        if NumberGrammar.isNonFinite(text.drop { $0 == "-" || $0 == "+" }) {
            self = .nonFinite
        } else if !number.isEmpty, let plain = Self.plain(number, unit: String(unit)) {
            self = plain
        } else {
            self = .notANumber
        }
    }

    private static func plain(_ text: Substring, unit: String) -> UnitNumberText? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        guard parts.count == 2 else {
            return NumberGrammar.isDecimalNumber(text) ? Self.number(from: text, unit: unit) : nil
        }
        let whole = parts[0].drop { $0 == "-" || $0 == "+" }
        let isDecimal = [whole, parts[1]].allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(NumberGrammar.isDigit) }
        guard isDecimal, NumberGrammar.isDecimalNumber(parts[0]) else { return nil }
        // Three digits after the comma may be thousands, except after a zero, because no thousands begin with zero.
        if parts[1].count == 3, whole != "0" { return .ambiguous }
        return Self.number(from: "\(parts[0]).\(parts[1])", unit: unit)
    }

    private static func number(from text: some StringProtocol, unit: String) -> UnitNumberText {
        guard let number = Double(text), number.isFinite else { return .nonFinite }
        return .number(number, unit: unit)
    }
}

extension StringProtocol {
    /// The text without blanks, tabs and line ends around it.
    package var trimmedOfBlanks: Substring {
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map(index(after:)) ?? start
        return Substring(self)[start..<end]
    }
}
