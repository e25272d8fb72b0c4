import PoolModel

/// The structure of an announcement in the device form; absent members are left out.
struct AnnouncementPayload: Encodable {
    struct DeviceObject: Encodable {
        var identifiers: [String]
        var name: String
        var manufacturer: String
        var model: String
        var suggestedArea: String?

        enum CodingKeys: String, CodingKey {
            case identifiers
            case name
            case manufacturer
            case model
            case suggestedArea = "suggested_area"
        }
    }

    struct Origin: Encodable {
        var name: String
        var softwareVersion: String

        enum CodingKeys: String, CodingKey {
            case name
            case softwareVersion = "sw_version"
        }
    }

    struct Availability: Encodable {
        var topic: String
        var available = HubTopics.online
        var notAvailable = HubTopics.offline

        enum CodingKeys: String, CodingKey {
            case topic
            case available = "payload_available"
            case notAvailable = "payload_not_available"
        }
    }

    struct Component: Encodable {
        var platform: String
        var uniqueID: String?
        var name: String?
        var deviceClass: String?
        var unit: String?
        var stateClass: String?
        var precision: Int?
        var expireAfter: Int?
        var options: [String]?
        var stateTopic: String?
        var valueTemplate: String?
        var attributesTopic: String?
        var availability: [Availability]?

        enum CodingKeys: String, CodingKey {
            case platform
            case uniqueID = "unique_id"
            case name
            case deviceClass = "device_class"
            case unit = "unit_of_measurement"
            case stateClass = "state_class"
            case precision = "suggested_display_precision"
            case expireAfter = "expire_after"
            case options
            case stateTopic = "state_topic"
            case valueTemplate = "value_template"
            case attributesTopic = "json_attributes_topic"
            case availability
        }
    }

    var device: DeviceObject
    var origin: Origin
    var availability: [Availability]
    var availabilityMode = "all"
    var qos = 1
    var components: [String: Component]

    enum CodingKeys: String, CodingKey {
        case device
        case origin
        case availability
        case availabilityMode = "availability_mode"
        case qos
        case components
    }
}

extension AnnouncementPayload {
    init(_ announcement: HomeAssistantAnnouncement) {
        let topics = announcement.topics
        device = DeviceObject(
            identifiers: [announcement.objectID], name: announcement.name,
            manufacturer: HomeAssistantAnnouncement.originName, model: announcement.model,
            suggestedArea: announcement.poolName)
        origin = Origin(
            name: HomeAssistantAnnouncement.originName, softwareVersion: announcement.softwareVersion)
        availability = [
            Availability(topic: topics.availability), Availability(topic: topics.availability(of: announcement.device)),
        ]
        components = ["status": Self.status(announcement)]
        for quantity in Quantity.allCases {
            let isMeasured = announcement.quantities.contains(quantity)
            // A component with nothing but its platform removes an earlier one.
            components[quantity.rawValue] =
                isMeasured ? Self.value(of: quantity, announcement) : Component(platform: "sensor")
            let hasAlerts = isMeasured || announcement.alerting.contains(quantity)
            components["\(quantity.rawValue)_alert"] =
                hasAlerts ? Self.alert(of: quantity, announcement) : Component(platform: "binary_sensor")
        }
        components["alert"] = Self.alert(
            "\(announcement.objectID)_alert", "Alert", on: topics.alert(of: announcement.device), topics)
    }

    /// The hub itself: the alerts of its storage and of the connections to its servers.
    init(_ announcement: HubAnnouncement) {
        let topics = announcement.topics
        device = DeviceObject(
            identifiers: [announcement.objectID], name: "PoolSensors hub",
            manufacturer: HomeAssistantAnnouncement.originName, model: "Hub")
        origin = Origin(
            name: HomeAssistantAnnouncement.originName, softwareVersion: announcement.softwareVersion)
        availability = [Availability(topic: topics.availability)]
        components = [
            "storage": Self.alert(
                "\(announcement.objectID)_storage", "Storage alert", on: topics.storageAlert, topics)
        ]
        for server in announcement.servers {
            components["server_\(server.id)"] = Self.alert(
                "\(announcement.objectID)_\(server.id)", "\(server.name) connection alert",
                on: topics.alert(of: server.id), topics)
        }
        for server in announcement.gone { components["server_\(server)"] = Component(platform: "binary_sensor") }
    }

    private static func value(of quantity: Quantity, _ announcement: HomeAssistantAnnouncement) -> Component {
        Component(
            platform: "sensor", uniqueID: "\(announcement.objectID)_\(quantity.rawValue)", name: quantity.name,
            deviceClass: quantity.facts.deviceClass,
            unit: quantity.facts.unit.symbol.isEmpty ? nil : quantity.facts.unit.symbol,
            stateClass: "measurement", precision: quantity.facts.decimals,
            expireAfter: 3 * announcement.expectedIntervalSeconds,
            stateTopic: announcement.topics.values(of: announcement.device),
            // A message without this quantity means that its value is unknown: an empty text would leave the last
            // value.
            valueTemplate: "{{ value_json.\(quantity.rawValue) | default('None') }}",
            // A message without it restarts its expiry time too: whether the value counts is published separately.
            availability: [
                Availability(topic: announcement.topics.availability),
                Availability(topic: announcement.topics.availability(of: announcement.device)),
                Availability(topic: announcement.topics.availability(of: announcement.device, quantity)),
            ])
    }

    /// Also shown while the device does not report: "offline" is one of its words.
    private static func status(_ announcement: HomeAssistantAnnouncement) -> Component {
        Component(
            platform: "sensor", uniqueID: "\(announcement.objectID)_status", name: "Status", deviceClass: "enum",
            options: Headline.labels,
            stateTopic: announcement.topics.status(of: announcement.device),
            valueTemplate: "{{ value_json.status }}",
            availability: [Availability(topic: announcement.topics.availability)])
    }

    private static func alert(of quantity: Quantity, _ announcement: HomeAssistantAnnouncement) -> Component {
        alert(
            "\(announcement.objectID)_\(quantity.rawValue)_alert", "\(quantity.name) alert",
            on: announcement.topics.alert(of: announcement.device, quantity), announcement.topics)
    }

    private static func alert(_ id: String, _ name: String, on topic: String, _ topics: HubTopics) -> Component {
        Component(
            platform: "binary_sensor", uniqueID: id, name: name, deviceClass: "problem", stateTopic: topic,
            valueTemplate: "{{ value_json.state }}", attributesTopic: topic,
            availability: [Availability(topic: topics.availability)])
    }
}
