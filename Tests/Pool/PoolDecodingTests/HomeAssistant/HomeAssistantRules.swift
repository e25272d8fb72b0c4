import HomeAssistantMQTT

@testable import PoolDecoding
@testable import PoolModel

/// What Home Assistant's documentation says of an announcement in the device form, as tables, and what an announcement
/// breaks of it.
///
/// A field that is not in a table is refused, since Home Assistant ignores it: a wrong name would do nothing.
///
/// Source: Home Assistant, "MQTT", sections "Device discovery payload" and "Using availability topics"; "MQTT sensor" and
/// "MQTT binary sensor", sections "Configuration variables"; "Sensor", section "Device class" with the units and state
/// classes of each; "Sensor entity", section "Available state classes".
struct HomeAssistantRules {
    /// The type of a field.
    private enum Kind: Sendable {
        /// A text that is not empty.
        case text
        /// A topic without wildcards.
        case topic
        /// A template.
        case template
        /// A whole number in a range.
        case number(ClosedRange<Int>)
        /// One of some words.
        case word(Set<String>)
        /// A list of texts, not empty.
        case texts
        /// A list of objects.
        case objects([String: Field])
        /// An object.
        case object([String: Field])
        /// The components, by their names.
        case components
    }

    private struct Field: Sendable {
        var kind: Kind
        var isRequired = false
    }

    private static let availability: [String: Field] = [
        "topic": Field(kind: .topic, isRequired: true), "payload_available": Field(kind: .text),
        "payload_not_available": Field(kind: .text), "value_template": Field(kind: .template),
    ]

    private static let shared: [String: Field] = [
        "availability": Field(kind: .objects(availability)),
        "availability_mode": Field(kind: .word(["all", "any", "latest"])), "qos": Field(kind: .number(0...2)),
    ]

    private static let announcement = shared.merging([
        "device": Field(
            kind: .object([
                // Or `connections`.
                "identifiers": Field(kind: .texts, isRequired: true), "name": Field(kind: .text),
                "manufacturer": Field(kind: .text), "model": Field(kind: .text), "model_id": Field(kind: .text),
                "hw_version": Field(kind: .text), "sw_version": Field(kind: .text), "serial_number": Field(kind: .text),
                "suggested_area": Field(kind: .text), "configuration_url": Field(kind: .text),
                "via_device": Field(kind: .text),
            ]), isRequired: true),
        "origin": Field(
            kind: .object([
                "name": Field(kind: .text, isRequired: true), "sw_version": Field(kind: .text),
                "support_url": Field(kind: .text),
            ]), isRequired: true),
        "components": Field(kind: .components, isRequired: true), "encoding": Field(kind: .text),
        "state_topic": Field(kind: .topic), "command_topic": Field(kind: .topic),
    ]) { $1 }

    /// The fields of sensors and binary sensors.
    private static let entity = shared.merging([
        "platform": Field(kind: .word(["sensor", "binary_sensor"]), isRequired: true),
        "unique_id": Field(kind: .text, isRequired: true), "state_topic": Field(kind: .topic, isRequired: true),
        "name": Field(kind: .text), "value_template": Field(kind: .template), "icon": Field(kind: .text),
        "expire_after": Field(kind: .number(0...Int.max)), "json_attributes_topic": Field(kind: .topic),
        "json_attributes_template": Field(kind: .template),
        "entity_category": Field(kind: .word(["config", "diagnostic"])),
    ]) { $1 }

    private static let sensor = entity.merging([
        "device_class": Field(kind: .word(Set(units.keys))), "unit_of_measurement": Field(kind: .text),
        "state_class": Field(kind: .word(["measurement", "measurement_angle", "total", "total_increasing"])),
        "suggested_display_precision": Field(kind: .number(0...10)), "options": Field(kind: .texts),
    ]) { $1 }

    private static let binarySensor = entity.merging([
        "device_class": Field(kind: .word(["connectivity", "problem", "running", "safety"])),
        "payload_on": Field(kind: .text), "payload_off": Field(kind: .text),
        "off_delay": Field(kind: .number(0...Int.max)),
    ]) { $1 }

    /// The units of a class of sensors, nil for none; only the classes that concern water.
    private static let units: [String: Set<String?>] = [
        "temperature": ["°C", "°F", "K"], "ph": [nil], "voltage": ["V", "mV", "µV", "kV", "MV"],
        "conductivity": ["S/cm", "mS/cm", "µS/cm"], "enum": [nil],
    ]

