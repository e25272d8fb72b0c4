/// A value of the wire format's canonical JSON: no fractions, no floating point.
///
/// Unsigned 64-bit numbers and ids are hexadecimal strings, because many JSON readers keep only 53 bits.
public enum JSONValue: Sendable {
    /// The absence of a value.
    case null
    /// A Boolean value.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A number as a string of sixteen hexadecimal digits; it equals that string, and is decoded as a string.
    case hexadecimal(UInt64)
    /// A text.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members by name.
    case object(JSONMembers)

    /// An object with these members; of several pairs with the same name, the last one counts.
    public static func members(_ members: JSONMembers) -> JSONValue { .object(members) }
}

extension JSONValue {
    /// The member of this name, nil if this is not an object or lacks it.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members[name]
    }

    /// The text, nil if this is not one.
    public var string: String? {
        switch self {
        case .string(let text): text
        case .hexadecimal(let number): Hexadecimal.text(number)
        case .null, .bool, .integer, .array, .object: nil
        }
    }

    /// The whole number, nil if this is not one.
    public var integer: Int64? {
        guard case .integer(let number) = self else { return nil }
        return number
    }

    /// The Boolean value, nil if this is not one.
    public var bool: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements, nil if this is not a list.
    public var array: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The number in a text of sixteen hexadecimal digits, nil if this is not one.
    public var hexadecimal: UInt64? {
        switch self {
        case .hexadecimal(let number): number
        case .string(let text): Hexadecimal.number(text)
        case .null, .bool, .integer, .array, .object: nil
        }
    }
}

extension JSONValue: Hashable {
    /// Whether both are the same value; a hexadecimal number equals its text.
    public static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        case (.hexadecimal(let left), .hexadecimal(let right)): left == right
        case (.string, .string), (.string, .hexadecimal), (.hexadecimal, .string): left.string == right.string
        case (.null, _), (.bool, _), (.integer, _), (.hexadecimal, _), (.string, _), (.array, _), (.object, _): false
        }
    }

    /// Feeds the form and the contents; a hexadecimal number feeds its text.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let number): hasher.combine(number)
        case .hexadecimal(let number): hasher.combine(Hexadecimal.text(number))
        case .string(let text): hasher.combine(text)
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}
