public import PoolModel

/// What a hub announces of one of its devices to Home Assistant: the corrected values, the status, the alerts.
///
/// It is one retained message in the device form, with full keys. Announce again when Home Assistant says `online` on
/// ``birthTopic(prefix:)``, when the device changes, and when a quantity comes or goes: quantities that the device does
/// not have are taken back in the same message.
/// Source: Home Assistant, "MQTT", section "Device discovery payload"; "MQTT Sensor"; "MQTT Binary sensor".
public struct HomeAssistantAnnouncement: Hashable, Sendable {
    /// The program that announces, as devices are found by it.
    public static let originName = "PoolSensors"

    /// The topics of the hub.
    public var topics: HubTopics
    /// The device.
    public var device: DeviceID
    /// The name of the device for people; any UTF-8.
    public var name: String
    /// What the device is, in words.
    public var model: String
    /// The pool, offered as the area; nil for none.
    public var poolName: String?
    /// The quantities that the device measures.
    public var quantities: [Quantity]
    /// The quantities that have an open alert, although the device may not measure them any more.
    public var alerting: [Quantity]
    /// How often the device is expected to report, in seconds; values expire after three times that.
    public var expectedIntervalSeconds: Int
    /// The version of the hub's program.
    public var softwareVersion: String

    /// Creates an announcement.
    public init(
        topics: HubTopics, device: DeviceID, name: String, model: String = Device.defaultType,
        poolName: String? = nil, quantities: [Quantity] = Quantity.allCases, alerting: [Quantity] = [],
        expectedIntervalSeconds: Int, softwareVersion: String = Release.version
    ) {
        self.topics = topics
        self.device = device
        self.name = name
        self.model = model
        self.poolName = poolName
        self.quantities = quantities
        self.alerting = alerting
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.softwareVersion = softwareVersion
    }

    /// The name of this device among all that announce themselves; `[A-Za-z0-9_-]`.
    public var objectID: String { "\(HubTopics.root)_\(topics.hubID)_\(device)" }

    /// The topic of the announcement.
    public func topic(prefix: String = HomeAssistantTopic.defaultPrefix) -> String {
        HomeAssistantTopic(prefix: prefix, component: "device", objectID: objectID).text
    }

    /// Where Home Assistant says `online` when it has started, after which everything is to be announced again.
    public static func birthTopic(prefix: String = HomeAssistantTopic.defaultPrefix) -> String { "\(prefix)/status" }

    /// The announcement, retained.
    public func message(prefix: String = HomeAssistantTopic.defaultPrefix) -> PublishedMessage {
        PublishedMessage(
            topic: topic(prefix: prefix), payload: CanonicalJSON.bytes(ofEncodable: AnnouncementPayload(self)))
    }

    /// What deletes the announcement and all that is retained of the device.
    public func deletionMessages(prefix: String = HomeAssistantTopic.defaultPrefix) -> [PublishedMessage] {
        [PublishedMessage(topic: topic(prefix: prefix), payload: [])] + topics.removalMessages(of: device)
    }
}

/// What a hub announces of itself to Home Assistant: an alert for its storage, and one for the connection to each of
/// its servers.
public struct HubAnnouncement: Hashable, Sendable {
    /// A server, by its name for people.
    public struct Server: Hashable, Sendable {
        /// The identity.
        public var id: ServerID
        /// The name.
        public var name: String

        /// Creates a server.
        public init(id: ServerID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// The topics of the hub.
    public var topics: HubTopics
    /// The servers.
    public var servers: [Server]
    /// The servers that were announced and are no more.
    public var gone: [ServerID]
    /// The version of the hub's program.
    public var softwareVersion: String

    /// Creates an announcement.
    public init(
        topics: HubTopics, servers: [Server], gone: [ServerID] = [], softwareVersion: String = Release.version
    ) {
        self.topics = topics
        self.servers = servers
        self.gone = gone
        self.softwareVersion = softwareVersion
    }

    /// The name of the hub among all that announce themselves; `[A-Za-z0-9_-]`.
    public var objectID: String { "\(HubTopics.root)_\(topics.hubID)" }

    /// The announcement, retained.
    public func message(prefix: String = HomeAssistantTopic.defaultPrefix) -> PublishedMessage {
        PublishedMessage(
            topic: topic(prefix: prefix), payload: CanonicalJSON.bytes(ofEncodable: AnnouncementPayload(self)))
    }

    /// What deletes the announcement and all that is retained of the hub and its servers.
    public func deletionMessages(prefix: String = HomeAssistantTopic.defaultPrefix) -> [PublishedMessage] {
        ([topic(prefix: prefix), topics.storageAlert] + (servers.map(\.id) + gone).map { topics.alert(of: $0) }).map {
            PublishedMessage(topic: $0, payload: [])
        }
    }

    private func topic(prefix: String) -> String {
        HomeAssistantTopic(prefix: prefix, component: "device", objectID: objectID).text
    }
}
