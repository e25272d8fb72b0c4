/// Where the time of a sample comes from, and so how far it can be trusted.
public enum TimeQuality: String, CaseIterable, Codable, Sendable {
    /// The device said it, and it is possible.
    case device
    /// The device said nothing readable: the time of receipt stands in (P47).
    case estimated
    /// The device said something impossible, such as a year 2106 or its uptime: the time of receipt stands in.
    case corrected
    /// Nobody knows: the message was replayed by the broker, so that its receipt says nothing (X18).
    case unknown
}
