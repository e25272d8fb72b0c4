/// Characters that nobody sees and that steer what shows them: control characters, such as ESC, with which a text could
/// move the cursor of a terminal, and those that turn the direction of writing, such as U+202E, with which a name could
/// read as another one.
public enum ControlCharacter {
    /// The first such character of a text, or nil.
    public static func find(in text: String) -> Unicode.Scalar? { text.unicodeScalars.first(where: steers) }

    /// The text with U+FFFD in place of each of them, for what was stored before they were refused, and for what others
    /// sent.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - kept: Those that may stay.
    /// - Returns: The text, without those.
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
    /// The code point as the standard writes it, such as `U+202E`.
    package var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
