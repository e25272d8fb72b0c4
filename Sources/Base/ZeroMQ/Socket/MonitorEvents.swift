/// The events that a monitor tells.
public struct MonitorEvents: OptionSet, Hashable, Sendable {
    /// libzmq's bits.
    public let rawValue: UInt16

    /// Creates a set from libzmq's bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Everything.
    public static let all = MonitorEvents(rawValue: 0xFFFF)
    /// How a handshake ended: succeeded, or failed in one of three ways.
    public static let handshake = MonitorEvents(rawValue: 0x7800)
    /// The life of a connection: connected, retried, accepted, closed, disconnected.
    public static let connection = MonitorEvents(rawValue: 0x02A7)
    /// A peer connected.
    public static let accepted = MonitorEvents(rawValue: 0x0020)
    /// Listening and its failures.
    public static let listening = MonitorEvents(rawValue: 0x0058)
}
