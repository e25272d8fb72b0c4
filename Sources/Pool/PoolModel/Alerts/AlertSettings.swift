/// A person's settings for alerts: which conditions, when, how often and where to.
///
/// As JSON they contain only the members that differ from the defaults.
public struct AlertSettings: Hashable, Sendable {
    /// Whether alerts are on; a test alert is sent even if they are off.
    public var isEnabled = true
    /// Whether values outside their limits raise alerts.
    public var alertsOnValues = true
    /// Whether missing values raise alerts.
    public var alertsOnMissing = true
    /// Whether faulty probes raise alerts.
    public var alertsOnFaults = true
    /// Whether lost connections raise alerts.
    public var alertsOnConnections = true
    /// Whether the end of an alert is notified.
    public var tellsRecoveries = true
    /// The quantities without alerts; the silence of their devices and lost connections still raise alerts.
    public var mutedQuantities: Set<Quantity> = []
    /// The time after a delivered alert, in seconds, before the same one is notified again; 60…3600.
    public var cooldownSeconds = 300
    /// Whether an alert is repeated until it is acknowledged or over; each pause is twice as long as the one before.
    public var repeatsUntilAcknowledged = true
    /// The longest pause between repetitions, in seconds; 3600…604800.
    public var longestRepeatSeconds = 21_600
    /// The number of consecutive samples outside the limits before a warning, and inside before a recovery; 1…20.
    public var confirmationSamples = 2
    /// The time in seconds without a contradicting sample after which the first such sample is confirmed as well;
    /// 0…3600, 0 for never.
    public var confirmationSeconds = 300
    /// How far a value must return inside a limit before its alert ends, for quantities that differ from
    /// ``QuantityFacts/hysteresis``; 0 or more.
    public var hysteresis: QuantityMap<Double> = [:]
    /// How long a device may be silent, or report itself unavailable, before an alert, in seconds; 0…86400.
    public var missingDelaySeconds = 120
    /// How long a connection may be lost before an alert, in seconds; 0…3600.
    public var connectionDelaySeconds = 60
    /// The quiet hours, nil for none.
    public var quietHours: QuietHours?
    /// The language of notices on phones.
    public var language = TextLanguage.english
    /// The channels for alerts.
    public var channels = AlertChannelSettings()

    /// Creates the default settings.
    public init() {}

    /// Whether an alert with this key is wanted; a test always is.
    public func wants(_ key: AlertKey) -> Bool {
        if key == .test { return true }
        if let quantity = key.quantity, mutedQuantities.contains(quantity) { return false }
        guard isEnabled else { return false }
        switch key.condition {
        case .value: return alertsOnValues
        case .missing: return alertsOnMissing
        case .fault: return alertsOnFaults
        case .connection: return alertsOnConnections
        // Without this alert, nobody would know that the others cannot be relied on.
        case .hub, .test: return true
        }
    }
}

/// The enabled channels, with their parameters.
public struct AlertChannelSettings: Hashable, Sendable {
    /// A topic to publish to.
    public struct MQTT: Codable, Hashable, Sendable {
        /// The server; nil for all servers.
        public var serverID: ServerID?
        /// The topic; 1…1024 bytes, no wildcards.
        public var topic: String

        /// Creates the settings without checking them.
        public init(serverID: ServerID? = nil, topic: String) {
            self.serverID = serverID
            self.topic = topic
        }
    }

    /// An address to send requests to.
    public struct Webhook: Codable, Hashable, Sendable {
        /// The address: `http` or `https`, without credentials; at most 2048 bytes.
        public var url: String
        /// The name under which the signing secret is stored; nil for unsigned requests; 1…128 bytes.
        ///
        /// It is never the secret itself.
        public var secretName: String?

        /// Creates the settings without checking them.
        public init(url: String, secretName: String? = nil) {
            self.url = url
            self.secretName = secretName
        }
    }

    /// Whether the hub's own screen shows alerts.
    public var terminal = true
    /// Whether the desktop shows alerts.
    public var desktop = true
    /// Whether watches get alerts.
    public var watches = true
    /// The topic to publish to, nil for none.
    public var mqtt: MQTT?
    /// The address to send to, nil for none.
    public var webhook: Webhook?
    /// The services that show notices on phones, by their channels.
    public var phones: [AlertChannel: PhoneSettings] = [:]

    /// Creates the defaults: screen, desktop and watches.
    public init() {}

    /// The enabled channels, in order.
    public var enabled: [AlertChannel] {
        AlertChannel.allCases.filter { channel in
            switch channel {
            case .terminal: terminal
            case .desktop: desktop
            case .mqtt: mqtt != nil
            case .webhook: webhook != nil
            case .ntfy, .pushover, .telegram: phones[channel] != nil
            case .watchUserInfo, .watchComplication: watches
            }
        }
    }
}
