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
    /// Send the sender each advertisement for ``ShortLink/silenceMax`` from now on: it listens.
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
    /// The state, which changed, in JSON; the same bytes as on MQTT.
    case state(Data)
}

/// The times of the short link.
package enum ShortLink {
    /// The silence after which a device counts as gone, and a device forgets who listens.
    package static let silenceMax = Duration.seconds(3)
}
