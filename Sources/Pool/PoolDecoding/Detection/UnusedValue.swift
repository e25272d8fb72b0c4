public import PoolModel

/// Something that a device sends and that is not one of the quantities: the hardness, a pump.
public struct UnusedValue: Hashable, Sendable {
    /// What it is, such as `hardness`.
    public var kind: String
    /// The topic.
    public var topic: String
    /// The path in the payload.
    public var path: ValuePath
    /// The raw text there, at most 64 code points.
    public var raw: String
    /// The conditions that distinguish its device from others on the topic.
    var senders: [PayloadCondition]

    /// The topic and the path.
    var place: String { path == .whole ? topic : "\(topic) \(path)" }

    /// What it is and its value, with the place.
    public var words: String { "\(kind) \(raw) at \(place)" }

    /// Whether it belongs to the device that is proposed.
    func isOf(_ proposal: DeviceProposal) -> Bool {
        guard topic == proposal.topic || topic.hasPrefix(proposal.topic + "/") else { return false }
        let own = proposal.mapping?.values.first?.conditions ?? []
        return senders.allSatisfy(own.contains)
    }

    /// Whether only water has it, or its names mean water.
    var isOfWater: Bool {
        Self.kindsOfWater.contains(kind) || NameWords(topic).namesWater || NameWords("\(path)").namesWater
    }

    /// The unused values on a topic, at most 16.
    static func all(on topic: String, in payload: ReadPayload) -> [UnusedValue] {
        var found: [UnusedValue] = []
        let levels = topic.split(separator: "/").map(String.init)
        for part in payload.parts {
            for leaf in PayloadLeaves(part.json ?? .string(part.text)).leaves {
                guard let raw = leaf.value.scalarText, raw.utf8.count <= 256 else { continue }
                let keys = leaf.path.steps.compactMap { step in
                    if case .key(let key) = step { key } else { nil }
                }
                guard let kind = kind(of: keys, beside: leaf, levels: levels),
                    !found.contains(where: { $0.path == leaf.path && $0.senders == part.conditions })
                else { continue }
                found.append(
                    UnusedValue(
                        kind: kind, topic: topic, path: leaf.path, raw: raw.shortened, senders: part.conditions))
                if found.count == 16 { return found }
            }
        }
        return found
    }

    /// The kind by the nearest meaningful name of a scalar: a key, a name next to it, a level of the topic.
    private static func kind(of keys: [String], beside leaf: PayloadLeaf, levels: [String]) -> String? {
        var names: [String] = []
        if case .object(let members) = leaf.parents.last {
            names = members.compactMap { member in
                guard ["name", "type", "data_type", "parameter", "label", "n"].contains(member.key.lowercased()),
                    case .string(let text) = member.value
                else { return nil }
                return text
            }
        }
        for (index, name) in (keys.reversed() + levels.reversed()).enumerated() {
            let words = NameWords(name)
            guard !words.contains(anyOf: QuantityWords.ancestorTraps.union(["low", "high", "status", "unit"])) else {
                return nil
            }
            if let kind = kind(words) { return kind }
            // A scalar with a meaningful name of its own is not what the names around it say.
            guard NameReading(name) == .neutral || words.words == ["state"] else { return nil }
            if index == 0, let kind = names.lazy.compactMap({ kind(NameWords($0)) }).first { return kind }
        }
        return nil
    }

    private static func kind(_ words: NameWords) -> String? {
        if words.words.contains(where: { QuantityWords.meanings[$0]?.quantity == .chlorine }) {
            if words.contains(anyOf: ["total", "gesamt", "totaal", "totale", "calkowity", "celkovy", "totalt"]) {
                return "total chlorine"
            }
            let bound: Set<String> = [
                "combined", "bound", "gebunden", "gebonden", "combine", "combinado", "combinato", "zwiazany", "vazany",
                "bundet", "bunden",
            ]
            return words.contains(anyOf: bound) ? "combined chlorine" : nil
        }
        return kinds.first { words.contains(anyOf: $0.words) }?.name
    }

    private static let kinds: [(name: String, words: Set<String>)] = [
        ("dissolved solids", ["tds"]),
        (
            "pump",
            ["pump", "pumpe", "pomp", "pompe", "bomba", "pompa", "cerpadlo", "filtration", "filterpump", "filtro"]
        ),
        ("alkalinity", ["alkalinity", "alkalinitat", "alkaliteit", "alcalinite", "alcalinidad", "alcalinita", "tac"]),
        (
            "hardness",
            ["hardness", "harte", "hardheid", "calcium", "durete", "dureza", "durezza", "twardosc", "tvrdost"]
        ),
        ("stabiliser", ["cya", "cyanuric", "stabilizer", "stabiliser", "stabilisator", "stabilisant"]),
        ("bromine", ["bromine", "brom", "brome", "bromo", "broom"]),
        ("turbidity", ["turbidity", "ntu", "trubung", "turbidite", "turbidez"]),
        (
            "oxygen",
            ["oxygen", "sauerstoff", "zuurstof", "oxygene", "oxigeno", "ossigeno", "oxigenio", "tlen", "kyslik"]
        ),
        (
            "flow",
            ["flow", "durchfluss", "debiet", "debit", "caudal", "portata", "vazao", "przeplyw", "prutok", "flode"]
        ),
        (
            "pressure",
            [
                "pressure", "druck", "druk", "pression", "presion", "pressione", "pressao", "cisnienie", "tlak",
                "tryck",
                "tryk", "psi",
            ]
        ),
        (
            "humidity",
            [
                "humidity", "luftfeuchte", "vochtigheid", "humidite", "humedad", "umidita", "umidade", "wilgotnosc",
                "vlhkost", "luftfuktighet", "fugtighed",
            ]
        ),
    ]
    private static let kindsOfWater: Set<String> = [
        "dissolved solids", "alkalinity", "stabiliser", "bromine", "turbidity",
        "total chlorine", "combined chlorine",
    ]
}
