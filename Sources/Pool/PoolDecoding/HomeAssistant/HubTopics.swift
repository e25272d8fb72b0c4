import HomeAssistantMQTT
public import PoolModel

/// The topics on which a hub publishes its data for other programs.
///
/// ```
/// poolsensors/<hub id>/status                              online | offline         retained; the will says offline
/// poolsensors/<hub id>/<device id>/values                  {"temperature":26.4,…}   not retained
/// poolsensors/<hub id>/<device id>/status                  {"status":"warning",…}   retained
/// poolsensors/<hub id>/<device id>/availability            online | offline         retained
/// poolsensors/<hub id>/<device id>/availability/<quantity> online | offline         retained
/// poolsensors/<hub id>/<device id>/alerts/<quantity>       {"state":"ON",…}         retained
/// poolsensors/<hub id>/<device id>/alerts/device           {"state":"ON",…}         retained
/// poolsensors/<hub id>/alerts/<server id>                  {"state":"ON",…}         retained
/// poolsensors/<hub id>/alerts/storage                      {"state":"ON",…}         retained
/// poolsensors/<hub id>/alerts                              one event each           not retained
/// ```
///
/// Values are not retained: replayed to a program that connects later, an old value would look new, and in Home
/// Assistant it would restart its expiry time. A hub publishes them again when a program asks for them with its birth
/// message.
///
/// Names of people and pools are in no topic: a hub and its devices appear under their ids, with the characters
/// `[A-Za-z0-9_-]` that Home Assistant and Sparkplug require.
public struct HubTopics: Hashable, Sendable {
    /// The first level of every topic that a hub publishes to.
    public static let root = "poolsensors"
    /// The payload of an availability topic for "available".
    public static let online = "online"
    /// The payload of an availability topic for "not available"; also the will's.
    public static let offline = "offline"

    /// The id of the hub; 1…64 of `[A-Za-z0-9_-]`.
    public let hubID: String

    /// Creates the topics of a hub; nil unless its id is 1…64 of `[A-Za-z0-9_-]`.
    public init?(hubID: String) {
        guard HomeAssistantTopic.isID(hubID), hubID.utf8.count <= 64 else { return nil }
        self.hubID = hubID
    }

    /// The beginning of all topics, without a slash at its end.
    public var base: String { "\(Self.root)/\(hubID)" }

    /// The topic that says whether the hub is available, which is also the topic of the will.
    public var availability: String { "\(base)/status" }

    /// The topic for each start and end of an alert, not retained.
    public var alerts: String { "\(base)/alerts" }

    /// The beginning of the topics of a device.
    public func device(_ device: DeviceID) -> String { "\(base)/\(device)" }

    /// The topic of the corrected values of a device: a JSON object with the raw values of `Quantity` as keys.
    public func values(of device: DeviceID) -> String { "\(self.device(device))/values" }

    /// The topic of the status of a device.
    public func status(of device: DeviceID) -> String { "\(self.device(device))/status" }

    /// The topic that says whether a device reports.
    public func availability(of device: DeviceID) -> String { "\(self.device(device))/availability" }

    /// The topic that says whether a device has a current value of a quantity.
    public func availability(of device: DeviceID, _ quantity: Quantity) -> String {
        "\(availability(of: device))/\(quantity.rawValue)"
    }

    /// The topic of the alerts for a device as a whole: it is silent, or its messages cannot be read.
    public func alert(of device: DeviceID) -> String { "\(self.device(device))/alerts/device" }

    /// The topic of the alert for the connection to a server.
    public func alert(of server: ServerID) -> String { "\(alerts)/\(server)" }

    /// The topic of the alert for the storage of the hub itself.
    public var storageAlert: String { "\(alerts)/storage" }

    /// The topic of the alerts for a quantity of a device.
    public func alert(of device: DeviceID, _ quantity: Quantity) -> String {
        "\(self.device(device))/alerts/\(quantity.rawValue)"
    }

    /// All retained topics of a device, in a fixed order, to be emptied when it is removed.
    public func retained(of device: DeviceID) -> [String] {
        [status(of: device), availability(of: device)] + Quantity.allCases.map { alert(of: device, $0) }
            + [alert(of: device)] + Quantity.allCases.map { availability(of: device, $0) }
    }

    /// Whether a topic is one that any hub publishes to: then it is not a source of readings.
    public static func isOfAHub(_ topic: String) -> Bool {
        guard topic.hasPrefix(root + "/") else { return false }
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        switch levels.count {
        case 3: return levels[2] == "status" || levels[2] == "alerts"
        case 4:
            if levels[2] == "alerts" { return levels[3] == "storage" || ServerID(levels[3]) != nil }
            return DeviceID(levels[2]) != nil && ["values", "status", "availability"].contains(levels[3])
        case 5: return DeviceID(levels[2]) != nil && ["alerts", "availability"].contains(levels[3])
        default: return false
        }
    }
}
