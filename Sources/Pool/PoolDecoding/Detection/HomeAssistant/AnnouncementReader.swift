import HomeAssistantMQTT
import PoolModel

/// Reads the sensors of pool quantities from one announcement to Home Assistant, in either form.
///
/// Unknown keys are ignored. An entity whose own keys are invalid is left out; the others of the device stay.
struct AnnouncementReader {
    private let topic: HomeAssistantTopic
    private let isKept: Bool
    private let announcement: JSONValue
    private let root: [String: JSONValue]

    /// - Parameters:
    ///   - topic: The topic of the announcement.
    ///   - payload: The announcement.
    ///   - isKept: Whether the broker keeps it: then the units of its sensors can be read from it at any time.
    /// - Throws: `JSONParsingError` if the payload is not JSON.
    init(topic: HomeAssistantTopic, payload: [UInt8], isKept: Bool = false) throws(JSONParsingError) {
        self.topic = topic
        self.isKept = isKept
        announcement = try JSONScanner.scan(payload, depthMax: 16)
        root = HomeAssistantKeys.expanded(announcement, scope: .entity)
    }

    /// The sensors of pool quantities, and the places of what else is announced, in the order of the announcement.
    var findings: (entities: [HomeAssistantEntity], others: [AnnouncedPlace]) {
        var entities: [HomeAssistantEntity] = []
        var others: [AnnouncedPlace] = []
        func add(_ found: Found?) {
            switch found {
            case .entity(let entity): entities.append(entity)
            case .other(let place): others.append(place)
            case nil: break
            }
        }
        for entity in AnnouncedEntity.all(in: announcement, at: topic) { add(find(entity)) }
        return (entities, others)
    }

    private enum Found {
        case entity(HomeAssistantEntity)
        case other(AnnouncedPlace)
    }

    private func find(_ announced: AnnouncedEntity) -> Found? {
        let (keys, componentID) = (announced.keys, announced.componentID)
        // A probe may come over several gateways: then its topic has a wildcard.
        guard let stateTopic = announced.topic("state_topic"),
            TopicPattern.flaw(of: stateTopic) == nil, !stateTopic.contains("#")
        else { return nil }
        var notes: [String] = []
        let template = template(keys["value_template"]?.scalarText, of: "template", notes: &notes)
        let other = { (reason: String) in
            template.map { Found.other(AnnouncedPlace(topic: stateTopic, path: $0.path, reason: reason)) }
        }
        guard announced.platform == "sensor" else {
            // The state of a switch may be in the same payload as the values: only its own place is its own.
            return other("announced to Home Assistant as a \(announced.platform.shortened)")
        }
        let device = HomeAssistantKeys.expanded(root["device"], scope: .device)
        let name = keys["name"]?.scalarText.map { $0.shortened }
        let uniqueID = keys["unique_id"]?.scalarText?.shortened
        let ids = [componentID, keys["object_id"]?.scalarText, topic.isDevice ? nil : topic.objectID, uniqueID]
        let description = EntityQuantity.Description(
            deviceClass: keys["device_class"]?.scalarText, unitText: keys["unit_of_measurement"]?.scalarText,
            name: name, ids: ids.compactMap { $0?.shortened }, deviceName: device["name"]?.scalarText?.shortened,
            path: template?.path, topic: stateTopic)
        guard let meaning = EntityQuantity(description) else {
            return other(EntityQuantity.reason(against: description))
        }
        notes += meaning.notes
        if template?.isRounded == true { notes.append("the template rounds, here the digits stay") }
        if keys["encoding"]?.scalarText == "" { notes.append("the payload is announced as raw bytes") }
        if let attributes = keys["json_attributes_topic"]?.scalarText, !attributes.isEmpty {
            notes.append("further attributes come on \(announced.full(attributes).shortened)")
        }
        let (availability, unread) = availability(announced, notes: &notes)
        let entity = HomeAssistantEntity(
            source: announced.source, quantity: meaning.quantity, name: name ?? "", uniqueID: uniqueID,
            deviceKey: AnnouncedEntity.deviceKey(device) ?? topic.nodeID ?? Self.base(of: stateTopic),
            deviceName: device["name"]?.scalarText?.shortened,
            originName: HomeAssistantKeys.expanded(root["origin"], scope: .origin)["name"]?.scalarText?.shortened,
            stateTopic: stateTopic, template: template, unit: meaning.unit,
            unitPlace: meaning.quantity == .ph ? nil : unitPlace(componentID: componentID),
            availability: availability, unreadAvailability: unread,
            expireAfterSeconds: Self.seconds(keys["expire_after"]), notes: notes)
        return .entity(entity)
    }

