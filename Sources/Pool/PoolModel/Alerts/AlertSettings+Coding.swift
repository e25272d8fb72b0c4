extension AlertSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case isEnabled = "enabled"
        case alertsOnValues = "values"
        case alertsOnMissing = "missing"
        case alertsOnFaults = "faults"
        case alertsOnConnections = "connections"
        case tellsRecoveries = "recoveries"
        case mutedQuantities = "muted"
        case cooldownSeconds
        case repeatsUntilAcknowledged = "repeats"
        case longestRepeatSeconds
        case confirmationSamples
        case confirmationSeconds
        case hysteresis
        case missingDelaySeconds
        case connectionDelaySeconds
        case quietHours
        case language
        case channels
    }

    /// Reads an object; an absent member has its default, and unknown members are ignored.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func read<Value: Decodable>(_ value: inout Value, _ key: CodingKeys) throws {
            value = try container.decodeIfPresent(Value.self, forKey: key) ?? value
        }
        try read(&isEnabled, .isEnabled)
        try read(&alertsOnValues, .alertsOnValues)
        try read(&alertsOnMissing, .alertsOnMissing)
        try read(&alertsOnFaults, .alertsOnFaults)
        try read(&alertsOnConnections, .alertsOnConnections)
        try read(&tellsRecoveries, .tellsRecoveries)
        try read(&mutedQuantities, .mutedQuantities)
        try read(&cooldownSeconds, .cooldownSeconds)
        try read(&repeatsUntilAcknowledged, .repeatsUntilAcknowledged)
        try read(&longestRepeatSeconds, .longestRepeatSeconds)
        try read(&confirmationSamples, .confirmationSamples)
        try read(&confirmationSeconds, .confirmationSeconds)
        try read(&hysteresis, .hysteresis)
        try read(&missingDelaySeconds, .missingDelaySeconds)
        try read(&connectionDelaySeconds, .connectionDelaySeconds)
        quietHours = try container.decodeIfPresent(QuietHours.self, forKey: .quietHours)
        // A language of a newer version is no reason to lose the other settings.
        language = (try? container.decodeIfPresent(TextLanguage.self, forKey: .language)) ?? language
        try read(&channels, .channels)
    }

    /// Writes an object with the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let standard = AlertSettings()
        func write<Value: Encodable & Equatable>(_ path: KeyPath<AlertSettings, Value>, _ key: CodingKeys) throws {
            if self[keyPath: path] != standard[keyPath: path] {
                try container.encode(self[keyPath: path], forKey: key)
            }
        }
        try write(\.isEnabled, .isEnabled)
        try write(\.alertsOnValues, .alertsOnValues)
        try write(\.alertsOnMissing, .alertsOnMissing)
        try write(\.alertsOnFaults, .alertsOnFaults)
        try write(\.alertsOnConnections, .alertsOnConnections)
        try write(\.tellsRecoveries, .tellsRecoveries)
        if !mutedQuantities.isEmpty {
            // In the order of the quantities, so that equal settings have equal bytes.
            try container.encode(Quantity.allCases.filter(mutedQuantities.contains), forKey: .mutedQuantities)
        }
        try write(\.cooldownSeconds, .cooldownSeconds)
        try write(\.repeatsUntilAcknowledged, .repeatsUntilAcknowledged)
        try write(\.longestRepeatSeconds, .longestRepeatSeconds)
        try write(\.confirmationSamples, .confirmationSamples)
        try write(\.confirmationSeconds, .confirmationSeconds)
        try write(\.hysteresis, .hysteresis)
        try write(\.missingDelaySeconds, .missingDelaySeconds)
        try write(\.connectionDelaySeconds, .connectionDelaySeconds)
        try container.encodeIfPresent(quietHours, forKey: .quietHours)
        try write(\.language, .language)
        try write(\.channels, .channels)
    }
}

extension AlertChannelSettings: Codable {
    private enum CodingKeys: String, CodingKey {
        case terminal
        case desktop
        case watches
        case mqtt
        case webhook
    }

    /// The key of a service: the name of its channel.
    private struct PhoneKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ channel: AlertChannel) { stringValue = channel.rawValue }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Reads an object; an absent member has its default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        terminal = try container.decodeIfPresent(Bool.self, forKey: .terminal) ?? terminal
        desktop = try container.decodeIfPresent(Bool.self, forKey: .desktop) ?? desktop
        watches = try container.decodeIfPresent(Bool.self, forKey: .watches) ?? watches
        mqtt = try container.decodeIfPresent(MQTT.self, forKey: .mqtt)
        webhook = try container.decodeIfPresent(Webhook.self, forKey: .webhook)
        let services = try decoder.container(keyedBy: PhoneKey.self)
        for service in PhoneService.table {
            let key = PhoneKey(service.channel)
            phones[service.channel] = try services.decodeIfPresent(PhoneSettings.self, forKey: key)
        }
    }

    /// Writes an object with the members that differ from the defaults.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        if !terminal { try container.encode(false, forKey: .terminal) }
        if !desktop { try container.encode(false, forKey: .desktop) }
        if !watches { try container.encode(false, forKey: .watches) }
        try container.encodeIfPresent(mqtt, forKey: .mqtt)
        try container.encodeIfPresent(webhook, forKey: .webhook)
        var services = encoder.container(keyedBy: PhoneKey.self)
        for service in PhoneService.table {
            try services.encodeIfPresent(phones[service.channel], forKey: PhoneKey(service.channel))
        }
    }
}
