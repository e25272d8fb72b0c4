package import TarsModel

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// What a phone or a bridge writes to a device on the short link: one frame of JSON.
package enum LinkRequest: Hashable, Codable, Sendable {
    /// May the sender have the device? (T8)
    case register
    /// A message of the pairing by PIN.
    case pairing(Data)
    /// A command, sealed with the key of the pairing; the same bytes as on MQTT (T17).
    case command(Data)
    /// The same, from a bridge that got it by MQTT.
    case relayed(Data)
    /// Send the sender each advertisement for ``AirLoop/silenceMax`` from now on: it listens.
    case scan
    /// The same, and tell it the state now and at each change (T7): it is connected.
    case follow
}

extension LinkRequest {
    /// What a device answers to ``register`` if it takes an owner without a PIN (T9).
    package static let successText = "success"
    /// What it answers if it wants the PIN (T10).
    package static let pinText = "pin"
    /// What stands for the PIN in the exchange of a key without one.
    package static let openPIN = "000000"
}

/// What a device writes back.
package enum LinkReply: Hashable, Codable, Sendable {
    /// What the device advertises.
    case advertisement(Advertisement)
    /// The answer to ``LinkRequest/register``: the text `success`, or anything else for "a PIN is needed" (T9, T10).
    ///
    /// It is bytes, because a device may send what is no text, which counts for nothing (T12).
    case registration(Data)
    /// A message of the pairing by PIN.
    case pairing(Data)
    /// The answer to a command: an ``Acknowledgement`` in JSON, the same bytes as on MQTT.
    case acknowledgement(Data)
    /// The state, which changed.
    case state(DeviceReport)
}

/// The state of a motor device, as it tells it; retained on MQTT by its bridge (T43).
package struct DeviceReport: Hashable, Codable, Sendable {
    /// How it works.
    package var mode: DeviceMode
    /// Whether a switch is on.
    package var isOn: Bool
    /// How far a curtain is open, 0…100.
    package var position: Int
    /// What is left of the battery, 0…100 %.
    package var battery: Int
    /// The version of its program.
    package var firmware: String
    /// Its clock.
    package var at: Timestamp

    private enum CodingKeys: String, CodingKey {
        case mode, position, battery, firmware, at
        case isOn = "on"
    }

    /// Creates a report.
    package init(mode: DeviceMode, isOn: Bool, position: Int, battery: Int, firmware: String, at: Timestamp) {
        self.mode = mode
        self.isOn = isOn
        self.position = position
        self.battery = battery
        self.firmware = firmware
        self.at = at
    }
}
