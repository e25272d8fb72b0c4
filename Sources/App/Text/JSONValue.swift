/// A JSON value as it was sent: members in order, including repeated keys, and numbers as written.
///
/// FoundationEssentials' decoder is not suitable: it hides repeated keys, has no limit for the depth, refuses
/// a whole message because of one `NaN`, and converts numbers to doubles before a time in nanoseconds can be read
/// exactly.
package enum JSONValue: Equatable {
    case null
    case bool(Bool)
    /// A number as written, valid by the grammar of JSON.
    case number(String)
    /// `NaN`, `nan`, `Infinity`, `inf` and the like, which are not JSON, but which Python and C write.
    case nonFinite
    case string(String)
    case array([JSONValue])
    case object([Member])

    package struct Member: Equatable {
        package var key: String
        package var value: JSONValue

        package init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }
}

/// Why bytes are not JSON.
public struct JSONParsingError: Error, Hashable, Sendable {
    /// A kind of error.
    public enum Kind: Hashable, Sendable {
        /// The text ends inside a value.
        case unexpectedEnd
        /// A byte is not allowed at this position.
        case unexpectedByte(UInt8)
        /// A number violates the grammar, such as `01` or `1.`.
        case badNumber
        /// A string contains an invalid escape sequence.
        case badEscape
        /// A string contains a control character without an escape.
        case controlCharacter
        /// There are bytes after the value.
        case trailingBytes
        /// Values are nested deeper than the limit.
        case tooDeep
    }

    /// The kind of error.
    public var kind: Kind
    /// The position: the offset in bytes in the text without its byte order mark and the blanks around it.
    public var offset: Int

    /// Creates an error of a kind at an offset in bytes.
    package init(kind: Kind, offset: Int) {
        self.kind = kind
        self.offset = offset
    }
}

extension JSONParsingError: CustomStringConvertible {
    /// The error and its position.
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
