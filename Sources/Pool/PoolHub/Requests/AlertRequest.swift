public import PoolModel

/// What a command asks of the alerts.
public enum AlertRequest: Codable, Sendable {
    /// The open alerts, with so many of the last notices.
    case report(notices: Int)
    /// Acknowledge an open alert: its number in the list, its key, or the start of its episode.
    case acknowledge(String)
    /// Let an open alert be quiet for so many seconds, 1…604800.
    case snooze(String, seconds: Int)
    /// Send a test notice over every channel (P68).
    case test
    /// Change the settings; what the draft leaves nil stays.
    case change(AlertSettingsDraft)
    /// Be alerted in this way from now on.
    case replace(AlertSettings)
    /// Keep the secret that signs webhooks under a name; an empty one is forgotten.
    case setSigningSecret(String, name: String)
}

/// The alerts of a hub as they are: what the list shows and `--json` prints.
public struct AlertReport: Codable, Sendable {
    /// A channel.
    public struct Channel: Codable, Sendable {
        /// The channel.
        public var channel: AlertChannel
        /// Whether the settings switch it on.
        public var isEnabled: Bool
        /// Whether it may be used; unknown at rest where nobody was asked.
        public var authorization: AlertAuthorization
        /// Why the last delivery failed, nil if it did not.
        public var trouble: String?
    }

    /// Whether a hub process is running.
    public var isRunning: Bool
    /// The open alerts.
    public var state: AlertState
    /// The last notices, newest first.
    public var notices: [AlertNotice]
    /// How a person wants to be alerted.
    public var settings: AlertSettings
    /// The channels, in their order.
    public var channels: [Channel]
    /// How many events could not be judged because too many came at once, in this life of the hub.
    public var droppedCount: UInt64
    /// How many conditions found no room, in this life of the hub.
    public var refusedCount: UInt64
}

/// What a person says of the settings; what is nil stays as it is.
public struct AlertSettingsDraft: Codable, Sendable {
    /// Whether there are alerts at all.
    public var isEnabled: Bool?
    /// Whether values outside their limits alert.
    public var alertsOnValues: Bool?
    /// Whether missing values alert.
    public var alertsOnMissing: Bool?
    /// Whether faulty probes alert.
    public var alertsOnFaults: Bool?
    /// Whether lost connections alert.
    public var alertsOnConnections: Bool?
    /// Whether the end of an alert is told.
    public var tellsRecoveries: Bool?
    /// The quantities that do not alert.
    public var mutedQuantities: Set<Quantity>?
    /// The pause before a repetition, in seconds.
    public var cooldownSeconds: Int?
    /// Whether an alert is repeated until it is acknowledged or over.
    public var repeatsUntilAcknowledged: Bool?
    /// The longest pause between repetitions, in seconds.
    public var longestRepeatSeconds: Int?
    /// How many samples must agree.
    public var confirmationSamples: Int?
    /// How long nothing may contradict, in seconds.
    public var confirmationSeconds: Int?
    /// How far a value must come back, by quantity; what is not named stays.
    public var hysteresis: QuantityMap<Double>?
    /// How long a device may be silent, in seconds.
    public var missingDelaySeconds: Int?
    /// How long a connection may be lost, in seconds.
    public var connectionDelaySeconds: Int?
    /// When to leave people alone.
    public var quietHours: QuietHours?
    /// Whether there shall be no quiet hours.
    public var removesQuietHours = false
    /// Whether the hub's screen shows alerts.
    public var terminal: Bool?
    /// Whether the desktop does.
    public var desktop: Bool?
    /// Whether watches do.
    public var watches: Bool?
    /// The topic to publish to; empty for none.
    public var mqttTopic: String?
    /// The server to publish to, by name or the beginning of its id; empty for all.
    public var mqttServer: String?
    /// The address to send to; empty for none.
    public var webhookURL: String?
    /// The name of the secret that signs; empty for unsigned.
    public var webhookSecretName: String?

    /// Creates a draft that says nothing.
    public init() {}

    /// The settings with what the draft says; they are not checked.
    ///
    /// - Throws: `ConfigurationError` for a server that nobody knows.
    func applied(to old: AlertSettings, in configuration: PoolConfiguration) throws -> AlertSettings {
        var new = old
        new.isEnabled = isEnabled ?? old.isEnabled
        new.alertsOnValues = alertsOnValues ?? old.alertsOnValues
        new.alertsOnMissing = alertsOnMissing ?? old.alertsOnMissing
        new.alertsOnFaults = alertsOnFaults ?? old.alertsOnFaults
        new.alertsOnConnections = alertsOnConnections ?? old.alertsOnConnections
        new.tellsRecoveries = tellsRecoveries ?? old.tellsRecoveries
        new.mutedQuantities = mutedQuantities ?? old.mutedQuantities
        new.cooldownSeconds = cooldownSeconds ?? old.cooldownSeconds
        new.repeatsUntilAcknowledged = repeatsUntilAcknowledged ?? old.repeatsUntilAcknowledged
        new.longestRepeatSeconds = longestRepeatSeconds ?? old.longestRepeatSeconds
        new.confirmationSamples = confirmationSamples ?? old.confirmationSamples
        new.confirmationSeconds = confirmationSeconds ?? old.confirmationSeconds
        for (quantity, distance) in hysteresis?.pairs ?? [] { new.hysteresis[quantity] = distance }
        new.missingDelaySeconds = missingDelaySeconds ?? old.missingDelaySeconds
        new.connectionDelaySeconds = connectionDelaySeconds ?? old.connectionDelaySeconds
        new.quietHours = removesQuietHours ? nil : quietHours ?? old.quietHours
        new.channels = try applied(to: old.channels, in: configuration)
        return new
    }

    private func applied(
        to old: AlertChannelSettings, in configuration: PoolConfiguration
    ) throws -> AlertChannelSettings {
        var new = old
        new.terminal = terminal ?? old.terminal
        new.desktop = desktop ?? old.desktop
        new.watches = watches ?? old.watches
        if let mqttTopic {
            new.mqtt = mqttTopic.isEmpty ? nil : .init(serverID: old.mqtt?.serverID, topic: mqttTopic)
        }
        if let mqttServer {
            guard new.mqtt != nil else { throw AlertDraftError.serverWithoutTopic(mqttServer) }
            new.mqtt?.serverID = mqttServer.isEmpty ? nil : try configuration.server(matching: mqttServer).id
        }
        if let webhookURL {
            new.webhook = webhookURL.isEmpty ? nil : .init(url: webhookURL, secretName: old.webhook?.secretName)
        }
        if let webhookSecretName {
            guard new.webhook != nil else { throw AlertDraftError.secretWithoutAddress(webhookSecretName) }
            new.webhook?.secretName = webhookSecretName.isEmpty ? nil : webhookSecretName
        }
        return new
    }
}

/// Why a draft of settings means nothing.
enum AlertDraftError: Error, Equatable, CustomStringConvertible {
    case serverWithoutTopic(String)
    case secretWithoutAddress(String)

    var description: String {
        switch self {
        case .serverWithoutTopic(let server):
            "alerts are not published, so the server \(server) means nothing: give the topic, too"
        case .secretWithoutAddress(let name):
            "alerts are not sent to a web address, so the secret \(name) means nothing: give the address, too"
        }
    }
}
