/// The source of a sample time, and so its reliability.
public enum TimeQuality: String, CaseIterable, Codable, Sendable {
    /// The device sent it, and it is possible.
    case device
    /// The device sent no readable time; the time of receipt is used instead.
    case estimated
    /// The device sent an impossible time, such as the year 2106 or its uptime; the time of receipt is used instead.
    case corrected
    /// Unknown: the broker replayed the message, so its receipt does not show the age.
    case unknown
}
