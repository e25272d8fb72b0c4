import PoolModel

/// A number that, by its name, may be a quantity of the water.
struct ValueCandidate {
    /// Where the number is; with the full topic.
    var source: ValueSource
    /// The number as it was sent.
    var number: Double
    /// The topic up to the level that names the value, or all of it where a key names it.
    var base: String
    /// Whether a name says that it is about the water.
    var namesWater: Bool
    /// Whether a unit was written next to it or in its name.
    var hasUnit: Bool
    /// Whether a topic level names it, rather than a key.
    var isNamedByTopic: Bool
    /// The names that may tell what it belongs to: keys, levels, the word that names it.
    var names: [String]
    /// The conditions that distinguish its device from others on the topic; empty if there is only one.
    var senders: [PayloadCondition]

    /// The value in the quantity's unit.
    var value: Double { source.unit.standardValue(number * source.scale + source.offset) }

    /// Whether it has the same value as another candidate, as far as units and digits allow.
    func isDuplicate(of other: ValueCandidate) -> Bool { abs(value - other.value) <= 0.06 }

    /// Whether the value is usual for pools.
    var isUsual: Bool { ScaleSuspicion.usualRange(of: source.quantity).contains(value) }
}

/// Finds the numbers in a message that have names of quantities.
struct CandidateFinder {
    private let topic: String
    private let levels: [Substring]
    private(set) var candidates: [ValueCandidate] = []
    /// The topics and paths that looked like a quantity and were left out.
    private(set) var traps: [String] = []
    private var senders: [PayloadCondition] = []

    init(topic: String, payload: ReadPayload) {
        self.topic = topic
        levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        for part in payload.parts {
            senders = part.conditions
            for leaf in PayloadLeaves(part.json ?? .string(part.text)).leaves { look(at: leaf) }
        }
    }

    private mutating func look(at leaf: PayloadLeaf) {
        let keys = leaf.path.steps.compactMap { step in
            if case .key(let key) = step { key } else { nil }
        }
        guard let naming = naming(of: leaf, keys: keys) else { return }
        guard case .quantity(let quantity, let nameUnit) = naming.reading else { return }
        guard let (number, writtenUnit) = ReadPayload.measure(leaf.value, of: quantity) else { return }
        let names = keys + levels.map(String.init)
        let words = names.map { NameWords($0) }
        let isTrapped = words.contains { $0.contains(anyOf: QuantityWords.ancestorTraps) }
        let own = NameWords(naming.name)
        // A heater's topic may have the temperature of the water.
        let isOfSomethingElse =
            quantity == .temperature
            && (own.contains(anyOf: QuantityWords.notWater.union(QuantityWords.elsewhere))
                || !own.namesWater && words.contains { $0.contains(anyOf: QuantityWords.notWater) })
        guard !isTrapped, !isOfSomethingElse else {
            trap(leaf.path)
            return
        }
        let besideUnit = Self.unitBeside(leaf, quantity: quantity)
        guard besideUnit.isKnown else { return }
        let unit = writtenUnit ?? besideUnit.unit ?? nameUnit
        var source = ValueSource(
            quantity, topic: topic, path: leaf.path, unit: unit,
            unitPlace: besideUnit.path.map { UnitPlace(path: $0) })
        source.conditions = [naming.condition, Self.validity(leaf)].compactMap(\.self) + senders
        // Messages of different kinds from one sender may have the same path.
        guard
            !candidates.contains(where: { $0.source.path == source.path && $0.source.conditions == source.conditions })
        else { return }
        candidates.append(
            ValueCandidate(
                source: source, number: number, base: naming.levelIndex.map(base(before:)) ?? topic,
                namesWater: words.contains(where: \.namesWater) || own.namesWater
                    || senders.contains { $0.words.contains { NameWords($0).namesWater } },
                hasUnit: unit != nil, isNamedByTopic: naming.levelIndex != nil, names: names + [naming.name],
                senders: senders))
    }

    private mutating func trap(_ path: ValuePath) {
        let place = path == .whole ? topic : "\(topic) \(path)"
        if traps.count < 16, !traps.contains(place) { traps.append(place) }
    }

    private struct Naming {
        var reading: NameReading
        /// The recognized name.
        var name: String
        var levelIndex: Int?
        var condition: PayloadCondition?
    }

    /// The name of a scalar: its key, else a name next to it, else the keys around it, else the topic levels.
    private mutating func naming(of leaf: PayloadLeaf, keys: [String]) -> Naming? {
        var isLast = true
        for key in keys.reversed() {
            let reading = NameReading(key)
            switch reading {
            case .quantity: return Naming(reading: reading, name: key)
            case .trap:
                if Self.looksLikeQuantity(key) { trap(leaf.path) }
                return nil
            case .other:
                guard isLast, let quantity = Self.quantityOfShortName(key, leaf) else { return nil }
                return Naming(reading: .quantity(quantity, unit: nil), name: key)
            case .neutral:
                if isLast, let beside = Self.nameBeside(leaf) { return beside }
                if isLast, let quantity = Self.quantityOfShortName(key, leaf) {
                    return Naming(reading: .quantity(quantity, unit: nil), name: key)
                }
            }
            isLast = false
        }
        for index in levels.indices.reversed() {
            let reading = NameReading(levels[index])
            switch reading {
            case .quantity: return Naming(reading: reading, name: String(levels[index]), levelIndex: index)
            case .trap(let word) where word != "status":
                if Self.looksLikeQuantity(String(levels[index])) { trap(leaf.path) }
                return nil
            case .other: return nil
            case .neutral, .trap: break
            }
        }
        return nil
    }

