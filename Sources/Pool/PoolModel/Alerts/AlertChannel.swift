/// A channel by which alerts reach people and machines.
public enum AlertChannel: String, CaseIterable, Codable, CodingKeyRepresentable, Comparable, Sendable {
    /// The hub's own screen.
    case terminal
    /// The desktop's notifications, if it has any.
    case desktop
    /// A topic of an MQTT server.
    case mqtt
    /// An HTTP request to an address.
    case webhook
    /// A topic of an ntfy server, which shows it on phones.
    case ntfy
    /// A user of Pushover, on phones.
    case pushover
    /// A chat of Telegram, by a bot.
    case telegram
    /// User info to each permitted watch: queued, in order, shown as a notification.
    case watchUserInfo
    /// The complication of each permitted watch; only when the alert's severity changes, because updates are limited.
    case watchComplication

    /// Whether the left channel comes first in the order of the cases.
    public static func < (left: AlertChannel, right: AlertChannel) -> Bool { left.rank < right.rank }

    /// The initial permission: a channel that interrupts a person needs to ask; the others are granted.
    public var initialAuthorization: AlertAuthorization {
        switch self {
        case .terminal, .mqtt, .webhook, .ntfy, .pushover, .telegram: .granted
        case .desktop, .watchUserInfo, .watchComplication: .unknown
        }
    }

    /// Whether a delivery over this channel notifies a person; a complication only changes its colour.
    package var notifiesPeople: Bool { self != .watchComplication }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
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
