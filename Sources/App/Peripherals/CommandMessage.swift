package import Appliances

/// A command as a device gets it, before it is sealed; the same on the short link and on MQTT.
package struct CommandMessage<Settings: Codable & Hashable & Sendable>: Hashable, Codable, Sendable {
    /// The id of the command; a repeat has the same one.
    package var id: Command.ID
    /// What to do, as people write it, such as `press 3s`; nil for a message that only sets.
    package var action: String?
    /// The settings to keep; nil for a message that acts.
    package var settings: Settings?
    /// When it must have been carried out, by the device's clock.
    package var until: Timestamp

    private enum CodingKeys: String, CodingKey {
        case id, until
        case action = "do"
        case settings = "set"
    }

    /// A command to act.
    package init(_ id: Command.ID, _ action: Action, until: Timestamp) {
        self.id = id
        self.action = action.text
        self.until = until
    }

    /// A command to keep settings.
    package init(_ id: Command.ID, set settings: Settings, until: Timestamp) {
        self.id = id
        self.settings = settings
        self.until = until
    }
}

/// A device's answer to a command, the same on the short link and on MQTT.
package struct Acknowledgement: Hashable, Codable, Sendable {
    /// The id of the command.
    package var id: Command.ID
    /// Nil when it was carried out, now or before.
    package var denial: CommandStatus?

    /// The answer to a command.
    package init(_ id: Command.ID, _ answer: DeviceAnswer) {
        self.id = id
        denial = answer.denial
    }

    /// What the device answered.
    package var answer: DeviceAnswer {
        switch denial {
        case .refused(let reason): .refused(reason)
        case .expired: .expired
        case nil, .idle, .asked, .sent, .confirmed, .unconfirmed, .unknown: .done
        }
    }
}
