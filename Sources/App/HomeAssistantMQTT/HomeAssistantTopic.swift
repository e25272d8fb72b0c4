/// A topic on which a device is announced to Home Assistant.
///
/// `<prefix>/<component>/[<node id>/]<object id>/config` announces one entity, and with `device` as the component a
/// whole device. Source: Home Assistant, "MQTT", section "Discovery topic".
public struct HomeAssistantTopic: Hashable, Sendable {
    /// The discovery prefix; it can have several levels.
    public var prefix: String
    /// The kind of entity, such as `sensor`, or `device`.
    public var component: String
    /// The part that some devices insert before the object id, or nil.
    public var nodeID: String?
    /// The part that distinguishes entities or devices.
    public var objectID: String

    /// Creates the topic of an announcement.
    public init(prefix: String = defaultPrefix, component: String, nodeID: String? = nil, objectID: String) {
        self.prefix = prefix
        self.component = component
        self.nodeID = nodeID
        self.objectID = objectID
    }

    /// The default prefix of Home Assistant.
    public static let defaultPrefix = "homeassistant"

    /// Reads a topic; nil if it is not an announcement below this prefix, or has an id with characters other than
    /// `[A-Za-z0-9_-]`.
    public init?(_ topic: String, prefix: String = defaultPrefix) {
        guard topic.utf8.count <= 1024, topic.hasPrefix(prefix + "/") else { return nil }
        let levels = topic.dropFirst(prefix.count + 1).split(separator: "/", omittingEmptySubsequences: false)
        guard levels.last == "config", levels.count == 3 || levels.count == 4 else { return nil }
        guard levels.allSatisfy(Self.isID) else { return nil }
        self.init(
            prefix: prefix, component: String(levels[0]), nodeID: levels.count == 4 ? String(levels[1]) : nil,
            objectID: String(levels[levels.count - 2]))
    }

    /// The topic.
    public var text: String {
        [prefix, component, nodeID, objectID, "config"].compactMap { $0 }.joined(separator: "/")
    }

    /// Whether it announces a whole device.
    public var isDevice: Bool { component == "device" }

    /// Whether a text is a valid id for Home Assistant: at least one of `[A-Za-z0-9_-]` and nothing else.
    package static func isID(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(isIDByte)
    }

    package static func isIDByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
