/// Why there are no values from a device.
public enum MissingReason: String, Codable, Sendable {
    /// Nothing came for several expected intervals.
    case silent
    /// The device, or its will, reported that it is unavailable.
    case unavailable
    /// The broker refuses to deliver the topics of the device.
    case refused
}
