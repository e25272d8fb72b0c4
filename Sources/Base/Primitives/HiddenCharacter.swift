/// The rule for the characters of names: each can be seen, so two names that look the same are the same.
///
/// A name may hold no ``ControlCharacter``, and nothing else that is not drawn: format characters such as U+200B and
/// U+00AD, tags, private use, ignorable and blank-looking characters, and blanks other than U+0020, U+00A0 and U+3000.
/// Where joiners and variation selectors change what is drawn, they may stay: between the parts of an emoji, behind an
/// emoji, behind a virama, and between letters of scripts such as Arabic.
public enum HiddenCharacter {
    /// The first character of a name that may not be in it, or nil.
    public static func find(in name: String) -> Unicode.Scalar? {
        let scalars = Array(name.unicodeScalars)
        return scalars.indices.first { isHidden(scalars, $0) }.map { scalars[$0] }
    }

    /// The name with U+FFFD in place of each of them; for names from others, and for names that were stored before these
    /// characters were refused.
    public static func replaced(in name: String) -> String {
        let scalars = Array(name.unicodeScalars)
        guard scalars.indices.contains(where: { isHidden(scalars, $0) }) else { return name }
        let shown = scalars.indices.map { isHidden(scalars, $0) ? "\u{FFFD}" : scalars[$0] }
        return String(String.UnicodeScalarView(shown))
    }

    /// Whether two names look the same: without regard to joiners, variation selectors, and the kind and number of blanks,
    /// and by the canonical equivalence of Unicode.
    public static func looksAlike(_ name: String, _ other: String) -> Bool { drawn(name) == drawn(other) }

    /// What of a name is drawn: equal for names that look the same.
    package static func drawn(_ name: String) -> String {
        let words = name.split(whereSeparator: \.isWhitespace).map { word in
            String(String.UnicodeScalarView(word.unicodeScalars.filter { !isJoiner($0) && !isSelector($0) }))
        }
        return words.joined(separator: " ")
    }

    private static func isHidden(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        let scalar = scalars[index]
        if (0x20...0x7E).contains(scalar.value) { return false }
        let before = index > 0 ? scalars[index - 1] : nil
        let after = index + 1 < scalars.count ? scalars[index + 1] : nil
        if isJoiner(scalar) { return !joins(scalar, before, after) }
        if isSelector(scalar) { return !(before.map { selects($0, after) } ?? false) }
        return switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .format, .privateUse, .surrogate: true
        case .spaceSeparator: !visibleBlanks.contains(scalar)
        default: scalar.properties.isDefaultIgnorableCodePoint || blanks.contains(scalar)
        }
    }

    /// The blanks that are as wide as a letter.
    private static let visibleBlanks: Set<Unicode.Scalar> = [" ", "\u{A0}", "\u{3000}"]
    /// Characters that count as symbols or letters and are drawn as nothing, or as what stands for something else.
    private static let blanks: Set<Unicode.Scalar> = [
        "\u{2800}", "\u{FFFC}", "\u{13441}", "\u{13442}", "\u{16FE4}", "\u{1D159}",
    ]

    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{200C}" || scalar == "\u{200D}" }

    private static func isSelector(_ scalar: Unicode.Scalar) -> Bool { scalar == "\u{FE0E}" || scalar == "\u{FE0F}" }

    /// Whether a joiner changes what is drawn between two characters.
    private static func joins(
        _ joiner: Unicode.Scalar, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?
    ) -> Bool {
        guard let before else { return false }
        // Behind a virama, which Indic scripts write between consonants.
        if before.properties.canonicalCombiningClass.rawValue == 9 { return true }
        guard let after else { return false }
        guard joiner == "\u{200D}" else { return isConnected(before) && isConnected(after) }
        return (isPictograph(before) || isSelector(before)) && isPictograph(after)
    }

    /// Whether it is a letter or a mark of Arabic and its relatives, whose letters are connected.
    private static func isConnected(_ scalar: Unicode.Scalar) -> Bool { (0x600...0x8FF).contains(scalar.value) }

    private static func isPictograph(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x7F && scalar.properties.isEmoji
    }

    /// Whether a variation selector changes how a character before it is drawn; digits are drawn as keys only with U+20E3.
    private static func selects(_ before: Unicode.Scalar, _ after: Unicode.Scalar?) -> Bool {
        isPictograph(before) || before.properties.isEmoji && after == "\u{20E3}"
    }
}
