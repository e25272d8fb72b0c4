package import PoolModel

/// An alert command.
package enum AlertRequest: Codable, Hashable, Sendable {
    /// Return the open alerts and at most this many of the latest notices.
    case report(notices: Int)
    /// Acknowledge an open alert.
    case acknowledge(AlertEpisodeID)
    /// Snooze an open alert for this many seconds, 1…604800.
    case snooze(AlertEpisodeID, seconds: Int)
    /// Send a test notice over every channel.
    case test
    /// Change the settings; fields that are nil in the patch stay.
    case change(AlertSettingsPatch)
    /// Store the secret that signs webhooks under a name; an empty secret removes it.
    case setSigningSecret(String, name: String)
    /// Store a secret of a service for phones, for the server with this address; an empty secret removes it.
    case setPhoneSecret(String, AlertChannel, field: String, server: String)
    /// Send a test notice over one channel, and reply what became of it.
    case testChannel(AlertChannel)
}

/// A change of the alert settings; fields that are nil stay.
package struct AlertSettingsPatch: Codable, Hashable, Sendable {
    /// Whether alerts are enabled; a test alert is sent even if they are not.
    package var isEnabled: Bool?
    /// Whether values outside their limits alert.
    package var alertsOnValues: Bool?
    /// Whether missing values alert.
    package var alertsOnMissing: Bool?
    /// Whether faulty probes alert.
    package var alertsOnFaults: Bool?
    /// Whether lost connections alert.
    package var alertsOnConnections: Bool?
    /// Whether the end of an alert is notified.
    package var tellsRecoveries: Bool?
    /// Whether a quantity is muted, that is, does not alert.
    ///
    /// Other quantities stay.
    package var muted: QuantityMap<Bool>?
    /// The time after a delivered alert before the same one is notified again, in seconds; 60…3600.
    package var cooldownSeconds: Int?
    /// Whether a notice is repeated until the alert is acknowledged or has ended.
    package var repeatsUntilAcknowledged: Bool?
    /// The maximum time between two repetitions, in seconds; 3600…604800.
    package var longestRepeatSeconds: Int?
    /// The number of consecutive samples that must agree before a warning begins or ends; 1…20.
    package var confirmationSamples: Int?
    /// The time without a contradicting sample that also confirms the first one, in seconds; 0…3600, 0 for never.
    package var confirmationSeconds: Int?
    /// How far a value must return within its limits before the alert ends, by quantity.
    ///
    /// Other quantities stay.
    package var hysteresis: QuantityMap<Double>?
    /// How long a device may be silent before an alert, in seconds; 0…86400.
    package var missingDelaySeconds: Int?
    /// How long a connection may be lost before an alert, in seconds; 0…3600.
    package var connectionDelaySeconds: Int?
    /// The daily quiet hours.
    package var quietHours: OptionalPatch<QuietHours>?
    /// Whether alerts are shown on the hub's screen.
    package var terminal: Bool?
    /// Whether alerts are shown on the desktop.
    package var desktop: Bool?
    /// Whether alerts are sent to watches.
    package var watches: Bool?
    /// The MQTT topic to publish to; empty for none.
    package var mqttTopic: String?
    /// The server to publish to; `remove` for all servers.
    package var mqttServerID: OptionalPatch<ServerID>?
    /// The URL of the webhook; empty for none.
    package var webhookURL: String?
    /// The name of the secret that signs webhooks; empty for unsigned.
    package var webhookSecretName: String?
    /// The language of notices on phones.
    package var language: TextLanguage?
    /// The settings of services for phones, by their channels; `remove` switches one off.
    ///
    /// Other services stay.
    package var phones: [AlertChannel: OptionalPatch<PhoneSettings>]?

    /// Creates a patch that changes nothing.
    package init() {}

    /// Applies the patch to settings, without validating the result.
    ///
    /// - Throws: `ConfigurationError` if the server does not exist.
    package func applied(to old: AlertSettings, in configuration: PoolConfiguration) throws -> AlertSettings {
        var new = old
        new.isEnabled = isEnabled ?? old.isEnabled
        new.alertsOnValues = alertsOnValues ?? old.alertsOnValues
        new.alertsOnMissing = alertsOnMissing ?? old.alertsOnMissing
        new.alertsOnFaults = alertsOnFaults ?? old.alertsOnFaults
        new.alertsOnConnections = alertsOnConnections ?? old.alertsOnConnections
        new.tellsRecoveries = tellsRecoveries ?? old.tellsRecoveries
        for (quantity, isMuted) in muted?.pairs ?? [] {
            if isMuted { new.mutedQuantities.insert(quantity) } else { new.mutedQuantities.remove(quantity) }
        }
        new.cooldownSeconds = cooldownSeconds ?? old.cooldownSeconds
        new.repeatsUntilAcknowledged = repeatsUntilAcknowledged ?? old.repeatsUntilAcknowledged
        new.longestRepeatSeconds = longestRepeatSeconds ?? old.longestRepeatSeconds
        new.confirmationSamples = confirmationSamples ?? old.confirmationSamples
        new.confirmationSeconds = confirmationSeconds ?? old.confirmationSeconds
        for (quantity, distance) in hysteresis?.pairs ?? [] { new.hysteresis[quantity] = distance }
        new.missingDelaySeconds = missingDelaySeconds ?? old.missingDelaySeconds
        new.connectionDelaySeconds = connectionDelaySeconds ?? old.connectionDelaySeconds
        if let quietHours { new.quietHours = quietHours.value }
        new.language = language ?? old.language
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
        for (channel, settings) in phones ?? [:] { new.phones[channel] = settings.value }
        return new
    }
}

