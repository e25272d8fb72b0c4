/// A channel by which alerts reach people and machines.
public enum AlertChannel: String, CaseIterable, Codable, Comparable, Sendable {
    /// The hub's own screen.
    case terminal
    /// The desktop's notifications, if it has any.
    case desktop
    /// A topic of an MQTT server.
    case mqtt
    /// An HTTP request to an address.
    case webhook
    /// User info to each permitted watch: queued, in order, shown as a notification.
    case watchUserInfo
    /// The complication of each permitted watch; only when the alert's severity changes, because updates are limited.
    case watchComplication

    /// Whether the left channel comes first in the order of the cases.
    public static func < (left: AlertChannel, right: AlertChannel) -> Bool { left.rank < right.rank }

    /// The initial permission: a channel that interrupts a person needs to ask; the others are granted.
    public var initialAuthorization: AlertAuthorization {
        switch self {
        case .terminal, .mqtt, .webhook: .granted
        case .desktop, .watchUserInfo, .watchComplication: .unknown
        }
    }

    /// Whether a delivery over this channel notifies a person; a complication only changes its colour.
    package var notifiesPeople: Bool { self != .watchComplication }

    private var rank: Int {
        switch self {
        case .terminal: 0
        case .desktop: 1
        case .mqtt: 2
        case .webhook: 3
        case .watchUserInfo: 4
        case .watchComplication: 5
        }
    }
}

/// Whether a channel may be used.
public enum AlertAuthorization: String, CaseIterable, Codable, Sendable {
    /// Not asked yet; the engine asks when the first alert needs the channel.
    case unknown
    /// Refused: no alert is sent there, and none counts as sent.
    case denied
    /// Permitted.
    case granted
}
