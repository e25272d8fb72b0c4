/// What devices with Tasmota announce.
///
/// Source: Tasmota 14, "MQTT", section on `SetOption19 0`; the members are those that Home Assistant's integration reads.
extension TasmotaBinding {
    /// What announces devices, one retained message each.
    package static let filter = "tasmota/discovery/+/config"

    /// The relays, lights, fans and shutters of an announcement; none if it is not one.
    package static func discover(topic: String, payload: [UInt8]) -> [Discovery<TasmotaBinding>] {
        let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        guard levels.count == 4, levels[0] == "tasmota", levels[1] == "discovery", levels[3] == "config",
            let announcement = Announcement(Payload(payload)?.json)
        else { return [] }
        return announcement.bindings.map { binding, offset in
            let own = announcement.names.indices.contains(offset) ? announcement.names[offset] : nil
            let isLamp = binding.kind == .relay && announcement.relaysAreLights
            return Discovery(
                key: "\(levels[2]) \(binding.kind == .fan ? "fan" : "\(offset + 1)")",
                name: binding.kind == .fan ? announcement.deviceName : own ?? announcement.deviceName,
                kind: isLamp ? .light : binding.kind.applianceKind, abilities: binding.kind.abilities, binding: binding)
        }
    }

    /// The members of an announcement.
    private struct Announcement {
        private let json: JSONValue
        private let relays: [Int]
        private let first: TasmotaBinding

        /// Reads an announcement; nil if its topics cannot be.
        init?(_ json: JSONValue?) {
            guard let json, let own = json.member(named: "t")?.scalarText,
                let pattern = json.member(named: "ft")?.scalarText,
                let prefixes = json.member(named: "tp")?.elements.compactMap(\.scalarText), prefixes.count == 3,
                var first = try? TasmotaBinding(topic: own)
            else { return nil }
            let mac = json.member(named: "mac")?.scalarText ?? ""
            let paths = prefixes.map { prefix in
                let path = pattern.replacing("%prefix%", with: prefix).replacing("%topic%", with: own)
                    .replacing("%hostname%", with: json.member(named: "hn")?.scalarText ?? "")
                    .replacing("%id%", with: mac.suffix(6))
                return path.hasSuffix("/") ? path : path + "/"
            }
            guard paths.allSatisfy({ GivenTopic.problem(of: String($0.dropLast())) == nil }) else { return nil }
            (first.command, first.result, first.telemetry) = (paths[0], paths[1], paths[2])
            self.json = json
            relays = json.member(named: "rl")?.elements.map { $0.wholeNumber ?? 0 } ?? []
            first.isNumbered = relays.count { $0 != 0 } > 1
            let words = json.member(named: "state")?.elements.compactMap(\.scalarText) ?? []
            if words.count > 1 { (first.offWord, first.onWord) = (words[0], words[1]) }
            first.onlineWord = json.member(named: "onln")?.scalarText ?? first.onlineWord
            first.offlineWord = json.member(named: "ofln")?.scalarText ?? first.offlineWord
            self.first = first
        }

        /// What it calls itself.
        var deviceName: String {
            json.member(named: "dn")?.scalarText ?? json.member(named: "t")?.scalarText ?? ""
        }

        /// The names of its relays; nil for a relay without a name.
        var names: [String?] { json.member(named: "fn")?.elements.map(\.scalarText) ?? [] }

        /// Whether a person said that all relays switch lights (`SetOption30`).
        var relaysAreLights: Bool { hasOption("30") }

        private func hasOption(_ number: String) -> Bool {
            json.member(named: "so")?.member(named: number)?.wholeNumber == 1
        }

        /// What it has, each with the place of its relay.
        var bindings: [(binding: TasmotaBinding, offset: Int)] {
            let hasFan = json.member(named: "if")?.wholeNumber == 1
            var found: [(binding: TasmotaBinding, offset: Int)] = []
            var (shutterRelays, lights) = (0, 0)
            for (offset, relay) in relays.enumerated() {
                var binding = first
                binding.index = offset + 1
                switch relay {
                case 1: binding.kind = .relay
                // The lamp of a ceiling fan has no brightness.
                case 2 where hasFan: binding.kind = .relay
                case 2:
                    lights += 1
                    binding.kind = .light
                    binding.dimmer = dimmer(of: binding.index, light: lights)
                case 3:
                    // A shutter has two relays, one for each direction.
                    shutterRelays += 1
                    guard shutterRelays % 2 == 1 else { continue }
                    binding.kind = .shutter
                    binding.index = (shutterRelays + 1) / 2
                    let options = json.member(named: "sho")?.elements.map { $0.wholeNumber ?? 0 } ?? []
                    binding.isInverted =
                        options.indices.contains(binding.index - 1) && options[binding.index - 1] & 1 == 1
                default: continue
                }
                found.append((binding, offset))
            }
            if hasFan {
                var fan = first
                fan.kind = .fan
                found.append((fan, relays.count))
            }
            return found
        }

        /// With `SetOption68` each channel is a light of its own; otherwise a second light is the white of the first.
        private func dimmer(of index: Int, light: Int) -> String {
            guard relays.count(where: { $0 == 2 }) > 1 else { return "Dimmer" }
            return hasOption("68") ? "Channel\(index)" : "Dimmer\(light)"
        }
    }
}

extension TasmotaBinding.Kind {
    fileprivate var applianceKind: Appliance.Kind {
        switch self {
        case .relay: .switch
        case .light: .light
        case .fan: .fan
        case .shutter: .cover
        }
    }

    fileprivate var abilities: [Ability] {
        switch self {
        case .relay: [.onOff, .toggle]
        case .light: [.onOff, .toggle, .level]
        case .fan: [.onOff, .level]
        case .shutter: [.onOff, .position, .stop]
        }
    }
}
