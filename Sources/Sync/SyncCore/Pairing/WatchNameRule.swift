/// The rule for the names of watches, which foreign watches and hubs send and people read: no control character, with
/// which a name could move the cursor of a terminal, and none that turns the direction of writing.
enum WatchNameRule {
    /// The first character of a name that the rule does not allow, such as `U+202E`; nil if there is none.
    static func flaw(of name: String) -> String? {
        name.unicodeScalars.first(where: steers).map { scalar in
            let digits = String(scalar.value, radix: 16, uppercase: true)
            return "U+" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
        }
    }

    /// The name with U+FFFD in place of such characters.
    static func harmless(_ name: String) -> String {
        String(String.UnicodeScalarView(name.unicodeScalars.map { steers($0) ? "\u{FFFD}" : $0 }))
    }

    private static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: scalar.properties.isBidiControl
        }
    }
}