    /// The state classes of a class of sensors.
    private static let stateClasses: [String: Set<String?>] = [
        "temperature": [nil, "measurement"], "ph": [nil, "measurement"], "voltage": [nil, "measurement"],
        "conductivity": [nil, "measurement"], "enum": [nil],
    ]

    /// What is broken, a sentence each.
    private(set) var faults: [String] = []
    /// The identities of all entities so far, which Home Assistant tells apart by them.
    private var identities: Set<String> = []

    /// Checks one announcement.
    ///
    /// - Throws: `JSONParsingError` if it is not JSON.
    mutating func check(_ message: PublishedMessage) throws {
        if !message.isRetained { faults.append("\(message.topic) is not retained: Home Assistant may start later") }
        if HomeAssistantTopic(message.topic)?.isDevice != true {
            faults.append("\(message.topic) is no topic of the discovery of devices")
        }
        check(try JSONScanner.scan(message.payload, depthMax: 16), Self.announcement, at: "$")
    }

    private mutating func check(_ value: JSONValue, _ fields: [String: Field], at place: String) {
        guard case .object(let members) = value else { return faults.append("\(place) is no object") }
        let names = members.map(\.key)
        for (name, field) in fields.sorted(by: { $0.key < $1.key }) where field.isRequired && !names.contains(name) {
            faults.append("\(place).\(name) is missing")
        }
        for member in members {
            guard let field = fields[member.key] else {
                faults.append("\(place).\(member.key) is in no table")
                continue
            }
            check(member.value, field.kind, at: "\(place).\(member.key)")
        }
    }

    private mutating func check(_ value: JSONValue, _ kind: Kind, at place: String) {
        switch (kind, value) {
        case (.text, .string(let text)): if text.isEmpty { faults.append("\(place) is empty") }
        case (.topic, .string(let text)):
            let isTopic = !text.isEmpty && !text.contains("#") && !text.contains("+")
            if !isTopic { faults.append("\(place) is no topic: \(text)") }
        case (.template, .string(let text)):
            let isTemplate = text.hasPrefix("{{ ") && text.hasSuffix(" }}")
            if !isTemplate { faults.append("\(place) is no template: \(text)") }
        case (.number(let range), .number(let text)):
            let isInside = Int(text).map { range.contains($0) } ?? false
            if !isInside { faults.append("\(place) is \(text), not in \(range)") }
        case (.word(let words), .string(let text)):
            if !words.contains(text) { faults.append("\(place) is \(text), none of \(words.sorted())") }
        case (.texts, .array(let values)):
            if values.isEmpty { faults.append("\(place) is empty") }
            for (index, value) in values.enumerated() { check(value, .text, at: "\(place)[\(index)]") }
        case (.objects(let fields), .array(let values)):
            for (index, value) in values.enumerated() { check(value, fields, at: "\(place)[\(index)]") }
        case (.object(let fields), .object): check(value, fields, at: place)
        case (.components, .object(let members)):
            for member in members { checkComponent(member.value, at: "\(place).\(member.key)") }
        default: faults.append("\(place) is of another type: \(value)")
        }
    }

    private mutating func checkComponent(_ value: JSONValue, at place: String) {
        let platform = value.member(named: "platform")?.scalarText
        // One that has only its platform removes an entity.
        if case .object(let members) = value, members.map(\.key) == ["platform"] {
            return check(value, ["platform": Field(kind: .word(["sensor", "binary_sensor"]))], at: place)
        }
        check(value, platform == "binary_sensor" ? Self.binarySensor : Self.sensor, at: place)
        if let id = value.member(named: "unique_id")?.scalarText, !identities.insert(id).inserted {
            faults.append("\(place).unique_id is \(id), as that of another entity")
        }
        guard platform == "sensor" else { return }
        let unit = value.member(named: "unit_of_measurement")?.scalarText
        let stateClass = value.member(named: "state_class")?.scalarText
        if let name = value.member(named: "device_class")?.scalarText {
            if Self.units[name]?.contains(unit) == false {
                faults.append("\(place): the class \(name) has no unit \(unit ?? "nil")")
            }
            if Self.stateClasses[name]?.contains(stateClass) == false {
                faults.append("\(place): the class \(name) has no state class \(stateClass ?? "nil")")
            }
        }
        let hasOptions = value.member(named: "options") != nil
        if hasOptions != (value.member(named: "device_class")?.scalarText == "enum") {
            faults.append("\(place): options belong to the class enum")
        }
    }
}
