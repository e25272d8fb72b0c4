/// A value of a quantity as text: `7.2`, `7,2`, `24.5 °C`.
enum NumberText: Equatable {
    case number(Double)
    /// The text says that there is no number, or the number is beyond what a double holds.
    case nonFinite
    /// The text may be a decimal number or one with a separator of thousands, as `1,024`.
    case ambiguous
    /// The text is a number with a unit that this quantity is not measured in here.
    case foreignUnit(String)
    case notANumber

    init(_ text: some StringProtocol, of quantity: Quantity) {
        let text = text.trimmedOfBlanks
        let number = text.prefix { $0.isASCII && ($0.isNumber || "+-.,eE".contains($0)) }
        // The "e" of a unit would be taken for an exponent; no unit of a pool starts with it.
        let unit = text.dropFirst(number.count).trimmedOfBlanks
        if NumberGrammar.isNonFinite(text.drop { $0 == "-" || $0 == "+" }) {
            self = .nonFinite
        } else if number.isEmpty {
            self = .notANumber
        } else if let plain = Self.plain(number) {
            self = Self.isUnit(unit, of: quantity) ? plain : .foreignUnit(String(unit))
        } else {
            self = .notANumber
        }
    }

    private static func plain(_ text: Substring) -> NumberText? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { return nil }
        guard parts.count == 2 else { return NumberGrammar.isDecimalNumber(text) ? Self.number(from: text) : nil }
        let whole = parts[0].drop { $0 == "-" || $0 == "+" }
        let isDecimal = [whole, parts[1]].allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy(NumberGrammar.isDigit) }
        guard isDecimal, NumberGrammar.isDecimalNumber(parts[0]) else { return nil }
        // Three digits after the comma may be thousands, except after a zero, with which no thousands begin.
        if parts[1].count == 3, whole != "0" { return .ambiguous }
        return Self.number(from: "\(parts[0]).\(parts[1])")
    }

    private static func number(from text: some StringProtocol) -> NumberText {
        guard let number = Double(text), number.isFinite else { return .nonFinite }
        return .number(number)
    }

    private static func isUnit(_ unit: Substring, of quantity: Quantity) -> Bool {
        if unit.isEmpty { return true }
        let names: [String] =
            switch quantity {
            case .temperature: ["°c", "℃", "c", "celsius"]
            case .ph: ["ph"]
            case .chlorine: ["mg/l", "ppm"]
            case .orp: ["mv"]
            }
        return names.contains(unit.lowercased())
    }
}

extension StringProtocol {
    /// The text without blanks, tabs and line ends around it.
    var trimmedOfBlanks: Substring {
        let isBlank: (Character) -> Bool = { $0.isWhitespace }
        let start = firstIndex { !isBlank($0) } ?? endIndex
        let end = lastIndex { !isBlank($0) }.map(index(after:)) ?? start
        return Substring(self)[start..<end]
    }
}
