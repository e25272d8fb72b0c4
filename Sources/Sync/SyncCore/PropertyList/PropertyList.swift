/// A property list: the values that the dictionaries of WatchConnectivity hold, and no others.
///
/// Its bytes are canonical: each value has exactly one encoding, and equal bytes mean equal values. Reals keep their
/// bits, including those of a NaN and of −0, and are compared by their bits; so are dates.
///
/// Layout of the encoding: each value is one tag byte, then what the table says. A *varint* is an unsigned number in
/// groups of seven bits, the lowest group first, with the highest bit set in all bytes but the last, in the fewest
/// bytes; *zigzag* maps 0, −1, 1, −2 … to 0, 1, 2, 3 …
///
/// | Tag    | Value      | What follows |
/// | ------ | ---------- | ------------ |
/// | `0x01` | false      | nothing |
/// | `0x02` | true       | nothing |
/// | `0x03` | integer    | varint of the zigzag |
/// | `0x04` | integer beyond 2⁶³ − 1 | varint of the number |
/// | `0x05` | real       | 8 bytes, IEEE 754, most significant byte first |
/// | `0x06` | date       | 8 bytes, IEEE 754, seconds since 2001-01-01 00:00:00 UTC, most significant byte first |
/// | `0x07` | string     | varint of the byte count, UTF-8 |
/// | `0x08` | data       | varint of the byte count, the bytes |
/// | `0x09` | array      | varint of the count, the elements |
/// | `0x0A` | dictionary | varint of the count; for each pair, in ascending order of the bytes of the keys: varint of the byte count of the key, the key in UTF-8, the value |
///
/// Example: `["on": true, "n": -2, "xy": 7.25]` is
///
///     0A 03  01 6E 03 03  02 6F 6E 02  02 78 79 05 40 1D 00 00 00 00 00 00
///
/// Source: Apple, "Property List Programming Guide", for the kinds of values; the encoding is ours.
public enum PropertyList: Sendable {
    /// A text; not normalised.
    case string(String)
    /// A whole number.
    case integer(Int64)
    /// A whole number beyond the signed range; a smaller one is the same value as ``integer(_:)``.
    case unsigned(UInt64)
    /// A number with a fraction, or not finite.
    case real(Double)
    /// A Boolean value.
    case boolean(Bool)
    /// A moment in seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// Values in an order.
    case array([PropertyList])
    /// Values by key.
    case dictionary([Key: PropertyList])

    /// A key of a dictionary: a text that is compared by its bytes, as the encoding does.
    public struct Key: Sendable {
        /// The text.
        public var text: String

        /// Creates a key.
        public init(_ text: String) {
            self.text = text
        }
    }
}

extension PropertyList.Key: Hashable, Comparable, ExpressibleByStringLiteral {
    /// Creates a key.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// Whether both have the same bytes; different spellings of the same characters are different keys.
    public static func == (left: Self, right: Self) -> Bool { PropertyList.isSame(left.text, right.text) }

    /// Whether the left key's bytes sort first.
    public static func < (left: Self, right: Self) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) { PropertyList.hash(text, into: &hasher) }
}

extension PropertyList: Hashable {
    /// Whether both have the same encoding.
    public static func == (left: PropertyList, right: PropertyList) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): isSame(left, right)
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.integer(let number), .unsigned(let magnitude)), (.unsigned(let magnitude), .integer(let number)):
            number >= 0 && number.magnitude == magnitude
        case (.real(let left), .real(let right)), (.date(let left), .date(let right)):
            left.bitPattern == right.bitPattern
        case (.boolean(let left), .boolean(let right)): left == right
        case (.data(let left), .data(let right)): left == right
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        case (.string, _), (.integer, _), (.unsigned, _), (.real, _), (.boolean, _), (.date, _), (.data, _),
            (.array, _), (.dictionary, _):
            false
        }
    }

    /// Feeds what `==(_:_:)` compares.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let text): Self.hash(text, into: &hasher)
        case .integer(let number): hasher.combine(UInt64(bitPattern: number))
        case .unsigned(let number): hasher.combine(number)
        case .real(let number), .date(let number): hasher.combine(number.bitPattern)
        case .boolean(let value): hasher.combine(value)
        case .data(let bytes): hasher.combine(bytes)
        case .array(let elements): hasher.combine(elements)
        case .dictionary(let pairs): hasher.combine(pairs)
        }
    }

    /// Whether two texts have the same bytes; Swift's `==` also accepts different spellings of the same characters,
    /// such as "é".
    fileprivate static func isSame(_ left: String, _ right: String) -> Bool {
        left == right && left.utf8.elementsEqual(right.utf8)
    }

    fileprivate static func hash(_ text: String, into hasher: inout Hasher) {
        // Texts with the same bytes are equal in Swift as well, so they have the same hash.
        hasher.combine(text)
    }
}

extension PropertyList: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a text.
    public init(stringLiteral text: String) { self = .string(text) }

    /// Creates a whole number.
    public init(integerLiteral number: Int64) { self = .integer(number) }

    /// Creates a real.
    public init(floatLiteral number: Double) { self = .real(number) }

    /// Creates a Boolean value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }

    /// Creates an array.
    public init(arrayLiteral elements: PropertyList...) { self = .array(elements) }

    /// Creates a dictionary; of several pairs with the same key, the last one counts.
    public init(dictionaryLiteral pairs: (Key, PropertyList)...) {
        self = .dictionary(Dictionary(pairs) { $1 })
    }
}
