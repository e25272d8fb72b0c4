import PoolModel

/// Groups the numbers with matching names into devices: those whose topics begin alike belong together.
struct NameGroups {
    /// One device: its topic and the best number for each of its quantities.
    struct Group {
        var base: String
        var best: [Quantity: ValueCandidate]
        var remarks: [String]
        /// The conditions that distinguish the device from others on its topic; empty if there is only one.
        var senders: [PayloadCondition] = []
        /// Where its values are in the messages of its topic, if others are there, too.
        var place: [ValuePath.Step] = []
        /// The candidates that names do not distinguish, the best one first.
        var choices: [Quantity: [ValueCandidate]] = [:]

        var values: [ValueCandidate] { Quantity.allCases.compactMap { best[$0] } }

        /// Whether a device without a mapping would be read in the same way, so that it needs none.
        func isFlat(payloads: [String: ReadPayload]) -> Bool {
            // The device may name another unit tomorrow: only a mapping checks the unit.
            guard remarks.isEmpty, senders.isEmpty,
                values.allSatisfy({
                    $0.isUsual && !$0.isSuspect && $0.source.topic == base && $0.source.path.steps.count == 1
                        && $0.source.unitPlace == nil && $0.source.conditions.isEmpty
                })
            else {
                return false
            }
            let flat = PreviewReader(payloads: payloads).previews(of: nil, base: base)
            return flat.map(\.quantity) == values.map(\.source.quantity)
                && zip(flat, values).allSatisfy { $0.value == $1.value }
        }
    }

    private(set) var groups: [Group] = []
    private var indices: [String: Int] = [:]

    init(_ candidates: [ValueCandidate]) {
        let bases = Dictionary(grouping: Self.rebased(candidates), by: \.base).sorted { $0.key < $1.key }
        for (base, members) in bases {
            var senders: [[PayloadCondition]] = []
            for member in members where !senders.contains(member.senders) { senders.append(member.senders) }
            for sender in senders {
                let parts = WaterParts.parts(of: members.filter { $0.senders == sender })
                for part in parts {
                    var group = Self.group(base, part.members, sender)
                    group.place = part.place
                    if sender.isEmpty, parts.count == 1 { add(group) } else { groups.append(group) }
                }
            }
        }
    }

    /// A payload with one quantity, on a topic whose last level names the same, belongs to the levels before.
    private static func rebased(_ candidates: [ValueCandidate]) -> [ValueCandidate] {
        let byTopic = Dictionary(grouping: candidates, by: \.source.topic)
        return candidates.map { candidate in
            guard byTopic[candidate.source.topic]?.count == 1, !candidate.isNamedByTopic,
                let slash = candidate.source.topic.lastIndex(of: "/"),
                NameReading(candidate.source.topic[slash...].dropFirst()).quantity == candidate.source.quantity
            else { return candidate }
            var candidate = candidate
            candidate.base = String(candidate.source.topic[..<slash])
            return candidate
        }
    }

    private static func group(
        _ base: String, _ members: [ValueCandidate], _ senders: [PayloadCondition]
    ) -> Group {
        var group = Group(base: base, best: [:], remarks: [], senders: senders)
        for quantity in Quantity.allCases {
            let all = members.filter { $0.source.quantity == quantity }
            let preferred = preferred(of: all)
            guard let first = preferred.first else { continue }
            group.best[quantity] = first
            if preferred.count > 1 { group.choices[quantity] = preferred }
            for other in all where !preferred.contains(where: { $0.source == other.source }) {
                let isDuplicate = other.isConverted && other.isDuplicate(of: first)
                let what = isDuplicate ? "the same in \(other.source.unit.rawValue)" : "another \(quantity.name)"
                group.remarks.append("\(place(of: other)) is \(what), not used")
            }
        }
        return group
    }

    /// The candidates that nothing distinguishes, the best one first: by their names, then by their values.
    private static func preferred(of all: [ValueCandidate]) -> [ValueCandidate] {
        // The same value in another unit is not a separate value.
        let distinct = all.filter { one in
            !one.isConverted || !all.contains { !$0.isConverted && $0.isDuplicate(of: one) }
        }
        guard !distinct.isEmpty else { return [] }
        var best = WaterNames.best(of: distinct.map(\.names), for: distinct[0].source.quantity).map { distinct[$0] }
        if best.contains(where: \.isUsual) { best = best.filter(\.isUsual) }
        let sorted = best.enumerated().sorted { left, right in
            (-rank(left.element), left.offset) < (-rank(right.element), right.offset)
        }.map(\.element)
        // A Shelly tells the same component, `temperature:100`, by its status and by an event.
        let components = sorted.map { Set($0.names.filter { isComponent($0) }) }
        let shared = components.dropFirst().reduce(components.first ?? []) { $0.intersection($1) }
        let isOne = !shared.isEmpty || sorted.allSatisfy { $0.isDuplicate(of: sorted[0]) }
        return isOne ? Array(sorted.prefix(1)) : sorted
    }

    /// Whether a name is that of a part of a device, with its number.
    static func isComponent(_ name: some StringProtocol) -> Bool {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && !parts[1].isEmpty && parts[1].allSatisfy(\.isNumber)
    }

    /// What makes a number the better one of two: no conversion, the water in its name, a usual value, a short path.
    private static func rank(_ candidate: ValueCandidate) -> Int {
        (candidate.isConverted ? 0 : 8) + (candidate.namesWater ? 4 : 0) + (candidate.isUsual ? 2 : 0)
            + (candidate.source.path.steps.count <= 1 ? 1 : 0)
    }

    static func place(of candidate: ValueCandidate) -> String {
        let source = candidate.source
        return source.path == .whole ? source.topic : "\(source.topic) \(source.path)"
    }

    /// Merges a group into the one whose topic is above its own, if they have no quantity in common.
    private mutating func add(_ group: Group) {
        guard let above = indexAbove(group.base) else {
            append(group)
            return
        }
        let shared = group.best.keys.filter { groups[above].best[$0] != nil }
        // The temperature of a house is not that of the pool in it.
        let isOfTheHouse =
            groups[above].best.allSatisfy { !$0.key.facts.tellsPool && !$0.value.namesWater }
            && group.values.contains(where: \.namesWater)
        if shared.isEmpty, !isOfTheHouse {
            groups[above].best.merge(group.best) { first, _ in first }
            groups[above].remarks += group.remarks
        } else if !shared.isEmpty, group.best.allSatisfy({ groups[above].best[$0.key]?.value == $0.value.value }) {
            groups[above].remarks.append("the same values also come under \(group.base)")
        } else {
            append(group)
        }
    }

    private mutating func append(_ group: Group) {
        indices[group.base] = groups.count
        groups.append(group)
    }

    /// The index of the group with the longest topic above a given topic.
    private func indexAbove(_ base: String) -> Int? {
        var above = base[...]
        while let slash = above.lastIndex(of: "/") {
            above = above[..<slash]
            if let index = indices[String(above)] { return index }
        }
        return nil
    }
}