extension AlertSettingsPatch {
    /// Creates a patch with all settings.
    package init(of settings: AlertSettings) {
        self.init()
        isEnabled = settings.isEnabled
        alertsOnValues = settings.alertsOnValues
        alertsOnMissing = settings.alertsOnMissing
        alertsOnFaults = settings.alertsOnFaults
        alertsOnConnections = settings.alertsOnConnections
        tellsRecoveries = settings.tellsRecoveries
        for quantity in Quantity.allCases { mute(quantity, settings.mutedQuantities.contains(quantity)) }
        cooldownSeconds = settings.cooldownSeconds
        repeatsUntilAcknowledged = settings.repeatsUntilAcknowledged
        longestRepeatSeconds = settings.longestRepeatSeconds
        confirmationSamples = settings.confirmationSamples
        confirmationSeconds = settings.confirmationSeconds
        hysteresis = settings.hysteresis
        missingDelaySeconds = settings.missingDelaySeconds
        connectionDelaySeconds = settings.connectionDelaySeconds
        quietHours = settings.quietHours.map { .set($0) } ?? .remove
        terminal = settings.channels.terminal
        desktop = settings.channels.desktop
        watches = settings.channels.watches
        mqttTopic = settings.channels.mqtt?.topic ?? ""
        if let mqtt = settings.channels.mqtt { mqttServerID = mqtt.serverID.map { .set($0) } ?? .remove }
        webhookURL = settings.channels.webhook?.url ?? ""
        if let webhook = settings.channels.webhook { webhookSecretName = webhook.secretName ?? "" }
        language = settings.language
        phones = [:]
        for service in PhoneService.table {
            phones?[service.channel] = settings.channels.phones[service.channel].map { .set($0) } ?? .remove
        }
    }

    /// Mutes a quantity or unmutes it; other quantities stay.
    package mutating func mute(_ quantity: Quantity, _ isMuted: Bool) {
        muted = muted ?? [:]
        muted?[quantity] = isMuted
    }

    /// The fields of this patch that differ from those of another one.
    package func changes(from old: Self) -> Self {
        var new = self
        new.isEnabled.clear(ifEqual: old.isEnabled)
        new.alertsOnValues.clear(ifEqual: old.alertsOnValues)
        new.alertsOnMissing.clear(ifEqual: old.alertsOnMissing)
        new.alertsOnFaults.clear(ifEqual: old.alertsOnFaults)
        new.alertsOnConnections.clear(ifEqual: old.alertsOnConnections)
        new.tellsRecoveries.clear(ifEqual: old.tellsRecoveries)
        for quantity in Quantity.allCases {
            new.muted?[quantity].clear(ifEqual: old.muted?[quantity])
            new.hysteresis?[quantity].clear(ifEqual: old.hysteresis?[quantity])
        }
        if new.muted?.isEmpty == true { new.muted = nil }
        if new.hysteresis?.isEmpty == true { new.hysteresis = nil }
        new.cooldownSeconds.clear(ifEqual: old.cooldownSeconds)
        new.repeatsUntilAcknowledged.clear(ifEqual: old.repeatsUntilAcknowledged)
        new.longestRepeatSeconds.clear(ifEqual: old.longestRepeatSeconds)
        new.confirmationSamples.clear(ifEqual: old.confirmationSamples)
        new.confirmationSeconds.clear(ifEqual: old.confirmationSeconds)
        new.missingDelaySeconds.clear(ifEqual: old.missingDelaySeconds)
        new.connectionDelaySeconds.clear(ifEqual: old.connectionDelaySeconds)
        new.quietHours.clear(ifEqual: old.quietHours)
        new.terminal.clear(ifEqual: old.terminal)
        new.desktop.clear(ifEqual: old.desktop)
        new.watches.clear(ifEqual: old.watches)
        new.mqttTopic.clear(ifEqual: old.mqttTopic)
        new.mqttServerID.clear(ifEqual: old.mqttServerID)
        new.webhookURL.clear(ifEqual: old.webhookURL)
        new.webhookSecretName.clear(ifEqual: old.webhookSecretName)
        new.language.clear(ifEqual: old.language)
        new.phones = phones?.filter { old.phones?[$0.key] != $0.value }
        if new.phones?.isEmpty == true { new.phones = nil }
        return new
    }
}

/// Why a patch of the alert settings is invalid.
package enum AlertPatchError: Error, Equatable, CustomStringConvertible {
    /// A server is given, but there is no topic to publish to.
    case serverWithoutTopic(String)
    /// A secret is given, but there is no webhook URL.
    case secretWithoutAddress(String)

    /// What is wrong, and how to correct it.
    package var description: String {
        switch self {
        case .serverWithoutTopic(let server):
            "alerts are not published, so the server \(server) means nothing: give the topic, too"
        case .secretWithoutAddress(let name):
            "alerts are not sent to a web address, so the secret \(name) means nothing: give the address, too"
        }
    }
}
