public import HomeAssistantMQTT
public import PoolModel

/// The announcement of one of a hub's devices to Home Assistant: the corrected values, the status, the alerts.
///
/// It is one retained message in the device form, with full keys. Announce again when Home Assistant publishes
/// `online` on ``birthTopic(prefix:)``, when the device changes, and when a quantity is added or removed: the same
/// message removes the quantities that the device does not have.
///
/// Source: Home Assistant, "MQTT", section "Device discovery payload"; "MQTT Sensor"; "MQTT Binary sensor".
public struct HomeAssistantAnnouncement: Hashable, Sendable {
    /// The name of the announcing program, by which its announcements are recognized.
    public static let originName = "PoolSensors"

    /// The topics of the hub.
    public var topics: HubTopics
    /// The device.
    public var device: DeviceID
    /// The name of the device for people; any UTF-8.
    public var name: String
    /// The kind of device, in words.
    public var model: String
    /// The pool, suggested as the area; nil for none.
    public var poolName: String?
    /// The quantities that the device measures.
    public var quantities: [Quantity]
    /// The quantities that have an open alert, even if the device no longer measures them.
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

    /// The name of this device among all that announce themselves; only `[A-Za-z0-9_-]`.
    public var objectID: String { "\(HubTopics.root)_\(topics.hubID)_\(device)" }

    /// The topic of the announcement.
    public func topic(prefix: String = HomeAssistantTopic.defaultPrefix) -> String {
        HomeAssistantTopic(prefix: prefix, component: "device", objectID: objectID).text
    }

    /// The topic on which Home Assistant publishes `online` after its start; then everything is to be announced
    /// again.
    public static func birthTopic(prefix: String = HomeAssistantTopic.defaultPrefix) -> String { "\(prefix)/status" }

    /// The announcement, retained.
    public func message(prefix: String = HomeAssistantTopic.defaultPrefix) -> PublishedMessage {
        PublishedMessage(
            topic: topic(prefix: prefix), payload: CanonicalJSON.bytes(ofEncodable: AnnouncementPayload(self)))
    }

    /// The messages that delete the announcement and everything retained for the device.
    public func deletionMessages(prefix: String = HomeAssistantTopic.defaultPrefix) -> [PublishedMessage] {
        [PublishedMessage(topic: topic(prefix: prefix), payload: [])] + topics.removalMessages(of: device)
    }
}

/// The announcement of a hub itself to Home Assistant: an alert for its storage, and one for the connection to each
/// of its servers.
public struct HubAnnouncement: Hashable, Sendable {
    /// A server with its name for people.
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
    /// The servers that were announced and have been removed.
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

    /// The name of the hub among all that announce themselves; only `[A-Za-z0-9_-]`.
    public var objectID: String { "\(HubTopics.root)_\(topics.hubID)" }

    /// The announcement, retained.
    public func message(prefix: String = HomeAssistantTopic.defaultPrefix) -> PublishedMessage {
        PublishedMessage(
            topic: topic(prefix: prefix), payload: CanonicalJSON.bytes(ofEncodable: AnnouncementPayload(self)))
    }

    /// The messages that delete the announcement and everything retained for the hub and its servers.
    public func deletionMessages(prefix: String = HomeAssistantTopic.defaultPrefix) -> [PublishedMessage] {
        ([topic(prefix: prefix), topics.storageAlert] + (servers.map(\.id) + gone).map { topics.alert(of: $0) }).map {
            PublishedMessage(topic: $0, payload: [])
        }
    }

    private func topic(prefix: String) -> String {
        HomeAssistantTopic(prefix: prefix, component: "device", objectID: objectID).text
    }
}
