/// One relay, light, fan or shutter of a device with Tasmota.
///
/// Source: Tasmota 13 and 14, "MQTT" and "Commands".
package struct TasmotaBinding: Binding {
    /// What it is.
    package enum Kind: String, Codable, Sendable {
        case relay, light, fan, shutter
    }

    /// The full topics of commands, results and telemetry, each up to its last slash.
    package var command, result, telemetry: String
    /// What it is.
    package var kind: Kind
    /// Which of its kind it is in the device, from 1.
    package var index: Int
    /// Whether the device has several relays, so that their commands have numbers.
    package var isNumbered: Bool
    /// What a light calls its brightness: `Dimmer`, with a number if its white is apart, or `Channel3` of several lights.
    package var dimmer = "Dimmer"
    /// Whether a shutter says 0 for open.
    package var isInverted = false
    /// The words for on and off in its results, and for its will.
    package var onWord = "ON", offWord = "OFF", onlineWord = "Online", offlineWord = "Offline"

    /// The fastest speed of a fan.
    private static let speedMax = 3

    /// The first relay of a device with the usual full topic.
    ///
    /// - Throws: ``ModelProblem`` for a topic that cannot be.
    package init(topic: String) throws(ModelProblem) {
        try GivenTopic.check(topic, kind: "Tasmota")
        (command, result, telemetry) = ("cmnd/\(topic)/", "stat/\(topic)/", "tele/\(topic)/")
        (kind, index, isNumbered) = (.relay, 1, false)
    }

    /// A shutter tells its position among the sensors, too.
    package var topics: [String] {
        [result + "+", telemetry + "STATE", telemetry + "LWT"] + (kind == .shutter ? [telemetry + "SENSOR"] : [])
    }

    package func order(for action: Action, id: Command.ID, until: Timestamp) -> Order? {
        switch (kind, action) {
        case (.shutter, .on): Order(topic: command + "ShutterOpen\(index)", payload: "")
        case (.shutter, .off): Order(topic: command + "ShutterClose\(index)", payload: "")
        case (.shutter, .stop): Order(topic: command + "ShutterStop\(index)", payload: "")
        case (.shutter, .position(let percent)):
            Order(topic: command + "ShutterPosition\(index)", payload: "\(isInverted ? 100 - percent : percent)")
        case (.light, .level(let percent)): Order(topic: command + dimmer, payload: "\(percent)")
        case (.fan, .level(let percent)): speed(Self.speed(percent))
        case (.fan, .on): speed(2)
        case (.fan, .off): speed(0)
        case (.relay, .on), (.light, .on): Order(topic: power, payload: "ON")
        case (.relay, .off), (.light, .off): Order(topic: power, payload: "OFF")
        case (.relay, .toggle), (.light, .toggle): Order(topic: power, payload: "TOGGLE")
        case (.relay, _), (.light, _), (.fan, _), (.shutter, _): nil
        }
    }

    private func speed(_ number: Int) -> Order { Order(topic: command + "FanSpeed", payload: "\(number)") }

    /// The speed of a percentage, of which only 0 stands still.
    private static func speed(_ percent: Int) -> Int {
        percent == 0 ? 0 : max(1, Int((Double(percent * speedMax) / 100).rounded()))
    }

    package func confirms(_ action: Action) -> Bool { action != .stop }

    package func attained(_ action: Action) -> Action {
        guard kind == .fan, case .level(let percent) = action else { return action }
        return .level(Int((Double(Self.speed(percent)) / Double(Self.speedMax) * 100).rounded()))
    }

    package func reports(topic: String, payload: Payload) -> [Report] {
        if topic == telemetry + "LWT" {
            let isOffline = payload.text == offlineWord
            let presence: Surroundings.Presence =
                isOffline ? .offline : payload.text == onlineWord ? .online : .unknown
            return [.presence(presence, topic: topic)]
        }
        let isResult = topic.hasPrefix(result)
        guard isResult || topics.contains(topic) else { return [] }
        var state = ApplianceState()
        if payload.isObject {
            // What was asked of its status comes in another object.
            for place in [[], ["StatusSTS"], ["StatusSNS"]] where state == ApplianceState() {
                note(payload, place, &state)
            }
        } else if isResult {
            let key = String(topic.dropFirst(result.count))
            if powerKeys.contains(key), kind != .shutter { state.isOn = isOn(payload.text) }
            if kind == .shutter, key == "SHUTTER\(index)" { note(position: payload.percent(at: .whole), &state) }
        }
        return state == ApplianceState() ? [] : [.state(state)]
    }

    /// Notes what an object at a place of a message says.
    private func note(_ payload: Payload, _ place: [String], _ state: inout ApplianceState) {
        func path(_ keys: String...) -> ValuePath { ValuePath((place + keys).map { .key($0) }) }
        switch kind {
        case .shutter:
            let shutter = "Shutter\(index)"
            note(position: payload.percent(at: path(shutter, "Position")), &state)
            // A direction of 0 means that it stands.
            if let direction = payload.word(at: path(shutter, "Direction")), direction != "0" {
                state.heading = payload.percent(at: path(shutter, "Target")).map(turned)
            }
        case .relay, .light:
            for key in powerKeys where state.isOn == nil { state.isOn = payload.word(at: path(key)).flatMap(isOn) }
            if kind == .light { state.level = payload.percent(at: path(dimmer)) }
        case .fan:
            state.level = payload.percent(at: path("FanSpeed"), of: Double(Self.speedMax))
            state.isOn = state.level.map { $0 > 0 }
        }
    }

    private func note(position: Int?, _ state: inout ApplianceState) {
        state.position = position.map(turned)
        state.isOn = state.position.map { $0 > 0 }
    }

    /// A position as people mean it, of one as the device does.
    private func turned(_ position: Int) -> Int { isInverted ? 100 - position : position }

    private var power: String { command + (isNumbered ? "POWER\(index)" : "POWER") }

    /// A single relay is called both ways.
    private var powerKeys: [String] { isNumbered ? ["POWER\(index)"] : ["POWER", "POWER1"] }

    private func isOn(_ word: String) -> Bool? { word == onWord ? true : word == offWord ? false : nil }
}
