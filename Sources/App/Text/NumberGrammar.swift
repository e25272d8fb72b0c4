/// The text forms of numbers.
package enum NumberGrammar {
    package static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    package static func isPartOfNumber(_ byte: UInt8) -> Bool { isDigit(byte) || "+-.eE".utf8.contains(byte) }

    /// The words for values that are not numbers, without their sign.
    package static func isNonFinite(_ word: some StringProtocol) -> Bool {
        ["nan", "inf", "infinity"].contains(word.lowercased())
    }

    /// Whether a text is a number by RFC 8259: no leading zeros or plus, and digits on both sides of a dot.
    package static func isJSONNumber(_ text: some StringProtocol) -> Bool {
        var rest = Substring(text).utf8
        if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        let whole = rest.prefix(while: isDigit)
        guard !whole.isEmpty, whole.count == 1 || whole.first != UInt8(ascii: "0") else { return false }
        return isFractionAndExponent(rest.dropFirst(whole.count))
    }

    /// Whether a text is a decimal number in the forms of people and C programs: also `+7.2`, `07.2`, `.5` and `7.`.
    package static func isDecimalNumber(_ text: some StringProtocol) -> Bool {
        var rest = Substring(text).utf8
        if let first = rest.first, "+-".utf8.contains(first) { rest = rest.dropFirst() }
        let whole = rest.prefix(while: isDigit)
        rest = rest.dropFirst(whole.count)
        guard rest.first == UInt8(ascii: ".") else { return !whole.isEmpty && isExponent(rest) }
        let fraction = rest.dropFirst().prefix(while: isDigit)
        return !(whole.isEmpty && fraction.isEmpty) && isExponent(rest.dropFirst(1 + fraction.count))
    }

    private static func isFractionAndExponent(_ text: Substring.UTF8View) -> Bool {
        guard text.first == UInt8(ascii: ".") else { return isExponent(text) }
        let fraction = text.dropFirst().prefix(while: isDigit)
        return !fraction.isEmpty && isExponent(text.dropFirst(1 + fraction.count))
    }

    /// Whether a text is an exponent or empty.
    private static func isExponent(_ text: Substring.UTF8View) -> Bool {
        guard let first = text.first else { return true }
        guard first | 0x20 == UInt8(ascii: "e") else { return false }
        var digits = text.dropFirst()
        if let sign = digits.first, "+-".utf8.contains(sign) { digits = digits.dropFirst() }
        return !digits.isEmpty && digits.allSatisfy(isDigit)
    }
}