    /// The meaning of a key such as `t` next to one that names a quantity: `{"t":26.1,"ph":7.2}`.
    private static func quantityOfShortName(_ key: String, _ leaf: PayloadLeaf) -> Quantity? {
        guard let quantity = QuantityWords.shortNames[key.lowercased()], case .object(let members) = leaf.parents.last
        else { return nil }
        let others = members.compactMap { NameReading($0.key).quantity }
        return others.contains(where: { $0 != .temperature }) && !others.contains(quantity) ? quantity : nil
    }

    private static func looksLikeQuantity(_ name: String) -> Bool {
        NameWords(name).words.contains { QuantityWords.meanings[$0] != nil }
    }

    private static let nameKeys: Set<String> = [
        "name", "type", "id", "sensor", "parameter", "quantity", "measurement", "key", "label", "kind", "n", "code",
        "data_type", "datatype", "metric", "measure", "tag", "variable", "param", "field", "signal", "point",
    ]

    /// `{"name":"ph","value":7.2}`: the text next to a neutral key, which must then be present in every payload.
    private static func nameBeside(_ leaf: PayloadLeaf) -> Naming? {
        guard case .object(let members) = leaf.parents.last, case .key = leaf.path.steps.last else { return nil }
        for member in members where nameKeys.contains(member.key.lowercased()) {
            guard case .string(let text) = member.value, case .quantity(let quantity, let unit) = NameReading(text)
            else {
                continue
            }
            let path = ValuePath(leaf.path.steps.dropLast() + [.key(member.key)])
            return Naming(
                reading: .quantity(quantity, unit: unit), name: text, levelIndex: nil,
                condition: PayloadCondition(path, isOneOf: [text]))
        }
        return nil
    }

    /// What the device itself says about the validity of a number: `"is_valid":true`.
    private static func validity(_ leaf: PayloadLeaf) -> PayloadCondition? {
        guard case .object(let members) = leaf.parents.last, case .key = leaf.path.steps.last else { return nil }
        let keys: Set<String> = ["is_valid", "isvalid", "valid"]
        for member in members where keys.contains(member.key.lowercased()) {
            guard case .bool = member.value else { continue }
            return PayloadCondition(
                ValuePath(leaf.path.steps.dropLast() + [.key(member.key)]), isNoneOf: ["false"])
        }
        return nil
    }

    /// Whether a key names a unit: `unit`, `temp_unit`, `TempUnit`, `unit_of_measurement`.
    private static func isUnitKey(_ key: String) -> Bool {
        let words = NameWords(key).words
        return ["unit", "units", "uom"].contains(words.last) || words.starts(with: ["unit", "of", "measurement"])
            || ["tempunit", "temperatureunit", "unitofmeasurement"].contains(words.last)
    }

    /// The unit in the same object, or for temperatures in one around it; unknown if it belongs to another value.
    private static func unitBeside(
        _ leaf: PayloadLeaf, quantity: Quantity
    ) -> (unit: SourceUnit?, path: ValuePath?, isKnown: Bool) {
        for (distance, parent) in leaf.parents.reversed().enumerated() {
            guard case .object(let members) = parent else { continue }
            for member in members where isUnitKey(member.key) {
                guard let text = member.value.scalarText, !text.trimmedOfBlanks.isEmpty else { continue }
                let unit = SourceUnit(symbol: text)
                if unit?.quantity == quantity {
                    let around = leaf.path.steps.dropLast(distance + 1)
                    return (unit, ValuePath(around + [.key(member.key)]), true)
                }
                let isAlone = distance == 0 && ["unit", "uom"].contains(member.key.lowercased())
                if isAlone, !isOfAnother(unit, in: members) { return (nil, nil, false) }
            }
        }
        return (nil, nil, true)
    }

    /// Whether a unit belongs to one of several values in the same object: `{"temp":78,"ph":7.2,"unit":"F"}`.
    private static func isOfAnother(_ unit: SourceUnit?, in members: [JSONValue.Member]) -> Bool {
        guard let unit else { return false }
        return members.contains { member in
            guard case .quantity(let quantity, _) = NameReading(member.key) else { return false }
            return quantity == unit.quantity
        }
    }

    /// The levels before the one that names a value, without meaningless levels at their end.
    private func base(before index: Int) -> String {
        var base = levels[..<index]
        while base.count > 1, let last = base.last, QuantityWords.neutral.contains(last.lowercased()) {
            base = base.dropLast()
        }
        let text = base.joined(separator: "/")
        return text.isEmpty ? topic : text
    }
}
