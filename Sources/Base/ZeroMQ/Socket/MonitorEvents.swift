/// The events that a monitor reports.
public struct MonitorEvents: OptionSet, Hashable, Sendable {
    /// libzmq's bits.
    public let rawValue: UInt16

    /// Creates a set from libzmq's bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// All events.
    public static let all = MonitorEvents(rawValue: 0xFFFF)
    /// The end of a handshake: success, or one of three kinds of failure.
    public static let handshake = MonitorEvents(rawValue: 0x7800)
    /// The events of a connection: connected, retried, accepted, closed, disconnected.
    public static let connection = MonitorEvents(rawValue: 0x02A7)
    /// A peer connected.
    public static let accepted = MonitorEvents(rawValue: 0x0020)
    /// The events of listening, including its failures.
    public static let listening = MonitorEvents(rawValue: 0x0058)
}
