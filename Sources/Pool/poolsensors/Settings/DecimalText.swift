import ArgumentParser

/// Numbers as people type them: digits with a decimal point, without the notations of programming languages.
enum DecimalText {
    /// Reads a text; nil unless it is a decimal number: `0x7`, `1e1`, `nan` and `inf` are not.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        let areDigits = parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard parts.count <= 2, areDigits, parts.contains(where: { !$0.isEmpty }), let number = Double(text),
            number.isFinite
        else { return nil }
        return number
    }

    /// Reads the value of a flag.
    ///
    /// - Throws: `ValidationError` with the expected form.
    static func flag(_ text: String) throws -> Double {
        guard let number = number(text) else {
            throw ValidationError("expected a number in digits, such as 7.2")
        }
        return number
    }
}
