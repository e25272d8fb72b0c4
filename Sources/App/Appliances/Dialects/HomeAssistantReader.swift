import HomeAssistantMQTT

/// Reads what an announcement to Home Assistant can do, in either form.
package struct HomeAssistantReader {
    /// What an announcement gives.
    package struct Announcement: Sendable {
        /// The appliances, in its order.
        package var found: [Discovery<HomeAssistantBinding>] = []
        /// What of it is not shown here, and why, for people.
        package var left: [String] = []
    }

    /// A key of a payload or a state, and the word without that key.
    typealias Usual = (key: String, word: String?)

    /// The rows of one kind of entity.
    struct Row {
        var kind: Appliance.Kind
        /// The actions, with what is published for them.
        var words: [(action: Action, usual: Usual)] = []
        /// The state: its fact, and its words if they differ from what is published.
        var fact: HomeAssistantBinding.Reading.Fact?
        var yes: Usual = ("", nil)
        var no: Usual = ("", nil)
        /// The key of the template of the state; without it, `value_template` counts.
        var template = "value_template"
    }

    private static let onOff: [(action: Action, usual: Usual)] = [
        (.on, ("payload_on", "ON")), (.off, ("payload_off", "OFF")),
    ]

    private static let openClose: [(action: Action, usual: Usual)] = [
        (.on, ("payload_open", "OPEN")), (.off, ("payload_close", "CLOSE")),
    ]

    private static let rows: [String: Row] = [
        "switch": Row(kind: .switch, words: onOff, fact: .isOn, yes: ("state_on", nil), no: ("state_off", nil)),
        "light": Row(kind: .light, words: onOff, fact: .isOn, template: "state_value_template"),
        "fan": Row(kind: .fan, words: onOff, fact: .isOn, template: "state_value_template"),
        "cover": Row(
            kind: .cover, words: openClose + [(.stop, ("payload_stop", "STOP"))], fact: .isOn,
            yes: ("state_open", "open"), no: ("state_closed", "closed")),
        "valve": Row(
            kind: .cover, words: openClose + [(.stop, ("payload_stop", nil))], fact: .isOn,
            yes: ("state_open", "open"), no: ("state_closed", "closed")),
        "lock": Row(
            kind: .lock,
            words: [
                (.lock, ("payload_lock", "LOCK")), (.unlock, ("payload_unlock", "UNLOCK")),
                (.open, ("payload_open", nil)),
            ], fact: .isLocked, yes: ("state_locked", "LOCKED"), no: ("state_unlocked", "UNLOCKED")),
        "button": Row(kind: .button, words: [(.press(hold: nil), ("payload_press", "PRESS"))]),
        "scene": Row(kind: .scene, words: [(.press(hold: nil), ("payload_on", "ON"))]),
        "select": Row(kind: .select, fact: .value),
        "number": Row(kind: .number, fact: .value),
        "sensor": Row(kind: .sensor, fact: .value),
        "binary_sensor": Row(
            kind: .sensor, fact: .isOn, yes: ("payload_on", "ON"), no: ("payload_off", "OFF")),
    ]

    /// Reads a message; it gives nothing if it is no announcement.
    ///
    /// - Parameters:
    ///   - topic: The topic of the message.
    ///   - payload: The announcement.
    ///   - prefix: The discovery prefix.
    /// - Returns: What it announces.
    package static func read(
        topic: String, payload: [UInt8], prefix: String = HomeAssistantTopic.defaultPrefix
    ) -> Announcement {
        var announcement = Announcement()
        // An entity that will be announced with its device says only that.
        guard let topic = HomeAssistantTopic(topic, prefix: prefix), let json = Payload(payload)?.json,
            json.member(named: "migrate_discovery") == nil
        else { return announcement }
        let device = HomeAssistantKeys.expanded(
            HomeAssistantKeys.expanded(json, scope: .entity)["device"], scope: .device)
        for entity in AnnouncedEntity.all(in: json, at: topic) {
            guard let row = rows[entity.platform] else {
                announcement.left.append(
                    "\(Excerpt(name(of: entity, in: device))): things of the kind \(Excerpt(entity.platform)) are not shown"
                )
                continue
            }
            let reader = HomeAssistantReader(entity, row)
            if let found = reader.discovery(device: device) {
                announcement.found.append(found)
            } else {
                let reasons = reader.notes.isEmpty ? ["it has no topic that can be used"] : reader.notes
                announcement.left.append(
                    "\(Excerpt(name(of: entity, in: device))): \(reasons.joined(separator: "; "))")
            }
        }
        return announcement
    }

    /// An entity without a name is the device itself.
    private static func name(of entity: AnnouncedEntity, in device: [String: JSONValue]) -> String {
        let name = [device["name"]?.scalarText, entity.text("name")].compactMap(\.self).joined(separator: " ")
        return name.isEmpty ? entity.source : name
    }

    let entity: AnnouncedEntity
    private let row: Row
    private var binding = HomeAssistantBinding()
    /// The abilities beside those that follow from the words.
    private var further: [Ability] = []
    var notes: [String] = []

    private init(_ entity: AnnouncedEntity, _ row: Row) {
        self.entity = entity
        self.row = row
        switch entity.text("schema") {
        case "json" where row.kind == .light: readJSONLight()
        case "template" where row.kind == .light: readTemplateLight()
        default: readWords()
        }
        readValue()
        readPosition()
        readAvailability()
        binding.isOptimistic = flag("optimistic")
        if flag("retain") {
            notes.append("`retain` is not followed: a kept command would run again at each reconnect")
        }
    }

    private func discovery(device: [String: JSONValue]) -> Discovery<HomeAssistantBinding>? {
        let abilities = abilities
        guard !abilities.isEmpty || !binding.readings.isEmpty else { return nil }
        return Discovery(
            key: entity.text("unique_id") ?? entity.source, name: Self.name(of: entity, in: device), kind: row.kind,
            abilities: abilities, binding: binding, notes: notes)
    }

    private var abilities: [Ability] {
        let actions = binding.words.map(\.action)
        let isSwitched = actions.contains(.on) && actions.contains(.off)
        // There is no word for a toggle: it is on or off, by the state.
        let toggles = isSwitched && row.kind != .cover && binding.readings.contains { $0.fact == .isOn }
        let rows: [(Ability, Bool)] = [
            (.onOff, isSwitched), (.toggle, toggles), (.stop, actions.contains(.stop)),
            (.lock, actions.contains(.lock) && actions.contains(.unlock)), (.open, actions.contains(.open)),
            (.press(holdMax: .zero), actions.contains(.press(hold: nil))),
        ]
        return rows.filter(\.1).map(\.0) + further
    }

    // MARK: - Commands and states

    private mutating func readWords() {
        if let topic = topic("command_topic"), !row.words.isEmpty,
            let setter = setter(topic, template: "command_template")
        {
            for word in row.words {
                if let text = text(word.usual) {
                    binding.words.append(.init(action: word.action, order: setter.order(text)))
                }
            }
        }
        readLevel("brightness", full: positive("brightness_scale") ?? 255)
        if number("speed_range_min") ?? 1 == 1 {
            readLevel("percentage", full: positive("speed_range_max") ?? 100)
        } else if entity.keys["percentage_command_topic"] != nil {
            notes.append("`percentage_command_topic` is not followed: its range does not begin at 1")
        }
        guard let fact = row.fact, fact != .value else { return }
        let published = row.words.prefix(2).map { text($0.usual) }
        let template = entity.keys[row.template] == nil ? "value_template" : row.template
        readTruth(
            fact, "state_topic", template: template, yes: text(row.yes) ?? published.first.flatMap(\.self),
            no: text(row.no) ?? published.last.flatMap(\.self))
    }

    /// The brightness of a light, or the speed of a fan.
    private mutating func readLevel(_ key: String, full: Double) {
        guard row.kind == (key == "percentage" ? .fan : .light), let topic = topic("\(key)_command_topic"),
            let setter = setter(topic, template: "\(key)_command_template", full: full)
        else { return }
        binding.setters[.level] = setter
        further.append(.level)
        // With `brightness` the level takes the place of the word; with `first` and `last`, which is usual, both are published.
        if row.kind == .light, entity.text("on_command_type") != "brightness" { binding.isLitAfterLevel = true }
        read(.level, "\(key)_state_topic", template: "\(key)_value_template") { $0.full = full }
    }

    private mutating func readJSONLight() {
        let full = positive("brightness_scale") ?? 255
        let modes = entity.keys["supported_color_modes"]?.elements.compactMap(\.scalarText) ?? []
        let hasLevel = flag("brightness") || modes.contains { $0 != "onoff" }
        if let topic = topic("command_topic") {
            for (action, word) in [(Action.on, "ON"), (.off, "OFF")] {
                let order = Order(topic: topic, payload: #"{"state":"\#(word)"}"#)
                binding.words.append(.init(action: action, order: order))
            }
            if hasLevel {
                binding.setters[.level] = .init(
                    topic: topic, before: #"{"state":"ON","brightness":"#, after: "}", full: full)
                further.append(.level)
            }
        }
        guard let topic = topic("state_topic") else { return }
        binding.readings.append(
            .init(fact: .isOn, topic: topic, path: ValuePath([.key("state")]), yes: ["ON"], no: ["OFF"]))
        if hasLevel {
            binding.readings.append(
                .init(fact: .level, topic: topic, path: ValuePath([.key("brightness")]), full: full))
        }
    }

    private mutating func readTemplateLight() {
        if let topic = topic("command_topic") {
            for (action, key) in [(Action.on, "command_on_template"), (.off, "command_off_template")] {
                guard let constant = setter(topic, template: key, isConstant: true)?.constant else { continue }
                binding.words.append(.init(action: action, order: Order(topic: topic, payload: constant)))
            }
        }
        readTruth(.isOn, "state_topic", template: "state_template", yes: "on", no: "off")
        if entity.keys["brightness_template"] != nil {
            read(.level, "state_topic", template: "brightness_template") { $0.full = 255 }
        }
    }

    private mutating func readValue() {
        guard row.fact == .value else { return }
        // Of a sensor, people want to see the unit; what is set is compared with the value alone.
        let unit = row.kind == .sensor ? entity.text("unit_of_measurement").map { " \($0)" } ?? "" : ""
        read(.value, "state_topic", template: row.template) { $0.suffix = unit }
        guard row.kind != .sensor, let topic = topic("command_topic"),
            let setter = setter(topic, template: "command_template")
        else { return }
        if row.kind == .select {
            let options = entity.keys["options"]?.elements.compactMap(\.scalarText) ?? []
            if !options.isEmpty { further.append(.choose(options)) }
        } else {
            further.append(
                .number(minimum: number("min") ?? 1, maximum: number("max") ?? 100, step: number("step") ?? 1))
        }
        binding.setters[.value] = setter
    }

    private mutating func readPosition() {
        guard row.kind == .cover else { return }
        let (open, closed) = (number("position_open") ?? 100, number("position_closed") ?? 0)
        guard closed == 0, open > 0 else {
            notes.append("positions from \(closed) to \(open) are not followed")
            return
        }
        if flag("reports_position") { return readReportingValve(open: open) }
        read(.position, "position_topic", template: "position_template") { $0.full = open }
        if let topic = topic("set_position_topic"),
            let setter = setter(topic, template: "set_position_template", percent: "position", full: open)
        {
            binding.setters[.position] = setter
            further.append(.position)
        }
    }

    /// A valve that is told its position in the place of words, and tells it as a number or in JSON.
    private mutating func readReportingValve(open: Double) {
        binding.words.removeAll { $0.action != .stop }
        if let topic = topic("command_topic"), let setter = setter(topic, template: "command_template", full: open) {
            binding.words += [(Action.on, 100), (.off, 0)].map { .init(action: $0.0, order: setter.order($0.1)) }
            binding.setters[.position] = setter
            further.append(.position)
        }
        binding.readings.removeAll { $0.fact == .isOn }
        read(.position, "state_topic", template: row.template) { $0.full = open }
        guard let plain = binding.readings.last(where: { $0.fact == .position }), plain.path == .whole else { return }
        var inJSON = plain
        inJSON.path = ValuePath([.key("position")])
        binding.readings.append(inJSON)
    }

    // MARK: - Readings

    private mutating func read(
        _ fact: HomeAssistantBinding.Reading.Fact, _ topicKey: String, template key: String,
        _ fill: (inout HomeAssistantBinding.Reading) -> Void
    ) {
        guard let topic = topic(topicKey) else { return }
        do throws(ValueTemplate.Refusal) {
            let template = try ValueTemplate.read(entity.text(key) ?? "")
            // A factor is one of 100 %; other sums would change what is compared with a command.
            let isScaled = template.scale > 0 && template.offset == 0 && fact != .value
            guard template.scale == 1 && template.offset == 0 || isScaled, template.conditions.isEmpty else {
                notes.append("`\(key)` is not followed: it computes")
                return
            }
            var reading = HomeAssistantBinding.Reading(fact: fact, topic: topic, path: template.path)
            fill(&reading)
            reading.full /= template.scale
            binding.readings.append(reading)
        } catch {
            notes.append("`\(key)` is not followed: \(error.reason)")
        }
    }

    /// What is yes or no, in words or as its template decides, and of a cover whether it is moving.
    private mutating func readTruth(
        _ fact: HomeAssistantBinding.Reading.Fact, _ topicKey: String, template key: String, yes: String?, no: String?
    ) {
        guard let topic = topic(topicKey), let yes, let no else { return }
        let template = entity.text(key) ?? ""
        do throws(ValueTemplate.Refusal) {
            let place = try? ValueTemplate.read(template)
            if let place, place.scale == 1, place.offset == 0, place.conditions.isEmpty {
                binding.readings.append(.init(fact: fact, topic: topic, path: place.path, yes: [yes], no: [no]))
                guard row.kind == .cover, let opening = text(("state_opening", "opening")),
                    let closing = text(("state_closing", "closing"))
                else { return }
                binding.readings.append(
                    .init(fact: .heading, topic: topic, path: place.path, yes: [opening], no: [closing]))
            } else {
                let read = try ValueTemplate.readAvailability(template, online: yes, offline: no)
                binding.readings.append(
                    .init(fact: fact, topic: topic, path: read.path, yes: read.online, no: read.offline))
            }
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
        guard let topic = topic?.scalarText.map(entity.full), GivenTopic.problem(of: topic) == nil else { return }
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
