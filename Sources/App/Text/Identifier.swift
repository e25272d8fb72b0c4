/// A type that an ``Identifier`` identifies; it only keeps identifiers of different types apart.
public protocol Identified: Sendable {}

/// A random 128-bit identifier of a record, never reused after the record is gone.
///
/// As text and as JSON it is a UUID in lower case, `8-4-4-4-12` hexadecimal digits.
public struct Identifier<Thing: Identified>: Hashable, Comparable, Sendable {
    /// The upper 64 bits.
    public let high: UInt64
    /// The lower 64 bits.
    public let low: UInt64

    /// Creates an identifier from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates a new identifier from a source of randomness.
    public init(using generator: inout some RandomNumberGenerator) {
        self.init(high: generator.next(), low: generator.next())
    }

    /// Creates an identifier from its text; nil unless it is a UUID, upper or lower case, with or without dashes.
    public init?(_ text: some StringProtocol) {
        let dashes: [Int] = [8, 13, 18, 23]
        let characters = Array(text.utf8)
        guard characters.count == 32 || characters.count == 36 else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        var digits = 0
        for (position, character) in characters.enumerated() {
            if characters.count == 36, dashes.contains(position) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Hexadecimal.value(ofDigit: character) else { return nil }
            if digits < 16 {
                halves.high = halves.high << 4 | UInt64(digit)
            } else {
                halves.low = halves.low << 4 | UInt64(digit)
            }
            digits += 1
        }
        self.init(high: halves.high, low: halves.low)
    }

    /// Whether the left identifier sorts first.
    public static func < (left: Identifier, right: Identifier) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension Identifier: CustomStringConvertible {
    /// The UUID in lower case.
    public var description: String {
        var text = ""
        for (position, digit) in Hexadecimal.text(high: high, low: low).enumerated() {
            if [8, 12, 16, 20].contains(position) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}

extension Identifier: Codable {
    /// Writes the UUID as a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads a UUID from a string.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let identifier = Identifier(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID: \(text)")
        }
        self = identifier
    }
}
