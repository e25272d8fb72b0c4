import PoolModel

/// Separates the pools that one message reports: `{"pool":{"ph":7.2},"spa":{"ph":7.4}}`.
enum WaterParts {
    /// The candidates of one pool.
    struct Part {
        /// Where they are in the payload; empty for the whole of it.
        var place: [ValuePath.Step]
        var members: [ValueCandidate]
    }

    /// The pools, in the order of the message; one that is at no place of its own if the message is about one pool only.
    ///
    /// Two are told apart if each has its own number of a quantity that only a pool has, and the names of both are names for
    /// pools, or they lie in a list or an object that is called so.
    static func parts(of members: [ValueCandidate]) -> [Part] {
        var parts: [Part] = []
        for member in members {
            guard let place = place(of: member) else { continue }
            if let index = parts.firstIndex(where: { $0.place == place && $0.topic == member.source.topic }) {
                parts[index].members.append(member)
            } else {
                parts.append(Part(place: place, members: [member]))
            }
        }
        let kinds = parts.map { part in Set(part.members.map(\.source.quantity).filter(\.facts.tellsPool)) }
        let pools = parts.indices.filter { index in
            parts.indices.contains { other in
                other != index && parts[other].topic == parts[index].topic && parts[other].place != parts[index].place
                    && !kinds[other].isDisjoint(with: kinds[index])
            }
        }
        guard !pools.isEmpty else { return [Part(place: [], members: members)] }
        let topics = Set(pools.compactMap { parts[$0].topic })
        let others = members.filter { !topics.contains($0.source.topic) }
        return pools.map { parts[$0] } + (others.isEmpty ? [] : [Part(place: [], members: others)])
    }

    /// The longest way to an object that is called as a pool is, or lies in something that is called so in the plural; the
    /// message itself if nothing but names of quantities leads to the number; nil if it lies in anything else.
    private static func place(of candidate: ValueCandidate) -> [ValuePath.Step]? {
        let steps = candidate.source.path.steps
        guard candidate.source.path.sampleList == nil else { return nil }
        let length = (1..<max(1, steps.count)).last { length in
            switch steps[length - 1] {
            case .key(let key): isName(key) || length > 1 && isContainer(steps[length - 2])
            case .index: length > 1 && isContainer(steps[length - 2])
            default: false
            }
        }
        if let length { return Array(steps.prefix(length)) }
        guard case .key(let first) = steps.first, NameReading(first).quantity != nil else { return nil }
        return []
    }

    private static func isContainer(_ step: ValuePath.Step) -> Bool {
        if case .key(let key) = step { NameWords(key).contains(anyOf: containers) } else { false }
    }

    private static func isName(_ key: String) -> Bool {
        let words = NameWords(key)
        return words.contains(anyOf: names) && !words.contains(anyOf: QuantityWords.traps)
            && NameReading(key) == .neutral
    }

    /// Names of what holds several pools.
    private static let containers: Set<String> = [
        "pools", "spas", "piscines", "piscinas", "bassins", "bodies", "becken", "bazeny", "baseny", "pooler", "vasche",
        "zwembaden",
    ]

    /// Words for pools; those for water name what is in each of them.
    private static let names = QuantityWords.places.subtracting([
        "water", "wasser", "eau", "agua", "acqua", "woda", "wody", "wodzie", "voda", "vody", "vatten", "vattnet",
        "vattnets", "vand", "vandet",
    ]).subtracting(containers.subtracting(["becken"]))
}

extension WaterParts.Part {
    /// The topic of the message.
    fileprivate var topic: String? { members.first?.source.topic }
}
