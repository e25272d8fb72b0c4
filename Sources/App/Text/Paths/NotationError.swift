/// Why a text that a person wrote for a mapping cannot be read, and the position of the error.
public struct NotationError: Error, Hashable, Sendable {
    /// The kind of error.
    public enum Problem: Hashable, Sendable {
        /// Something else is expected here; the text describes it.
        case expected(String)
        /// A quotation mark is not closed.
        case openQuotation
        /// An invalid escape sequence.
        case badEscape
    }

    /// The whole text.
    public var text: String
    /// The position of the error, in Unicode code points from 0.
    public var offset: Int
    /// The kind of error.
    public var problem: Problem
}

extension NotationError: CustomStringConvertible {
    /// One sentence for a person: the position, the text there, and what is expected.
    public var description: String {
        let rest = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(offset)))
        let found = rest.isEmpty ? "the end" : "\(Excerpt(rest, scalarCountMax: 16))"
        let place = "In \(Excerpt(text, scalarCountMax: 120)) at character \(offset + 1): "
        return switch problem {
        case .expected(let words): "\(place)expected \(words), found \(found)."
        case .openQuotation: "\(place)the quotation mark has no partner."
        case .badEscape: "\(place)after a backslash only \" \\ / b f n r t and u with four digits can stand."
        }
    }
}
