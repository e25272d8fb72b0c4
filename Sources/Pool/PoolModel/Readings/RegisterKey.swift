/// The name of a register: what the hub sends to watches beside the configuration, where only the newest value counts.
///
/// | text | value |
/// |---|---|
/// | `device/` + ``DeviceID`` | ``DeviceReadings`` of that device as JSON |
/// | `server/` + ``ServerID`` | ``ServerReport`` of that server as JSON |
/// | `alerts` | ``AlertState`` as JSON |
///
/// The order of a register's values is the hub's: it only ever grows, also across the hub's restarts.
public enum RegisterKey: Hashable, Sendable {
    /// The newest readings of a device.
    case device(DeviceID)
    /// The state of the connection to a server.
    case server(ServerID)
    /// The open alerts.
    case alerts

    /// Reads a key; nil for any other text, and for another spelling of an identity: a register has one name only.
    public init?(_ text: String) {
        if text == "alerts" {
            self = .alerts
            return
        }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let key: RegisterKey? =
            switch parts[0] {
            case "device": DeviceID(parts[1]).map { .device($0) }
            case "server": ServerID(parts[1]).map { .server($0) }
            default: nil
            }
        guard let key, key.text == text else { return nil }
        self = key
    }

    /// The text of the key; at most 43 bytes.
    public var text: String {
        switch self {
        case .device(let id): "device/\(id)"
        case .server(let id): "server/\(id)"
        case .alerts: "alerts"
        }
    }
}
