/// The number by which an answer of the broker is matched to the packet it answers; 1…65535, used again and again.
public struct PacketIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// Creates an identifier.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Creates an identifier from libmosquitto's number; nil where it says that there is none.
    init?(_ number: Int32) {
        guard let rawValue = UInt16(exactly: number), rawValue != 0 else { return nil }
        self.rawValue = rawValue
    }
}

extension PacketIdentifier: CustomStringConvertible {
    /// The number with a leading `#`.
    public var description: String { "#\(rawValue)" }
}
