package import PoolModel

/// What a command asks of the alerts.
package enum AlertRequest: Codable, Hashable, Sendable {
    /// The open alerts, with so many of the last notices.
    case report(notices: Int)
    /// Acknowledge an open alert.
    case acknowledge(AlertEpisodeID)
    /// Let an open alert be quiet for so many seconds, 1…604800.
    case snooze(AlertEpisodeID, seconds: Int)
    /// Send a test notice over every channel (P68).
    case test
    /// Change the settings; what the patch leaves nil stays.
    case change(AlertSettingsPatch)
    /// Be alerted in this way from now on.
    case replace(AlertSettings)
    /// Keep the secret that signs webhooks under a name; an empty one is forgotten.
    case setSigningSecret(String, name: String)
}

/// What changes at the settings; what is nil stays.
package struct AlertSettingsPatch: Codable, Hashable, Sendable {
    /// Whether there are alerts at all.
    package var isEnabled: Bool?
    /// Whether values outside their limits alert.
    package var alertsOnValues: Bool?
    /// Whether missing values alert.
    package var alertsOnMissing: Bool?
    /// Whether faulty probes alert.
    package var alertsOnFaults: Bool?
    /// Whether lost connections alert.
    package var alertsOnConnections: Bool?
    /// Whether the end of an alert is told.
    package var tellsRecoveries: Bool?
    /// The quantities that do not alert.
    package var mutedQuantities: Set<Quantity>?
    /// The pause before a repetition, in seconds.
    package var cooldownSeconds: Int?
    /// Whether an alert is repeated until it is acknowledged or over.
    package var repeatsUntilAcknowledged: Bool?
    /// The longest pause between repetitions, in seconds.
    package var longestRepeatSeconds: Int?
    /// How many samples must agree.
    package var confirmationSamples: Int?
    /// How long nothing may contradict, in seconds.
    package var confirmationSeconds: Int?
    /// How far a value must come back, by quantity; what is not named stays.
    package var hysteresis: QuantityMap<Double>?
    /// How long a device may be silent, in seconds.
    package var missingDelaySeconds: Int?
    /// How long a connection may be lost, in seconds.
    package var connectionDelaySeconds: Int?
    /// When to leave people alone.
    package var quietHours: QuietHours?
    /// Whether there shall be no quiet hours.
    package var removesQuietHours = false
    /// Whether the hub's screen shows alerts.
    package var terminal: Bool?
    /// Whether the desktop does.
    package var desktop: Bool?
    /// Whether watches do.
    package var watches: Bool?
    /// The topic to publish to; empty for none.
    package var mqttTopic: String?
    /// The server to publish to; removed for all.
    package var mqttServerID: OptionalPatch<ServerID>?
    /// The address to send to; empty for none.
    package var webhookURL: String?
    /// The name of the secret that signs; empty for unsigned.
    package var webhookSecretName: String?

    /// Creates a patch that changes nothing.
    package init() {}

    /// The settings with what the patch changes; they are not checked.
    ///
    /// - Throws: `ConfigurationError` for a server that nobody knows.
    package func applied(to old: AlertSettings, in configuration: PoolConfiguration) throws -> AlertSettings {
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
        if let mqttServerID {
            let server = try mqttServerID.value.map { try configuration.known($0) }
            guard new.mqtt != nil else { throw AlertPatchError.serverWithoutTopic(server?.name ?? "") }
            new.mqtt?.serverID = server?.id
        }
        if let webhookURL {
            new.webhook = webhookURL.isEmpty ? nil : .init(url: webhookURL, secretName: old.webhook?.secretName)
        }
        if let webhookSecretName {
            guard new.webhook != nil else { throw AlertPatchError.secretWithoutAddress(webhookSecretName) }
            new.webhook?.secretName = webhookSecretName.isEmpty ? nil : webhookSecretName
        }
        return new
    }
}

/// Why a patch of the settings means nothing.
package enum AlertPatchError: Error, Equatable, CustomStringConvertible {
    /// A server without the topic to publish to.
    case serverWithoutTopic(String)
    /// A secret without the web address to send to.
    case secretWithoutAddress(String)

    /// What is wrong, and the way out.
    package var description: String {
        switch self {
        case .serverWithoutTopic(let server):
            "alerts are not published, so the server \(server) means nothing: give the topic, too"
        case .secretWithoutAddress(let name):
            "alerts are not sent to a web address, so the secret \(name) means nothing: give the address, too"
        }
    }
}
