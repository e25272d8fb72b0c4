/// The state of the hub's connection to a server.
///
/// It is telemetry and never a part of the configuration, because each lost connection would create a new revision.
public struct ServerReport: Hashable, Codable, Sendable {
    /// Whether the hub is connected to the server.
    public var isConnected: Bool
    /// The time of the last change, by the hub's clock.
    public var since: Timestamp

    /// Creates a report.
    public init(isConnected: Bool, since: Timestamp) {
        self.isConnected = isConnected
        self.since = since
    }
}
