/// Why nothing comes from a device.
public enum MissingReason: String, Codable, Sendable {
    /// Nothing came for several expected intervals.
    case silent
    /// The device, or its will, said that it is away.
    case unavailable
}
