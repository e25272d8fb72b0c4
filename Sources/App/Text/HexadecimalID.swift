/// An identity that sync gave to a thing, such as a watch's public key: hexadecimal digits in lower case, as text and as
/// JSON.
public struct HexadecimalID<Thing: Identified>: Hashable, Comparable, Sendable {
    /// The hexadecimal digits in lower case, two for each byte.
    public let digits: String

    /// Creates an identity from its bytes.
    public init(bytes: some Sequence<UInt8>) {
        digits = Hexadecimal.text(bytes)
    }

    /// Creates a 128-bit identity from its two halves.
    public init(high: UInt64, low: UInt64) {
        digits = Hexadecimal.text(high: high, low: low)
    }

    /// Creates an identity from its text; nil unless it is an even number of hexadecimal digits in lower case.
    public init?(_ text: String) {
        guard !text.isEmpty, Hexadecimal.bytes(text) != nil else { return nil }
        digits = text
    }

    /// The first digits, as lists show them.
    public var short: String { String(digits.prefix(8)) }

    /// Whether the left identity sorts first.
    public static func < (left: HexadecimalID, right: HexadecimalID) -> Bool { left.digits < right.digits }
}

extension HexadecimalID: CustomStringConvertible {
    /// All digits.
    public var description: String { digits }
}

extension HexadecimalID: Codable {
    /// Writes the digits as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digits)
    }

    /// Reads the digits from a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let id = HexadecimalID(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not hexadecimal digits: \(Excerpt(text))")
        }
        self = id
    }
}
