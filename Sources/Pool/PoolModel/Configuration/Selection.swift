/// What the dashboard and the watches show: a server, and one of its devices.
///
/// Nil is a choice as well: it means that nothing is selected, and it is sent to every watch.
public struct Selection: Codable, Hashable, Sendable {
    /// The selected server, nil for none.
    public var serverID: ServerID?
    /// The selected device, nil for none; always a device of the selected server.
    public var deviceID: DeviceID?

    /// Creates a selection.
    public init(serverID: ServerID? = nil, deviceID: DeviceID? = nil) {
        self.serverID = serverID
        self.deviceID = deviceID
    }

    /// Nothing is selected.
    public static let none = Selection()
}
