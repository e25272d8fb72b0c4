package import Appliances
package import MQTT

/// The topics of the devices and their bridges: the maker's word, the serial number and the part, such as `tars/0042A1/set`.
package struct PeripheralTopic<Maker: PeripheralMaker>: Hashable, Sendable {
    package typealias Serial = SerialNumber<Maker>

    /// The kind of its messages.
    package enum Part: String, CaseIterable, Sendable {
        /// A sealed ``CommandMessage`` for the device; never retained.
        case set
        /// An ``Acknowledgement`` of the device.
        case ack
        /// The state, retained.
        case state
        /// `online` or `offline`, retained: a device by its bridge, which adds its own serial number, and a bridge by its
        /// will (T43).
        case status
    }

    /// Of which device or bridge.
    package var serial: Serial
    /// The kind of its messages.
    package var part: Part

    /// Creates a topic.
    package init(_ serial: Serial, _ part: Part) {
        self.serial = serial
        self.part = part
    }

    /// Reads a topic; nil if it is another one.
    package init?(_ text: String) {
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == Maker.word, let part = Part(rawValue: String(words[2])),
            let serial = try? Serial(short: String(words[1])), serial.short == words[1]
        else { return nil }
        self.init(serial, part)
    }

    /// The topic in letters.
    package var text: String { "\(Maker.word)/\(serial.short)/\(part.rawValue)" }

    /// The topic.
    package var name: MQTT.TopicName {
        do throws(MQTTError) {
            return try MQTT.TopicName(text)
        } catch {
            preconditionFailure("a serial number makes no topic: \(error)")
        }
    }

    /// The filter for this part of every device and bridge.
    package static func filter(_ part: Part) -> TopicFilter {
        do throws(MQTTError) {
            return try TopicFilter("\(Maker.word)/+/\(part.rawValue)")
        } catch {
            preconditionFailure("there is no filter of \(part.rawValue): \(error)")
        }
    }
}

/// What is retained at ``PeripheralTopic/Part/status``.
package struct PeripheralStatus<Maker: PeripheralMaker>: Hashable, Sendable {
    /// Whether the device or the bridge is there.
    package var presence: Surroundings.Presence
    /// The bridge that says so of a device; nil of a bridge.
    package var hub: SerialNumber<Maker>?

    /// Notes a status.
    package init(_ presence: Surroundings.Presence, by hub: SerialNumber<Maker>? = nil) {
        self.presence = presence
        self.hub = hub
    }

    /// The bytes, such as `online H001`.
    package var payload: [UInt8] {
        Array((presence.rawValue + (hub.map { " \($0.short)" } ?? "")).utf8)
    }

    /// Reads what is retained; unknown if it is anything else.
    package init(payload: [UInt8]) {
        let words = String(decoding: payload, as: UTF8.self).split(separator: " ")
        presence = words.first.flatMap { Surroundings.Presence(rawValue: String($0)) } ?? .unknown
        hub = words.count == 2 ? try? SerialNumber(short: String(words[1])) : nil
    }
}
