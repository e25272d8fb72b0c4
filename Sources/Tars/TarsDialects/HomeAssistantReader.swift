import HomeAssistantMQTT
import TarsModel

/// Reads what an announcement to Home Assistant can do, in either form.
package struct HomeAssistantReader {
    /// The rows of one kind of entity: an action, the key of its payload, and the payload without that key.
    private struct Row {
        var kind: Appliance.Kind
        var abilities: [Ability]
        var words: [(action: Action, key: String, usual: String?)]
        /// The state: its fact, the keys of its words, and the words without those keys.
        var fact: HomeAssistantBinding.Reading.Fact?
        var yes: (key: String, usual: String?) = ("", nil)
        var no: (key: String, usual: String?) = ("", nil)
        /// The key of the template of the state.
        var template = "value_template"
    }

    private static let onOff: [(action: Action, key: String, usual: String?)] = [
        (.on, "payload_on", "ON"), (.off, "payload_off", "OFF"),
    ]

    private static let rows: [String: Row] = [
        "switch": Row(
            kind: .switch, abilities: [.onOff, .toggle], words: onOff, fact: .isOn, yes: ("state_on", nil),
            no: ("state_off", nil)),
        "light": Row(
            kind: .light, abilities: [.onOff, .toggle], words: onOff, fact: .isOn, template: "state_value_template"),
        "fan": Row(
            kind: .fan, abilities: [.onOff, .toggle], words: onOff, fact: .isOn, template: "state_value_template"),
        "cover": Row(
            kind: .cover, abilities: [.onOff, .stop],
            words: [
                (.on, "payload_open", "OPEN"), (.off, "payload_close", "CLOSE"), (.stop, "payload_stop", "STOP"),
            ], fact: .isOn, yes: ("state_open", "open"), no: ("state_closed", "closed")),
        "lock": Row(
            kind: .lock, abilities: [.lock],
            words: [
                (.lock, "payload_lock", "LOCK"), (.unlock, "payload_unlock", "UNLOCK"), (.open, "payload_open", nil),
            ], fact: .isLocked, yes: ("state_locked", "LOCKED"), no: ("state_unlocked", "UNLOCKED")),
        "button": Row(
            kind: .button, abilities: [.press(holdMax: .zero)], words: [(.press(hold: nil), "payload_press", "PRESS")]),
        "scene": Row(
            kind: .scene, abilities: [.press(holdMax: .zero)], words: [(.press(hold: nil), "payload_on", "ON")]),
        "select": Row(kind: .select, abilities: [], words: [], fact: .value),
        "number": Row(kind: .number, abilities: [], words: [], fact: .value),
        "sensor": Row(kind: .sensor, abilities: [], words: [], fact: .value),
        "binary_sensor": Row(kind: .sensor, abilities: [], words: [], fact: .value),
    ]

    /// The appliances of a message; none if it is no announcement, or announces nothing that is shown here.
    ///
    /// - Parameters:
    ///   - topic: The topic of the message.
    ///   - payload: The announcement.
    ///   - prefix: The discovery prefix.
    /// - Returns: The appliances, in the order of the announcement.
    package static func discover(
        topic: String, payload: [UInt8], prefix: String = HomeAssistantTopic.defaultPrefix
    ) -> [Discovery<HomeAssistantBinding>] {
        guard let topic = HomeAssistantTopic(topic, prefix: prefix), let json = Payload(payload)?.json else {
            return []
        }
        let device = HomeAssistantKeys.expanded(
            HomeAssistantKeys.expanded(json, scope: .entity)["device"], scope: .device)
        return AnnouncedEntity.all(in: json, at: topic).compactMap { entity in
            rows[entity.platform].flatMap { HomeAssistantReader(entity, $0).discovery(device: device) }
        }
    }

    private let entity: AnnouncedEntity
    private let row: Row
    private var binding = HomeAssistantBinding()
    private var abilities: [Ability]
    private var notes: [String] = []

    private init(_ entity: AnnouncedEntity, _ row: Row) {
        self.entity = entity
        self.row = row
        abilities = row.abilities
        if entity.text("schema") == "json" { readJSONLight() } else { readWords() }
        readValue()
        readPosition()
        // There is no word for a toggle: it is on or off, by the state.
        if !binding.readings.contains(where: { $0.fact == .isOn }) { abilities.removeAll { $0 == .toggle } }
        readAvailability()
        binding.isOptimistic = entity.text("optimistic") == "true"
        if entity.text("retain") == "true" {
            notes.append("`retain` is not followed: a kept command would run again at each reconnect")
        }
    }

    private func discovery(device: [String: JSONValue]) -> Discovery<HomeAssistantBinding>? {
        guard !abilities.isEmpty || !binding.readings.isEmpty else { return nil }
        // An entity without a name is the device itself.
        let name = [device["name"]?.scalarText, entity.text("name")].compactMap { $0 }.joined(separator: " ")
        return Discovery(
            key: entity.text("unique_id") ?? entity.source, name: name.isEmpty ? entity.source : name, kind: row.kind,
            abilities: abilities, binding: binding, notes: notes)
    }

    // MARK: - Commands and states

    private mutating func readWords() {
        let topic = topic("command_topic")
        if let topic, !row.words.isEmpty, let setter = setter(topic, template: "command_template") {
            for word in row.words {
                guard let text = entity.text(word.key) ?? word.usual else { continue }
                binding.words.append(.init(action: word.action, order: setter.order(text)))
            }
        }
        if binding.words.isEmpty { abilities = [] }
        if binding.words.contains(where: { $0.action == .open }) { abilities.append(.open) }
        if row.kind == .light, let topic = self.topic("brightness_command_topic"),
            var setter = setter(topic, template: "brightness_command_template")
        {
            setter.full = entity.text("brightness_scale").flatMap { Double($0) } ?? 255
            binding.setters[.level] = setter
            abilities.append(.level)
            read(.level, "brightness_state_topic", template: "brightness_value_template") {
                $0.full = setter.full ?? 255
            }
        }
        guard let fact = row.fact, fact != .value else { return }
        let payloads = row.words.prefix(2).map { entity.text($0.key) ?? $0.usual ?? "" }
        let (yes, no) = (entity.text(row.yes.key) ?? row.yes.usual, entity.text(row.no.key) ?? row.no.usual)
        read(fact, "state_topic", template: row.template) { reading in
            reading.yes = [yes ?? payloads[0]]
            reading.no = [no ?? payloads[1]]
        }
    }

    private mutating func readJSONLight() {
        abilities = []
        if let topic = topic("command_topic") {
            for (action, word) in [(Action.on, "ON"), (.off, "OFF")] {
                let order = Order(topic: topic, payload: #"{"state":"\#(word)"}"#)
                binding.words.append(.init(action: action, order: order))
            }
            abilities = row.abilities
        }
        let modes = entity.keys["supported_color_modes"]?.elements.compactMap(\.scalarText) ?? []
        let full = entity.text("brightness_scale").flatMap { Double($0) } ?? 255
        let hasLevel = entity.text("brightness") == "true" || modes.contains { $0 != "onoff" }
        if hasLevel, let topic = topic("command_topic") {
            binding.setters[.level] = .init(
                topic: topic, before: #"{"state":"ON","brightness":"#, after: "}", full: full)
            abilities.append(.level)
        }
        guard let topic = topic("state_topic") else { return }
        binding.readings.append(
            .init(fact: .isOn, topic: topic, path: ValuePath([.key("state")]), yes: ["ON"], no: ["OFF"]))
        if hasLevel {
            binding.readings.append(
                .init(fact: .level, topic: topic, path: ValuePath([.key("brightness")]), full: full))
        }
    }

    private mutating func readValue() {
        guard row.fact == .value else { return }
        read(.value, "state_topic", template: row.template) { _ in }
        guard row.kind != .sensor, let topic = topic("command_topic"),
            let setter = setter(topic, template: "command_template")
        else { return }
        if row.kind == .select {
            let options = entity.keys["options"]?.elements.compactMap(\.scalarText) ?? []
            if !options.isEmpty { abilities.append(.choose(options)) }
        } else {
            let numbers = [("min", 1.0), ("max", 100), ("step", 1)].map {
                entity.text($0.0).flatMap(Double.init) ?? $0.1
            }
            abilities.append(.number(minimum: numbers[0], maximum: numbers[1], step: numbers[2]))
        }
        binding.setters[.value] = setter
    }

    private mutating func readPosition() {
        guard row.kind == .cover else { return }
        let ends = [("position_open", 100.0), ("position_closed", 0)].map {
            entity.text($0.0).flatMap(Double.init) ?? $0.1
        }
        guard ends[1] == 0, ends[0] > 0 else {
            notes.append("positions from \(ends[1]) to \(ends[0]) are not followed")
            return
        }
        read(.position, "position_topic", template: "position_template") { $0.full = ends[0] }
        if let topic = topic("set_position_topic"), var setter = setter(topic, template: "set_position_template") {
            setter.full = ends[0]
            binding.setters[.position] = setter
            abilities.append(.position)
        }
    }

    // MARK: - Templates

    /// A topic that can be published to; nil if there is none.
    private func topic(_ key: String) -> String? {
        entity.topic(key).flatMap { TopicName.problem(of: $0) == nil ? $0 : nil }
    }

    /// How a command is written: as it is, or with a constant around or instead of it; nil for any other template.
    private mutating func setter(_ topic: String, template key: String) -> HomeAssistantBinding.Setter? {
        guard let template = entity.text(key), !template.isEmpty else { return .init(topic: topic) }
        if template.filter({ !$0.isWhitespace }) == "{{value}}" { return .init(topic: topic) }
        guard !template.contains("{{"), !template.contains("{%") else {
            notes.append("`\(key)` is not followed: it is neither `{{ value }}` nor a constant")
            return nil
        }
        return .init(topic: topic, constant: template)
    }

    private mutating func read(
        _ fact: HomeAssistantBinding.Reading.Fact, _ topicKey: String, template key: String,
        _ fill: (inout HomeAssistantBinding.Reading) -> Void
    ) {
        guard let topic = topic(topicKey) else { return }
        do throws(ValueTemplate.Refusal) {
            let template = try ValueTemplate.read(entity.text(key) ?? "")
            guard template.scale == 1, template.offset == 0, template.conditions.isEmpty else {
                notes.append("`\(key)` is not followed: it computes")
                return
            }
            var reading = HomeAssistantBinding.Reading(fact: fact, topic: topic, path: template.path)
            fill(&reading)
            binding.readings.append(reading)
        } catch {
            notes.append("`\(key)` is not followed: \(error.reason)")
        }
    }

    private mutating func readAvailability() {
        binding.mode = entity.text("availability_mode").flatMap(HomeAssistantBinding.Mode.init) ?? .latest
        let listed: [JSONValue] =
            switch entity.keys["availability"] {
            case .array(let entries): entries
            case .some(let single): [single]
            case nil: []
            }
        for entry in listed.prefix(8) {
            let own = HomeAssistantKeys.expanded(entry, scope: .entity)
            addAvailability(own, topic: own["topic"], template: own["value_template"])
        }
        addAvailability(
            entity.keys, topic: entity.keys["availability_topic"], template: entity.keys["availability_template"])
    }

    private mutating func addAvailability(_ keys: [String: JSONValue], topic: JSONValue?, template: JSONValue?) {
        guard let topic = topic?.scalarText.map(entity.full), TopicName.problem(of: topic) == nil else { return }
        do throws(ValueTemplate.Refusal) {
            let read = try ValueTemplate.readAvailability(
                template?.scalarText ?? "", online: keys["payload_available"]?.scalarText ?? "online",
                offline: keys["payload_not_available"]?.scalarText ?? "offline")
            binding.availability.append(
                .init(topic: topic, path: read.path, online: read.online, offline: read.offline))
        } catch {
            notes.append("the availability at \(Excerpt(topic)) is not followed: \(error.reason)")
        }
    }
}
