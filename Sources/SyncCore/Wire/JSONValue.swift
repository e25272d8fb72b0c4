/// A value of the wire's canonical JSON: no fractions, no floating point.
///
/// Unsigned 64-bit numbers and ids travel as hexadecimal strings, since many readers of JSON keep only 53 bits.
public indirect enum JSONValue: Hashable, Sendable {
    /// The absence of a value.
    case null
    /// A truth value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name; each name stands once and the order is that of the names' bytes.
    case object(SortedMap<String, JSONValue>)

    /// An object of these members; a later pair replaces an earlier one of the same name.
    public static func members(_ pairs: KeyValuePairs<String, JSONValue>) -> JSONValue {
        var map = SortedMap<String, JSONValue>()
        for (name, value) in pairs {
            map[name] = value
        }
        return .object(map)
    }

    /// A number as sixteen hexadecimal digits.
    public static func hexadecimal(_ number: UInt64) -> JSONValue { .string(Hexadecimal.text(number)) }
}

extension JSONValue {
    /// The member of this name, nil if this is no object or lacks it.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text, nil if this is none.
    public var string: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The whole number, nil if this is none.
    public var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The truth value, nil if this is none.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements, nil if this is no list.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The number of a text of sixteen hexadecimal digits, nil if this is none.
    public var hexadecimal: UInt64? { string.flatMap { Hexadecimal.number($0) } }
}
