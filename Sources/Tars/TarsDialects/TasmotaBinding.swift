package import TarsModel

/// One relay, light or shutter of a device with Tasmota.
///
/// Source: Tasmota 13 and 14, "MQTT" and "Commands".
package struct TasmotaBinding: Binding {
    /// What it is.
    package enum Kind: String, Codable, Sendable {
        case relay, light, shutter
    }

    /// The full topics of commands, results and telemetry, each up to its last slash.
    package var command, result, telemetry: String
    /// What it is.
    package var kind: Kind
    /// Which of its kind it is in the device, from 1.
    package var index: Int
    /// Whether the device has several relays, so that their commands have numbers.
    package var isNumbered: Bool
    /// The words for on and off in its results, and for its will.
    package var onWord = "ON", offWord = "OFF", onlineWord = "Online", offlineWord = "Offline"

    /// The first relay of a device with the usual full topic.
    ///
    /// - Throws: ``ModelProblem`` for a topic that cannot be.
    package init(topic: String) throws(ModelProblem) {
        try TopicName.check(topic, kind: "Tasmota")
        (command, result, telemetry) = ("cmnd/\(topic)/", "stat/\(topic)/", "tele/\(topic)/")
        (kind, index, isNumbered) = (.relay, 1, false)
    }

    package var topics: [String] { [result + "+", telemetry + "STATE", telemetry + "LWT"] }

    package func order(for action: Action, id: Command.ID, until: Timestamp) -> Order? {
        switch (kind, action) {
        case (.shutter, .on): Order(topic: command + "ShutterOpen\(index)", payload: "")
        case (.shutter, .off): Order(topic: command + "ShutterClose\(index)", payload: "")
        case (.shutter, .stop): Order(topic: command + "ShutterStop\(index)", payload: "")
        case (.shutter, .position(let percent)):
            Order(topic: command + "ShutterPosition\(index)", payload: "\(percent)")
        case (.light, .level(let percent)): Order(topic: command + "Dimmer", payload: "\(percent)")
        case (.relay, .on), (.light, .on): Order(topic: power, payload: "ON")
        case (.relay, .off), (.light, .off): Order(topic: power, payload: "OFF")
        case (.relay, .toggle), (.light, .toggle): Order(topic: power, payload: "TOGGLE")
        case (.relay, _), (.light, _), (.shutter, _): nil
        }
    }

    package func confirms(_ action: Action) -> Bool { action != .stop }

    package func reports(topic: String, payload: Payload) -> [Report] {
        if topic == telemetry + "LWT" {
            let presence: Surroundings.Presence =
                [onlineWord: .online, offlineWord: .offline][payload.text] ?? .unknown
            return [.presence(presence, topic: topic)]
        }
        var state = ApplianceState()
        if topic.hasPrefix(result), powerKeys.contains(String(topic.dropFirst(result.count))),
            !payload.isObject
        {
            state.isOn = isOn(payload.text)
        } else if topic == telemetry + "STATE" || topic.hasPrefix(result) {
            switch kind {
            case .shutter:
                state.position = payload.percent(at: ValuePath([.key("Shutter\(index)"), .key("Position")]))
                state.isOn = state.position.map { $0 > 0 }
            case .relay, .light:
                for key in powerKeys where state.isOn == nil {
                    state.isOn = payload.word(at: ValuePath([.key(key)])).flatMap(isOn)
                }
                if kind == .light { state.level = payload.percent(at: ValuePath([.key("Dimmer")])) }
            }
        }
        return state == ApplianceState() ? [] : [.state(state)]
    }

    private var power: String { command + (isNumbered ? "POWER\(index)" : "POWER") }

    /// A single relay is called both ways.
    private var powerKeys: [String] { isNumbered ? ["POWER\(index)"] : ["POWER", "POWER1"] }

    private func isOn(_ word: String) -> Bool? { [onWord: true, offWord: false][word] }
}

extension TasmotaBinding {
    /// What announces devices, one retained message each.
    package static let filter = "tasmota/discovery/+/config"

    /// The relays, lights and shutters of an announcement; none if it is not one.
    package static func discover(topic: String, payload: [UInt8]) -> [Discovery<TasmotaBinding>] {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 4, levels[0] == "tasmota", levels[1] == "discovery", levels[3] == "config",
            let json = Payload(payload)?.json, let own = json.member(named: "t")?.scalarText,
            let pattern = json.member(named: "ft")?.scalarText,
            let prefixes = json.member(named: "tp")?.elements.compactMap(\.scalarText), prefixes.count == 3
        else { return [] }
        let paths = prefixes.map { prefix in
            let path = pattern.replacing("%prefix%", with: prefix).replacing("%topic%", with: own)
            return path.hasSuffix("/") ? path : path + "/"
        }
        let relays = json.member(named: "rl")?.elements.map { $0.wholeNumber ?? 0 } ?? []
        let names = json.member(named: "fn")?.elements.map(\.scalarText) ?? []
        let words = json.member(named: "state")?.elements.compactMap(\.scalarText) ?? []
        var found: [Discovery<TasmotaBinding>] = []
        var shutterRelays = 0
        for (offset, relay) in relays.enumerated() {
            guard let kind = [1: Kind.relay, 2: .light, 3: .shutter][relay],
                var binding = try? TasmotaBinding(topic: own)
            else { continue }
            if kind == .shutter {
                // A shutter has two relays, one for each direction.
                shutterRelays += 1
                guard shutterRelays % 2 == 1 else { continue }
            }
            (binding.command, binding.result, binding.telemetry) = (paths[0], paths[1], paths[2])
            (binding.kind, binding.index) = (kind, kind == .shutter ? (shutterRelays + 1) / 2 : offset + 1)
            binding.isNumbered = relays.count { $0 != 0 } > 1
            if words.count > 1 { (binding.offWord, binding.onWord) = (words[0], words[1]) }
            binding.onlineWord = json.member(named: "onln")?.scalarText ?? binding.onlineWord
            binding.offlineWord = json.member(named: "ofln")?.scalarText ?? binding.offlineWord
            let deviceName = json.member(named: "dn")?.scalarText ?? own
            found.append(
                Discovery(
                    key: "\(levels[2]) \(offset + 1)",
                    name: (names.indices.contains(offset) ? names[offset] : nil) ?? deviceName,
                    kind: kind.applianceKind, abilities: kind.abilities, binding: binding))
        }
        return found
    }
}

extension TasmotaBinding.Kind {
    fileprivate var applianceKind: Appliance.Kind {
        switch self {
        case .relay: .switch
        case .light: .light
        case .shutter: .cover
        }
    }

    fileprivate var abilities: [Ability] {
        switch self {
        case .relay: [.onOff, .toggle]
        case .light: [.onOff, .toggle, .level]
        case .shutter: [.onOff, .position, .stop]
        }
    }
}
