/// The key of a register: data that the hub sends to watches besides the configuration, and of which only the newest
/// value counts.
///
/// | text | value |
/// |---|---|
/// | `device/` + ``DeviceID`` | ``DeviceReadings`` of that device as JSON |
/// | `server/` + ``ServerID`` | ``ServerReport`` of that server as JSON |
/// | `alerts` | ``AlertState`` as JSON |
///
/// The hub sets the order of a register's values; it only grows, even across restarts of the hub.
public enum RegisterKey: Hashable, Sendable {
    /// The newest readings of a device.
    case device(DeviceID)
    /// The state of the connection to a server.
    case server(ServerID)
    /// The open alerts.
    case alerts
    /// What the hub knows of a pool besides the values.
    case pool(PoolID)

    /// Reads a key; nil for any other text, and for an identifier that is not in canonical form, so that a register
    /// has only one key.
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
            case "pool": PoolID(parts[1]).map { .pool($0) }
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
        case .pool(let id): "pool/\(id)"
        }
    }
}
