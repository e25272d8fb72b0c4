import Primitives

/// The identity of a command, which the watch makes; the phone performs no identity twice.
public struct CommandID: Hashable, Sendable {
    /// The number of bytes.
    public static let byteCount = 16

    /// The 16 bytes.
    public let bytes: [UInt8]

    /// Takes bytes; nil if there are not 16.
    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// Makes a new identity.
    public init() {
        var generator = SystemRandomNumberGenerator()
        self.init(using: &generator)
    }

    /// Makes a new identity from a generator, for tests.
    public init(using generator: inout some RandomNumberGenerator) {
        bytes = (0..<Self.byteCount).map { _ in UInt8.random(in: 0...(.max), using: &generator) }
    }
}

extension CommandID: Codable, CustomStringConvertible {
    /// 32 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }

    /// Reads 32 hexadecimal digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bytes = Hexadecimal.bytes(text), let id = CommandID(bytes: bytes) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "\"\(text)\" is no command: expected 32 hexadecimal digits")
        }
        self = id
    }

    /// Writes 32 hexadecimal digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
