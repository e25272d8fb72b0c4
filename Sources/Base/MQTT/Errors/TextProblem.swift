internal import Primitives

/// Why MQTT cannot carry a text.
///
/// Source: MQTT 3.1.1 and 5.0, sections 1.5.3/1.5.4 (strings) and 4.7 (topic names and filters). The standards only
/// discourage control characters and noncharacters; libmosquitto refuses them, so this module refuses them too.
@nonexhaustive
public enum TextProblem: Hashable, Sendable {
    /// The text is empty.
    case empty
    /// The text is longer than 65535 bytes of UTF-8.
    case tooLong(byteCount: Int)
    /// The text contains U+0000, a control character or a noncharacter.
    case forbiddenCharacter(Unicode.Scalar)
    /// A topic name contains `+` or `#`, which only filters may.
    case wildcard(Unicode.Scalar)
    /// A wildcard of a filter shares its level with other characters.
    case wildcardNotAlone(Unicode.Scalar)
    /// Levels follow after `#`.
    case levelsAfterHash
}

extension TextProblem: CustomStringConvertible {
    /// The fault in words, and what to do about it.
    public var description: String {
        switch self {
        case .empty: "it is empty; it needs 1…65535 bytes"
        case .tooLong(let byteCount): "it has \(byteCount) bytes; at most 65535 are allowed"
        case .forbiddenCharacter(let scalar): "it holds the character \(scalar.codePoint); remove it"
        case .wildcard(let scalar): "it holds \(scalar), which only a topic filter may"
        case .wildcardNotAlone(let scalar): "\(scalar) must be alone in its level, as in a/\(scalar)"
        case .levelsAfterHash: "# must be the last level"
        }
    }
}

/// The checks of texts before they are put into a packet.
enum TextValidation {
    /// The most bytes of an MQTT string, whose length is a 16-bit number.
    static let maximumByteCount = 65_535

    /// The fault of a text that may be empty, or nil.
    static func fault(of text: String) -> TextProblem? {
        let byteCount = text.utf8.count
        guard byteCount <= maximumByteCount else { return .tooLong(byteCount: byteCount) }
        return text.unicodeScalars.first(where: isForbidden).map { .forbiddenCharacter($0) }
    }

    /// Whether libmosquitto refuses the character in any text.
    static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0000...0x001F, 0x007F...0x009F, 0xFDD0...0xFDEF: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }
}

extension String {
    /// The text as it appears in an error: in quotation marks, shortened if long, and safe for a terminal.
    ///
    /// At most 80 characters are shown, then the length; characters that MQTT forbids are shown as `\u{…}`.
    var asShown: String {
        let limit = 80
        let start = unicodeScalars.prefix(limit).map { scalar in
            TextValidation.isForbidden(scalar)
                ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(scalar)
        }.joined()
        return unicodeScalars.count > limit ? "\"\(start)…\" (\(utf8.count) bytes)" : "\"\(start)\""
    }
}
