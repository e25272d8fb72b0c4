/// Invisible characters that change how a text is displayed.
///
/// They are control characters, such as ESC, which can move the cursor of a terminal, and characters that change the
/// writing direction, such as U+202E, which can make a name look like another one.
public enum ControlCharacter {
    /// The first such character of a text, or nil.
    public static func find(in text: String) -> Unicode.Scalar? { text.unicodeScalars.first(where: steers) }

    /// The text with U+FFFD in place of each of them; for texts from others, and for texts that were stored before
    /// these characters were refused.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - kept: The characters that may stay.
    /// - Returns: The text without those characters.
    public static func replaced(in text: String, except kept: Set<Unicode.Scalar> = []) -> String {
        guard text.unicodeScalars.contains(where: { steers($0) && !kept.contains($0) }) else { return text }
        let scalars = text.unicodeScalars.map { steers($0) && !kept.contains($0) ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        if (0x20...0x7E).contains(scalar.value) { return false }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}

extension Unicode.Scalar {
    /// The code point in the notation of the standard, such as `U+202E`.
    package var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
