/// Why a text that a person wrote for a mapping cannot be read, and at which character.
public struct NotationError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Fault: Hashable, Sendable {
        /// Something else must stand here; the words say what.
        case expected(String)
        /// A quotation mark is not closed.
        case openQuotation
        /// A backslash stands before something that it cannot escape.
        case badEscape
    }

    /// The whole text.
    public var text: String
    /// The place of the fault, in Unicode code points from 0.
    public var offset: Int
    /// What is wrong.
    public var fault: Fault
}

extension NotationError: CustomStringConvertible {
    /// One sentence for a person: where, what stands there, and what must.
    public var description: String {
        let rest = String(String.UnicodeScalarView(text.unicodeScalars.dropFirst(offset)))
        let found = rest.isEmpty ? "the end" : "\(Excerpt(rest, scalarCountMax: 16))"
        let place = "In \(Excerpt(text, scalarCountMax: 120)) at character \(offset + 1): "
        return switch fault {
        case .expected(let words): "\(place)expected \(words), found \(found)."
        case .openQuotation: "\(place)the quotation mark has no partner."
        case .badEscape: "\(place)after a backslash only \" \\ / b f n r t and u with four digits can stand."
        }
    }
}