    /// Where the announcement names the unit of a sensor, which may change; nil if nobody can read it later.
    private func unitPlace(componentID: String?) -> UnitPlace? {
        guard isKept else { return nil }
        var (object, steps): (JSONValue?, [ValuePath.Step]) = (announcement, [])
        if let componentID {
            guard let key = HomeAssistantKeys.written("components", in: announcement) else { return nil }
            object = announcement.member(named: key)?.member(named: componentID)
            steps = [.key(key), .key(componentID)]
        }
        guard let key = HomeAssistantKeys.written("unit_of_measurement", in: object) else { return nil }
        return UnitPlace(topic: topic.text, path: ValuePath(steps + [.key(key)]))
    }

    /// The levels of a topic before those that name the value, for sensors that name no device.
    private static func base(of stateTopic: String) -> String {
        var levels = stateTopic.split(separator: "/", omittingEmptySubsequences: false)
        let last = levels.last { NameReading($0) != .neutral } ?? ""
        guard NameReading(last).quantity != nil, levels.count > 1 else { return stateTopic }
        while levels.count > 1, levels.removeLast() != last {}
        while levels.count > 1, let level = levels.last, ["sensor", "sensors"].contains(level) { levels.removeLast() }
        return levels.joined(separator: "/")
    }

    private func template(_ text: String?, of kind: String, notes: inout [String]) -> ValueTemplate? {
        do throws(ValueTemplate.Refusal) {
            return try ValueTemplate.read(text ?? "")
        } catch {
            notes.append("\(kind) not understood: \(error.reason)")
            return nil
        }
    }

    private static func seconds(_ value: JSONValue?) -> Int? {
        guard let text = value?.scalarText, let number = Double(text), number >= 1, number <= 31_536_000 else {
            return nil
        }
        return Int(number)
    }
}

extension AnnouncementReader {
    /// The most availability topics in a mapping.
    private static let availabilityCountMax = 8

    /// The topics that say whether the device is available, and those whose templates are not supported.
    private func availability(
        _ announced: AnnouncedEntity, notes: inout [String]
    ) -> (sources: [AvailabilitySource], unread: [String]) {
        let keys = announced.keys
        var sources: [AvailabilitySource] = []
        var unread: [String] = []
        let listed: [JSONValue] =
            switch keys["availability"] {
            case .array(let entries): entries
            case .some(let single): [single]
            case nil: []
            }
        for entry in listed {
            let own = HomeAssistantKeys.expanded(entry, scope: .entity)
            add(own, topic: own["topic"], template: own["value_template"], announced, &sources, &unread, &notes)
        }
        if let topic = keys["availability_topic"] {
            add(keys, topic: topic, template: keys["availability_template"], announced, &sources, &unread, &notes)
        }
        let mode = keys["availability_mode"]?.scalarText ?? "latest"
        if sources.count > 1, mode != "all" {
            notes.append(
                "availability mode \"\(mode.shortened)\" is not carried over: all \(sources.count) topics must say that the device is there"
            )
        }
        if sources.count > Self.availabilityCountMax {
            notes.append("of \(sources.count) availability topics the first \(Self.availabilityCountMax) are used")
        }
        return (Array(sources.prefix(Self.availabilityCountMax)), unread)
    }

    private func add(
        _ keys: [String: JSONValue], topic: JSONValue?, template: JSONValue?, _ announced: AnnouncedEntity,
        _ sources: inout [AvailabilitySource], _ unread: inout [String], _ notes: inout [String]
    ) {
        guard let topic = topic?.scalarText.map(announced.full), TopicProblem.find(in: topic) == nil
        else { return }
        let online = keys["payload_available"]?.scalarText ?? "online"
        let offline = keys["payload_not_available"]?.scalarText ?? "offline"
        do throws(ValueTemplate.Refusal) {
            let read = try ValueTemplate.readAvailability(
                template?.scalarText ?? "", online: online, offline: offline)
            let source = AvailabilitySource(topic: topic, path: read.path, online: read.online, offline: read.offline)
            if !sources.contains(source) { sources.append(source) }
        } catch {
            notes.append("availability template of \(topic.shortened) not understood: \(error.reason)")
            unread.append(topic)
        }
    }
}
