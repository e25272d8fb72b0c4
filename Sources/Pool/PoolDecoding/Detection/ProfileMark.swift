import HomeAssistantMQTT
import PoolModel

/// Recognizes a product by something other than the topics and keys of its values, because other products have these
/// too.
enum ProfileMark {
    /// Whether the mark of a profile is present; a profile without a mark is recognized by its values alone.
    static func holds(
        _ profile: String, base: String, payloads: [String: ReadPayload], _ quantities: Set<Quantity>
    ) -> Bool {
        let own = payloads[base]
        let measuresMoreThanWarmth = quantities != [.temperature]
        switch profile {
        case "zigbee2mqtt":
            return measuresMoreThanWarmth && (own?.has("linkquality") == true || base.hasPrefix("zigbee2mqtt/"))
        // Home Assistant's own statestream has the same levels.
        case "esphome": return base != HomeAssistantTopic.defaultPrefix
        case "blueriiot":
            return payloads["\(base)/last_measurement/state"] != nil
                || Quantity.allCases.contains { payloads["\(base)/\($0.rawValue)/attributes"] != nil }
        case "aqualinkd": return payloads["\(base)/Alive"] != nil || base.hasPrefix("aqualink")
        case "ble-yc01": return own?.scalar(at: .keys("sensorType"))?.hasPrefix("BLE-YC") == true
        case "pool-monitor-webapp": return isWebApp(base, payloads)
        case "poolmaster":
            return base.hasPrefix("PoolMaster") || payloads["\(base)/Meas1"]?.has("FilUpT") == true
        case "bayrol": return base.hasPrefix("d02/")
        case "espeasy":
            let word = payloads["\(base)/status"]?.scalar(at: .whole)
            return word == "Connected" || word == "Connection Lost"
        case "theengs": return own?.has("model_id") == true
        case "chirpstack": return payloads["\(base)/event/up"]?.has("deviceInfo") == true
        case "homie-pool-controller": return payloads["\(base)/$homie"] != nil || base.hasPrefix("homie/")
        default: return true
        }
    }

    /// Whether a profile is a naming convention, so that names may say more about a device than the profile does.
    static func isConvention(_ profile: String) -> Bool {
        ["esphome", "espeasy", "ha-statestream", "homie-pool-controller"].contains(profile)
    }

    /// The name that a device gives itself, otherwise one made from its topic.
    static func name(_ profile: String, base: String, payloads: [String: ReadPayload]) -> String {
        let given: String? =
            switch profile {
            case "ble-yc01": payloads[base]?.scalar(at: .keys("name"))
            case "pool-monitor-webapp":
                (payloads["\(base)/ble-yc01"] ?? payloads["\(base)/manual"])?.scalar(at: .keys("name"))
            case "chirpstack": payloads["\(base)/event/up"]?.scalar(at: .keys("deviceInfo", "deviceName"))
            case "iopool": payloads[base]?.scalar(at: ValuePath([.index(0), .key("title")]))
            default: nil
            }
        if let given, !given.trimmedOfBlanks.isEmpty { return given.shortened }
        return ProposalDraft.name(fromTopic: base)
    }

    /// The web application has several topics next to each other; a single probe topic means the bridge.
    private static func isWebApp(_ base: String, _ payloads: [String: ReadPayload]) -> Bool {
        payloads["\(base)/manual"]?.scalar(at: .keys("sensorType")) == "manual"
            || (payloads["\(base)/ble-yc01"] != nil && payloads["\(base)/pump"] != nil)
    }
}

extension ReadPayload {
    /// Whether the payload is an object with this key.
    fileprivate func has(_ key: String) -> Bool { parts.contains { $0.json?.member(named: key) != nil } }
}
