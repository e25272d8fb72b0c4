/// A JSON value as it was sent: members in their order, with repeated keys, and numbers as written.
///
/// FoundationEssentials' decoder cannot stand here: it hides repeated keys, has no limit of its own for depth, refuses
/// a whole message for one `NaN`, and turns numbers into doubles before a time in nanoseconds can be read exactly.
package enum JSONValue: Equatable {
    case null
    case bool(Bool)
    /// A number as written, correct by the grammar of JSON.
    case number(String)
    /// `NaN`, `nan`, `Infinity`, `inf` and the like, which are no JSON, but which Python and C write.
    case nonFinite
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Equatable {
        package var key: String
        package var value: JSONValue
    }
}

/// Why bytes are no JSON.
public struct JSONFault: Error, Hashable, Sendable {
    /// A kind of fault.
    public enum Kind: Hashable, Sendable {
        /// The text ends inside a value.
        case unexpectedEnd
        /// A byte stands where none of its kind can.
        case unexpectedByte(UInt8)
        /// A number breaks the grammar, such as `01` or `1.`.
        case badNumber
        /// A string holds a backslash before something that it cannot escape.
        case badEscape
        /// A string holds a control character that is not escaped.
        case controlCharacter
        /// Something follows the value.
        case trailingBytes
        /// Values are nested deeper than the limit.
        case tooDeep
    }

    /// What is wrong.
    public var kind: Kind
    /// Where: the offset in bytes in the text without its byte order mark and the blanks around it.
    public var offset: Int
}

extension JSONFault: CustomStringConvertible {
    /// What is wrong and where.
    public var description: String {
        switch kind {
        case .unexpectedEnd: "ends too early, after \(offset) bytes"
        case .unexpectedByte(let byte): "unexpected \(Excerpt(String(Unicode.Scalar(byte)))) at byte \(offset)"
        case .badNumber: "malformed number at byte \(offset)"
        case .badEscape: "malformed escape at byte \(offset)"
        case .controlCharacter: "raw control character in a string at byte \(offset)"
        case .trailingBytes: "something follows the value at byte \(offset)"
        case .tooDeep: "nested too deep at byte \(offset)"
        }
    }
}
