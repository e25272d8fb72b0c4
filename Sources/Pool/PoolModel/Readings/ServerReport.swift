/// What the hub tells of its connection to a server.
///
/// It is telemetry: never part of the configuration, of which it would make a new revision at each loss.
public struct ServerReport: Hashable, Codable, Sendable {
    /// Whether the hub is connected to the server.
    public var isConnected: Bool
    /// Since when, by the hub's clock.
    public var since: Timestamp

    /// Creates a report.
    public init(isConnected: Bool, since: Timestamp) {
        self.isConnected = isConnected
        self.since = since
    }
}
