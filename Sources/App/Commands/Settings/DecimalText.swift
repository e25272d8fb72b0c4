import ArgumentParser

/// Numbers as people type them: digits with a decimal point or a decimal comma, without the notations of programming
/// languages.
package enum DecimalText {
    /// Reads a text; nil unless it is a decimal number: `0x7`, `1e1`, `nan`, `inf` and `1,000` are not.
    ///
    /// A comma before three digits is no decimal comma, as it may stand for thousands, unless a zero is before it.
    package static func number(_ text: some StringProtocol) -> Double? {
        let digits = text.first.map { "+-".contains($0) } == true ? text.dropFirst() : text[...]
        let separators = digits.filter { $0 == "." || $0 == "," }
        let parts = digits.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        let areDigits = parts.allSatisfy { $0.allSatisfy { $0.isASCII && $0.isNumber } }
        guard separators.count <= 1, areDigits, parts.contains(where: { !$0.isEmpty }), !mayBeThousands(digits),
            let number = Double(String(text).replacing(",", with: ".")), number.isFinite
        else { return nil }
        return number
    }

    /// Reads the value of a flag.
    ///
    /// - Throws: `ValidationError` with the expected form.
    package static func flag(_ text: String) throws -> Double {
        guard let number = number(text) else { throw ValidationError(advice(for: text)) }
        return number
    }

    /// What is expected in place of a text.
    private static func advice(for text: String) -> String {
        guard mayBeThousands(text) else { return "expected a number in digits, such as 7.2" }
        return "write \(text.replacing(",", with: ".")) or \(text.replacing(",", with: "")), whichever you mean"
    }

    private static func mayBeThousands(_ text: some StringProtocol) -> Bool {
        String(text).wholeMatch(of: /[+-]?[1-9][0-9]{0,2},[0-9]{3}/) != nil
    }
}
