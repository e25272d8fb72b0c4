import HomeAssistantMQTT

/// An entity that announced itself to Home Assistant, as far as its words can be said here.
///
/// A template of a command is followed only if it is a constant, or the value with constant text around it, and one of a state
/// if it depends on one place in the payload. Source: Home Assistant, "MQTT" and its pages on binary sensors, buttons, covers,
/// fans, lights, locks, numbers, scenes, selects, sensors, switches and valves.
package struct HomeAssistantBinding: Binding {
    /// A constant that is published for an action.
    struct Word: Hashable, Codable, Sendable {
        var action: Action
        var order: Order
    }

    /// A value that is published, times a scale.
    struct Setter: Hashable, Codable, Sendable {
        var topic: String
        /// What stands around the value.
        var before = "", after = ""
        /// What is published whatever the value is.
        var constant: String?
        /// The value of 100 %; nil for a value as it is.
        var full: Double?
    }

    /// A place that tells something of the state.
    struct Reading: Hashable, Codable, Sendable {
        /// What it tells.
        enum Fact: String, Codable, Sendable {
            case isOn, isLocked, level, position, heading, value
        }

        var fact: Fact
        var topic: String
        var path: ValuePath
        /// The words for yes and for no; one of the lists is empty if all other words mean it.
        var yes: [String] = [], no: [String] = []
        /// The number that is 100 %.
        var full = 100.0
        /// What stands behind a value, such as its unit.
        var suffix = ""
    }

    /// A topic that tells whether the device is there.
    struct Availability: Hashable, Codable, Sendable {
        var topic: String
        var path: ValuePath
        var online: [String], offline: [String]
    }

    /// How several availabilities are one.
    enum Mode: String, Codable, Sendable {
        case all, any, latest
    }

    var words: [Word] = []
    var setters: [Reading.Fact: Setter] = [:]
    var readings: [Reading] = []
    var availability: [Availability] = []
    var mode = Mode.latest
    /// Whether a level is followed by the word for on: the level alone would leave a light dark that is off.
    var isLitAfterLevel: Bool?
    /// Whether the state is assumed instead of told.
    var isOptimistic = false

    package var topics: [String] {
        var topics: [String] = []
        for topic in readings.map(\.topic) + availability.map(\.topic) where !topics.contains(topic) {
            topics.append(topic)
        }
        return topics
    }

    package func order(for action: Action, id: Command.ID, until: Timestamp) -> Order? {
        switch action {
        // A light that is dimmed to nothing is off; some would stay on at their darkest.
        case .level(0) where words.contains(where: { $0.action == .off }): order(for: .off, id: id, until: until)
        case .level(let percent): setters[.level]?.order(Double(percent))
        case .position(let percent): setters[.position]?.order(Double(percent))
        case .choose(let option): setters[.value]?.order(option)
        case .number(let number): setters[.value]?.order(number)
        case .on, .off, .toggle, .stop, .lock, .unlock, .open, .press, .program:
            words.first { $0.action == action }?.order
        }
    }

    package func orderAfter(_ action: Action) -> Order? {
        guard isLitAfterLevel == true, case .level(1...) = action else { return nil }
        return words.first { $0.action == .on }?.order
    }

    package func confirms(_ action: Action) -> Bool {
        let facts: [Reading.Fact] =
            switch action {
            // A cover that tells only its position tells with it whether it is open.
            case .on, .off: [.isOn, .position]
            case .lock, .unlock: [.isLocked]
            case .level: [.level]
            case .position: [.position]
            case .choose, .number: [.value]
            case .toggle, .stop, .open, .press, .program: []
            }
        // What comes on the topic of a command is the command itself.
        let commands = Set(words.map(\.order.topic) + setters.values.map(\.topic))
        return !isOptimistic && readings.contains { facts.contains($0.fact) && !commands.contains($0.topic) }
    }

    package func attained(_ action: Action) -> Action {
        switch action {
        case .level(let percent): .level(setters[.level]?.attained(percent) ?? percent)
        case .position(let percent): .position(setters[.position]?.attained(percent) ?? percent)
        case .on, .off, .toggle, .stop, .lock, .unlock, .open, .press, .choose, .number, .program: action
        }
    }

    package func reports(topic: String, payload: Payload) -> [Report] {
        var reports: [Report] = []
        var state = ApplianceState()
        for reading in readings where reading.topic == topic { reading.note(payload, in: &state) }
        if state != ApplianceState() { reports.append(.state(state)) }
        for source in availability where source.topic == topic {
            guard let word = payload.word(at: source.path) else { continue }
            let isOffline = MappingWord.isAny(word, of: source.offline)
            let isOnline = source.online.isEmpty ? !isOffline : MappingWord.isAny(word, of: source.online)
            guard isOnline || isOffline || source.offline.isEmpty else { continue }
            reports.append(.presence(isOnline && !isOffline ? .online : .offline, topic: topic))
        }
        return reports
    }

    package func presence(_ said: [(topic: String, presence: Surroundings.Presence)]) -> Surroundings.Presence {
        switch mode {
        case .latest: return said.last?.presence ?? .unknown
        case .any:
            if said.contains(where: { $0.presence == .online }) { return .online }
            return said.count < Set(availability.map(\.topic)).count || said.isEmpty ? .unknown : .offline
        case .all:
            if said.contains(where: { $0.presence == .offline }) { return .offline }
            return said.count < Set(availability.map(\.topic)).count || said.isEmpty ? .unknown : .online
        }
    }
}

extension HomeAssistantBinding.Setter {
    func order(_ value: Double) -> Order {
        let value = full.map { raw(value, $0) } ?? value
        return order(Int(exactly: value).map { "\($0)" } ?? "\(value)")
    }

    /// The percentage that the device can show; the smallest value above 0 is its own.
    func attained(_ percent: Int) -> Int {
        full.map { Int((raw(Double(percent), $0) / $0 * 100).rounded()) } ?? percent
    }

    private func raw(_ percent: Double, _ full: Double) -> Double {
        let raw = (percent * full / 100).rounded()
        return percent > 0 ? max(1, raw) : raw
    }

    func order(_ text: String) -> Order { Order(topic: topic, payload: constant ?? before + text + after) }
}

extension HomeAssistantBinding.Reading {
    fileprivate func note(_ payload: Payload, in state: inout ApplianceState) {
        guard let word = payload.word(at: path) else { return }
        let (isYes, isNo) = (MappingWord.isAny(word, of: yes), MappingWord.isAny(word, of: no))
        let truth: Bool? = isYes || yes.isEmpty && !isNo ? true : isNo || no.isEmpty ? false : nil
        switch fact {
        case .isOn: state.isOn = truth ?? state.isOn
        case .isLocked: state.isLocked = truth ?? state.isLocked
        case .heading: state.heading = truth.map { $0 ? 100 : 0 }
        case .level: state.level = payload.percent(at: path, of: full)
        case .position:
            state.position = payload.percent(at: path, of: full) ?? state.position
            state.isOn = state.isOn ?? state.position.map { $0 > 0 }
        case .value: state.value = word + suffix
        }
    }
}
