package import TarsModel

/// A motor device of this app: the same bytes go over the short link and, by a bridge, over MQTT (T17).
///
///     tars/<serial>/set     {"do":"press 3s","id":"<32 digits>","until":<ms>}    to the device
///     tars/<serial>/ack     {"id":"<32 digits>","result":"done"}                 from it
///     tars/<serial>/status  online | offline                                     retained; the will of its bridge
///     tars/<serial>/info    DeviceInfo                                           retained
package struct OwnBinding: Binding {
    /// The device.
    package var serial: Serial

    /// Names the device.
    package init(_ serial: Serial) { self.serial = serial }

    /// What a device tells of itself.
    package struct DeviceInfo: Hashable, Codable, Sendable {
        /// How it works, and what it keeps.
        package var settings: DeviceSettings
        /// Whether a switch is on.
        package var isOn: Bool
        /// How far a curtain is open, 0…100.
        package var position: Int
        /// What is left of the battery, 0…100 %.
        package var battery: Int
        /// How strongly its hub hears it, in dBm; nil on the short link.
        package var rssi: Int?
        /// The version of its program.
        package var firmware: String

        /// What a device tells.
        package init(_ record: DeviceRecord, battery: Int, rssi: Int?, firmware: String) {
            settings = record.settings
            isOn = record.isOn
            position = record.position
            self.battery = battery
            self.rssi = rssi
            self.firmware = firmware
        }

        fileprivate var state: ApplianceState {
            var state = ApplianceState()
            switch settings.mode {
            case .switch: state.isOn = isOn
            case .curtain:
                state.isOn = position > 0
                state.position = position
            case .press, .custom: break
            }
            state.battery = battery
            state.rssi = rssi
            return state
        }
    }

    /// A command on the wire.
    package struct Request: Codable, Hashable, Sendable {
        /// The command.
        package var id: Command.ID
        /// When it expires, in milliseconds since 1970.
        package var until: Timestamp
        /// The action in words.
        var action: String?
        /// Settings to keep.
        var keep: DeviceSettings?

        private enum CodingKeys: String, CodingKey {
            case id, until, keep
            case action = "do"
        }

        /// Asks for an action or for new settings.
        package init(id: Command.ID, until: Timestamp, _ order: DeviceCore.Order) {
            self.id = id
            self.until = until
            switch order {
            case .act(let action): self.action = action.text
            case .configure(let settings): keep = settings
            }
        }

        /// What it asks for; nil if this version does not know it.
        package var order: DeviceCore.Order? {
            if let keep { return .configure(keep) }
            do throws(ModelProblem) {
                return .act(try Action(action ?? ""))
            } catch {
                return nil
            }
        }
    }

    /// An answer on the wire.
    package struct Acknowledgement: Codable, Hashable, Sendable {
        /// The command.
        package var id: Command.ID
        /// The answer.
        package var result: DeviceAnswer

        /// Answers a command.
        package init(id: Command.ID, result: DeviceAnswer) {
            self.id = id
            self.result = result
        }
    }

    package static let filter = "tars/+/info"

    package var setTopic: String { topic("set") }
    package var ackTopic: String { topic("ack") }
    package var statusTopic: String { topic("status") }
    package var infoTopic: String { topic("info") }

    package var topics: [String] { [ackTopic, statusTopic, infoTopic] }

    package func order(for action: Action, id: Command.ID, until: Timestamp) -> Order? {
        let request = Request(id: id, until: until, .act(action))
        return Order(
            topic: setTopic, payload: String(decoding: CanonicalJSON.bytes(ofEncodable: request), as: UTF8.self))
    }

    package func reports(topic: String, payload: Payload) -> [Report] {
        switch topic {
        case statusTopic: return [.presence(payload.text == "online" ? .online : .offline, topic: topic)]
        case ackTopic: return decode(Acknowledgement.self, payload).map { [.answer(.id($0.id), $0.result)] } ?? []
        case infoTopic: return decode(DeviceInfo.self, payload).map { [.state($0.state)] } ?? []
        default: return []
        }
    }

    package func confirms(_ action: Action) -> Bool { true }

    private func topic(_ name: String) -> String { "tars/\(serial.text)/\(name)" }

    private func decode<Value: Decodable>(_ type: Value.Type, _ payload: Payload) -> Value? {
        do throws(CanonicalJSON.Failure) {
            return try CanonicalJSON.decode(type, from: Array(payload.text.utf8))
        } catch {
            // What a device of another version says is left aside.
            return nil
        }
    }
}
