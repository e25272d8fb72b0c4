/// How a person wants to be alerted: what, when, how often and where.
///
/// As JSON (``encoded()``) it holds only what differs from the defaults, and is at most ``byteCountMax`` bytes.
public struct AlertSettings: Hashable, Sendable {
    /// Whether there are alerts at all; a test alert is sent even if not.
    public var isEnabled = true
    /// Whether values outside their limits alert.
    public var alertsOnValues = true
    /// Whether missing values alert.
    public var alertsOnMissing = true
    /// Whether faulty probes alert.
    public var alertsOnFaults = true
    /// Whether lost connections alert (P74).
    public var alertsOnConnections = true
    /// Whether the end of an alert is told.
    public var tellsRecoveries = true
    /// The quantities that do not alert (P67); their devices' silence and lost connections still do.
    public var mutedQuantities: Set<Quantity> = []
    /// The pause after a delivered alert, in seconds, before the same is told again; 60…3600 (P66).
    public var cooldownSeconds = 300
    /// Whether an alert is repeated until it is acknowledged or over; each pause is twice the one before.
    public var repeatsUntilAcknowledged = true
    /// The longest pause between repetitions, in seconds; 3600…604800.
    public var longestRepeatSeconds = 21_600
    /// How many samples in a row must be outside before a warning, and inside before a recovery; 1…20.
    public var confirmationSamples = 2
    /// How long, in seconds, nothing may contradict the first such sample to count as much; 0…3600, 0 for never.
    public var confirmationSeconds = 300
    /// How far a value must come back inside a limit before its alert ends, where it differs from
    /// ``standardHysteresis(for:)``; 0 or more.
    public var hysteresis: QuantityMap<Double> = [:]
    /// How long a device may stay silent, or away by its own word, before that alerts, in seconds; 0…86400.
    public var missingDelaySeconds = 120
    /// How long a connection may be lost before that alerts, in seconds; 0…3600.
    public var connectionDelaySeconds = 60
    /// When to leave people alone, nil for never.
    public var quietHours: QuietHours?
    /// Where alerts go.
    public var channels = AlertChannelSettings()

    /// Creates the default settings.
    public init() {}

    /// The most bytes that settings may have as JSON.
    public static let byteCountMax = 16_384

    /// The distance that a value must come back inside its limit by default, in the quantity's unit.
    ///
    /// Temperature 0.5 °C, pH 0.05, chlorine 0.1 mg/L, ORP 15 mV: about what a probe's noise moves between two samples.
    public static func standardHysteresis(for quantity: Quantity) -> Double {
        switch quantity {
        case .temperature: 0.5
        case .ph: 0.05
        case .chlorine: 0.1
        case .orp: 15
        }
    }

    /// The change between two samples beyond which the second needs another one to confirm it.
    ///
    /// Temperature 5 °C, pH 0.8, chlorine 2 mg/L, ORP 200 mV: water does not change that fast, but a probe out of the
    /// water does.
    public static func plausibleJump(for quantity: Quantity) -> Double {
        switch quantity {
        case .temperature: 5
        case .ph: 0.8
        case .chlorine: 2
        case .orp: 200
        }
    }

    /// Whether such an alert is wanted; a test always is.
    public func wants(_ key: AlertKey) -> Bool {
        if key == .test { return true }
        if let quantity = key.quantity, mutedQuantities.contains(quantity) { return false }
        guard isEnabled else { return false }
        switch key.condition {
        case .value: return alertsOnValues
        case .missing: return alertsOnMissing
        case .fault: return alertsOnFaults
        case .connection: return alertsOnConnections
        // Without it nobody would know that the rest cannot be relied on.
        case .hub, .test: return true
        }
    }
}

/// Which channels are switched on, and what they need to know.
public struct AlertChannelSettings: Hashable, Sendable {
    /// A topic to publish to.
    public struct MQTT: Codable, Hashable, Sendable {
        /// The server, nil for all servers.
        public var serverID: ServerID?
        /// The topic; 1…1024 bytes, no wildcards.
        public var topic: String

        /// Creates it without checking.
        public init(serverID: ServerID? = nil, topic: String) {
            self.serverID = serverID
            self.topic = topic
        }
    }

    /// An address to send requests to.
    public struct Webhook: Codable, Hashable, Sendable {
        /// The address: `http` or `https`, without credentials; at most 2048 bytes.
        public var url: String
        /// The name under which the signing secret is stored, nil for unsigned; 1…128 bytes.
        ///
        /// It is never the secret.
        public var secretName: String?

        /// Creates it without checking.
        public init(url: String, secretName: String? = nil) {
            self.url = url
            self.secretName = secretName
        }
    }

    /// Whether the hub's own screen shows them.
    public var terminal = true
    /// Whether the desktop does.
    public var desktop = true
    /// Whether watches do.
    public var watches = true
    /// The topic to publish to, nil for none.
    public var mqtt: MQTT?
    /// The address to send to, nil for none.
    public var webhook: Webhook?

    /// Creates the defaults: screen, desktop and watches.
    public init() {}

    /// The channels that are switched on, in their order.
    public var enabled: [AlertChannel] {
        AlertChannel.allCases.filter { channel in
            switch channel {
            case .terminal: terminal
            case .desktop: desktop
            case .mqtt: mqtt != nil
            case .webhook: webhook != nil
            case .watchUserInfo, .watchComplication: watches
            }
        }
    }
}
