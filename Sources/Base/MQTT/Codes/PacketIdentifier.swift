/// The number that matches an answer of the broker to its packet; 1…65535, and reused.
public struct PacketIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Creates an identifier.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates an identifier from libmosquitto's number; nil if the number means that there is none.
    init?(_ number: Int32) {
        guard let rawValue = UInt16(exactly: number), rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }
}

extension PacketIdentifier: CustomStringConvertible {
    /// The number with a leading `#`.
    public var description: String { "#\(rawValue)" }
}
