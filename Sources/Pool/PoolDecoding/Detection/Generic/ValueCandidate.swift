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
    /// The keys that lead to it or, if a topic level names it, that level.
    var keys: [String]
    /// The conditions that distinguish its device from others on the topic; empty if there is only one.
    var senders: [PayloadCondition]

    /// The value in the quantity's unit.
    var value: Double { source.standardValue(number, in: source.unit) }

    /// Whether it has the same value as another candidate, as far as units and digits allow.
    func isDuplicate(of other: ValueCandidate) -> Bool {
        // In another unit it may have fewer digits.
        let tolerance = source.unit == other.source.unit ? 0.06 : max(0.06, 0.006 * abs(value))
        return abs(value - other.value) <= tolerance
    }

    /// Whether it has another unit than the one in which the quantity is stored.
    var isConverted: Bool { source.unit != source.quantity.facts.unit }

    /// Whether the value may be a code, or says that there is none.
    var isSuspect: Bool {
        ScaleSuspicion.isSuspect(
            value, of: source.quantity, raw: NumberFormat.shortest(number), isOfClearName: isOfClearName)
    }

    /// Whether its key, and the one around it, say nothing but the quantity and the water: no number, and no other word.
    var isOfClearName: Bool {
        keys.suffix(2).flatMap { NameWords($0).words }.allSatisfy { word in
            QuantityWords.meanings[word]?.quantity == source.quantity || QuantityWords.neutral.contains(word)
                || QuantityWords.waterWords.contains(word) || QuantityWords.free.contains(word)
                || QuantityWords.unitWords[word] != nil
        }
    }

    /// Whether the value is usual for pools.
    var isUsual: Bool { source.quantity.facts.usualRange.contains(value) }
}

/// A number in a message, and why it is not one of the quantities.
struct SeenNumber: Hashable {
    var topic: String
    var path: ValuePath
    /// The text there, at most 64 code points.
    var raw: String
    /// The conditions that distinguish its device from others on the topic.
    var senders: [PayloadCondition]
    /// Why it is not a quantity of the water; nil if its name says that it may be one.
    var reason: String?
    /// The quantity that its name says.
    var quantity: Quantity?
}

/// Finds the numbers in a message that have names of quantities.
struct CandidateFinder {
    private let topic: String
    private let levels: [Substring]
    private let levelNames: [String]
    private let siblings: JSONValue
    private(set) var candidates: [ValueCandidate] = []
    /// The topics and paths that looked like a quantity and were left out.
    private(set) var traps: [String] = []
    /// All numbers of the message.
    private(set) var seen: [SeenNumber] = []
    private var senders: [PayloadCondition] = []

    /// Searches a payload; `siblings` are the last levels of the topics next to it.
    init(topic: String, payload: ReadPayload, siblings: [Substring] = []) {
        self.topic = topic
        self.siblings = .object(siblings.map { JSONValue.Member(key: String($0), value: .null) })
        levels = topic.split(separator: "/", omittingEmptySubsequences: false)
        // "spBv1.0" is the name of Sparkplug, with no set point in it.
        levelNames = levels.filter { !$0.hasPrefix("spBv") }.map(String.init)
        for part in payload.parts {
            senders = part.conditions
            for leaf in PayloadLeaves(part.searched).leaves {
                let verdict = look(at: leaf)
                note(leaf, verdict)
            }
        }
    }

    /// The result of looking at a scalar.
    private enum Verdict {
        case candidate(Quantity)
        case refused(String, Quantity?)
        /// The place of a quantity that has no value now.
        case nothing(Quantity)
    }

    /// The most numbers of a topic that are remembered.
    private static let seenCountMax = 128

    private mutating func note(_ leaf: PayloadLeaf, _ verdict: Verdict) {
        guard seen.count < Self.seenCountMax else { return }
        var number = SeenNumber(topic: topic, path: leaf.path, raw: "", senders: senders)
        var raw = leaf.value.numberText
        switch verdict {
        case .candidate(let quantity): number.quantity = quantity
        case .refused(let reason, let quantity): (number.reason, number.quantity) = (reason, quantity)
        case .nothing(let quantity):
            (number.reason, number.quantity) = ("no value now: detect again when it has one", quantity)
            raw = MappingWord.word(of: leaf.value).map { $0.isEmpty ? "\"\"" : $0 }
        }
        guard let raw else { return }
        number.raw = raw.shortened
        // Several values may come on one place in turn.
        let isKnown = seen.contains {
            $0.path == number.path && $0.senders == senders && $0.reason == number.reason
                && $0.quantity == number.quantity
        }
        if !isKnown { seen.append(number) }
    }

    private mutating func look(at leaf: PayloadLeaf) -> Verdict {
        let keys = leaf.path.steps.compactMap { step in
            if case .key(let key) = step { key } else { nil }
        }
        if let key = keys.last, let text = leaf.value.scalarText, SideTimes.isTime(key, text),
            SideTimes.isTimeText(text)
        {
            return .refused("a time", nil)
        }
        guard let naming = naming(of: leaf, keys: keys) ?? namingByUnit(of: leaf, keys: keys),
            case .quantity(let quantity, let nameUnit) = naming.reading
        else { return .refused(reason(against: leaf, keys: keys), nil) }
        guard let (number, writtenUnit) = ReadPayload.measure(leaf.value, of: quantity) else {
            if leaf.value.meansNothing { return .nothing(quantity) }
            guard let raw = leaf.value.numberText, case .number(_, let unit) = UnitNumberText(raw) else {
                return .refused("not a number", quantity)
            }
            return .refused(Self.foreign(unit, quantity), quantity)
        }
        if let component = settingComponent {
            trap(leaf.path)
            return .refused("a setting: the \(component) of a device", quantity)
        }
        let names = keys + levelNames
        let words = names.map { NameWords($0) }
        let own = NameWords(naming.name)
        if words.contains(where: { $0.contains(anyOf: trapsAround(leaf)) }) {
            trap(leaf.path)
            return .refused("among limits, set points or settings", quantity)
        }
        // A heater's topic may have the temperature of the water; and a pool may be called by its place, if it has a pH.
        let around = isBesideOthers(leaf) ? QuantityWords.notOfWater.subtracting(Self.sides) : QuantityWords.notOfWater
        if quantity == .temperature,
            own.contains(anyOf: QuantityWords.notOfWater.union(QuantityWords.elsewhere))
                || !own.namesWater && words.contains(where: { $0.contains(anyOf: around) })
        {
            trap(leaf.path)
            let name = naming.condition.map { _ in "\(Excerpt(naming.name, scalarCountMax: 40)) is " } ?? ""
            return .refused("\(name)not that of the water", quantity)
        }
        if quantity == .chlorine, words.contains(where: { $0.contains(anyOf: Self.chlorinators) }) {
            trap(leaf.path)
            return .refused("of a chlorinator, not of the water", quantity)
        }
        if Self.isBuffer(number, of: quantity, own) {
            trap(leaf.path)
            return .refused("a calibration point, by its name", quantity)
        }
        let besideUnit = UnitBeside.find(leaf, quantity: quantity)
        guard besideUnit.isKnown else { return .refused(Self.foreign(besideUnit.text ?? "", quantity), quantity) }
        if naming.name.contains("%") { return .refused("in %, which is no unit of \(quantity.name)", quantity) }
        let bare = quantity.facts.unit(ofBare: number)
        let unit = writtenUnit ?? besideUnit.unit ?? nameUnit ?? (bare == quantity.facts.unit ? nil : bare)
        var source = ValueSource(
            quantity, topic: topic, path: leaf.path, unit: unit,
            unitPlace: besideUnit.path.map { UnitPlace(path: $0) })
        source.conditions = [naming.condition, Self.validity(leaf)].compactMap(\.self) + senders
        // Messages of different kinds from one sender may have the same path.
        guard
            !candidates.contains(where: { $0.source.path == source.path && $0.source.conditions == source.conditions })
        else { return .candidate(quantity) }
        candidates.append(
            ValueCandidate(
                source: source, number: number, base: naming.levelIndex.map(base(before:)) ?? topic,
                namesWater: words.contains(where: \.namesWater) || own.namesWater
                    || senders.contains { $0.words.contains { NameWords($0).namesWater } },
                hasUnit: unit != nil, isNamedByTopic: naming.levelIndex != nil, names: names + [naming.name],
                keys: naming.levelIndex == nil ? keys : [naming.name], senders: senders))
        return .candidate(quantity)
    }

    /// The kind of thing whose state a topic has, if that is something to set: `probe/number/ph/state` of ESPHome.
    private var settingComponent: Substring? {
        guard levels.count >= 4, levels.last == "state" else { return nil }
        let component = levels[levels.count - 3]
        return ["number", "switch", "select", "button", "climate", "fan", "light", "text"].contains(component)
            ? component : nil
    }

    /// Words around chlorine that is a setting of a device or its production.
    private static let chlorinators: Set<String> = [
        "chlorinator", "swg", "swc", "swcg", "electrolysis", "elektrolyse", "electrolyse", "electrolyser", "hydrolysis",
    ]

    /// Whether a number is that of a calibration liquid that its name tells: `ph7` of 6.98.
    private static func isBuffer(_ number: Double, of quantity: Quantity, _ name: NameWords) -> Bool {
        guard let tolerance = quantity.facts.doubt.liquidTolerance else { return false }
        return name.words.contains { word in Double(word).map { $0 >= 4 && abs($0 - number) <= tolerance } ?? false }
    }

    /// Words for where a pool is.
    private static let sides: Set<String> = ["indoor", "indoors", "outdoor", "outdoors", "outside"]

    /// Whether a quantity that only a pool has stands next to a scalar.
    private func isBesideOthers(_ leaf: PayloadLeaf) -> Bool {
        guard case .object(let members) = leaf.parents.last else { return false }
        return members.contains { NameReading($0.key).quantity?.facts.tellsPool ?? false }
    }

    /// A list of samples may be called "history", if it is the only one.
    private func trapsAround(_ leaf: PayloadLeaf) -> Set<String> {
        leaf.path.sampleList != nil && candidates.allSatisfy { $0.source.path.sampleList != nil }
            ? QuantityWords.ancestorTraps.subtracting(["history"]) : QuantityWords.ancestorTraps
    }

    private static func foreign(_ unit: String, _ quantity: Quantity) -> String {
        "in \(Excerpt(unit, scalarCountMax: 16)), which is no unit of \(quantity.name)"
    }

    /// Why a number without the name of a quantity is not one.
    private func reason(against leaf: PayloadLeaf, keys: [String]) -> String {
        let names =
            keys.suffix(1) + [Self.title(beside: leaf)].compactMap(\.self) + keys.dropLast().reversed()
            + levelNames.reversed()
        let words = names.map { NameWords($0) }
        let first =
            words.first { word in !word.words.allSatisfy { QuantityWords.neutral.contains($0) } } ?? NameWords("")
        if let text = leaf.value.scalarText, SideTimes.isTimeText(text) { return "a time" }
        if first.contains(anyOf: QuantityWords.limits) { return "a limit, a set point or a setting" }
        if first.contains(anyOf: QuantityWords.notOfWater) {
            return "not that of the water"
        }
        if first.contains(anyOf: QuantityWords.batteries) { return "of a battery, or a voltage" }
        if case .trap(let word) = NameReading(names.first ?? "") { return "not a reading, by the word \"\(word)\"" }
        for name in names {
            if case .trap(let word) = NameReading(name) { return "not a reading, by the word \"\(word)\"" }
            if NameReading(name) == .other { break }
        }
        if words.contains(where: \.namesWater) { return "its name says no quantity" }
        return "no known name"
    }

    /// The text that names a scalar next to it, whatever it says.
    private static func title(beside leaf: PayloadLeaf) -> String? {
        guard case .object(let members) = leaf.parents.last else { return nil }
        let texts = members.lazy.filter { nameKeys.contains($0.key.lowercased()) }.compactMap { member in
            if case .string(let text) = member.value, text.utf8.count <= 128 { text } else { nil }
        }
        return texts.first
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

    /// A number in °C or °F whose name only says that it is of the water.
    private func namingByUnit(of leaf: PayloadLeaf, keys: [String]) -> Naming? {
        let name =
            keys.last(where: { NameReading($0) != .neutral || NameWords($0).namesWater })
            ?? levels.last(where: { NameReading($0) != .neutral || NameWords($0).namesWater }).map(String.init)
        if let beside = Self.waterBeside(leaf) { return beside }
        guard let name, NameReading(name) == .neutral, NameWords(name).namesWater,
            let written = ReadPayload.measure(leaf.value, of: .temperature)
        else { return nil }
        let unit = written.unit ?? UnitBeside.find(leaf, quantity: .temperature).unit
        guard let unit, unit != .kelvin else { return nil }
        let index = levels.lastIndex { $0 == name }
        return Naming(
            reading: .quantity(.temperature, unit: unit), name: name, levelIndex: keys.contains(name) ? nil : index,
            condition: nil)
    }

    /// A number in °C or °F beside a text that only says that it is of the water: `{"name":"Becken","value":25.9,"unit":"C"}`.
    private static func waterBeside(_ leaf: PayloadLeaf) -> Naming? {
        guard case .object(let members) = leaf.parents.last, case .key(let key) = leaf.path.steps.last,
            NameReading(key) == .neutral, let written = ReadPayload.measure(leaf.value, of: .temperature),
            let unit = written.unit ?? UnitBeside.find(leaf, quantity: .temperature).unit, unit != .kelvin
        else { return nil }
        for member in members where nameKeys.contains(member.key.lowercased()) {
            guard case .string(let text) = member.value, text.utf8.count <= 128, NameReading(text) == .neutral,
                NameWords(text).namesWater
            else { continue }
            return Naming(
                reading: .quantity(.temperature, unit: unit), name: text,
                condition: PayloadCondition(
                    ValuePath(leaf.path.steps.dropLast() + [.key(member.key)]), isOneOf: [text]))
        }
        return nil
    }

    /// The name of a scalar: its key, else a name next to it, else the keys around it, else the topic levels.
    private mutating func naming(of leaf: PayloadLeaf, keys: [String]) -> Naming? {
        var isLast = true
        let isTime = leaf.value.scalarText.map(SideTimes.isTimeText) ?? false
        for (step, parent) in zip(leaf.path.steps, leaf.parents).reversed() {
            guard case .key(let key) = step else { continue }
            let reading = NameReading(key)
            switch reading {
            case .quantity: return Naming(reading: reading, name: key)
            case .trap:
                if Self.looksLikeQuantity(key) { trap(leaf.path) }
                return nil
            case .other:
                guard !isTime, let quantity = Self.quantityOfShortName(key, among: parent) else { return nil }
                return Naming(reading: .quantity(quantity, unit: nil), name: key)
            case .neutral:
                if let beside = Self.nameBeside(leaf, isLast: isLast) { return beside }
                if !isTime, let quantity = Self.quantityOfShortName(key, among: parent) {
                    return Naming(reading: .quantity(quantity, unit: nil), name: key)
                }
            }
            isLast = false
        }
        for index in levels.indices.reversed() {
            let reading = NameReading(levels[index])
            switch reading {
            case .quantity: return Naming(reading: reading, name: String(levels[index]), levelIndex: index)
            // A topic that ends with "status" has a code, if it is a bare number.
            case .trap(let word) where word != "status" || index == levels.count - 1 && leaf.path == .whole:
                if Self.looksLikeQuantity(String(levels[index])) { trap(leaf.path) }
                return nil
            case .other, .neutral:
                // "pool/rx" next to "pool/ph".
                let name = String(levels[index])
                let isShort = index == levels.count - 1 && leaf.path == .whole && name.lowercased() != "mv"
                if isShort, let quantity = Self.quantityOfShortName(name, among: siblings) {
                    return Naming(reading: .quantity(quantity, unit: nil), name: name, levelIndex: index)
                }
                if reading == .other { return nil }
            case .trap: break
            }
        }
        return nil
    }

    /// The meaning of a key such as `t` next to one that names a quantity: `{"t":26.1,"ph":7.2}`, or of one that differs
    /// from such a name in one word only: `{"measure_rx":701,"measure_ph":7.2}`.
    private static func quantityOfShortName(_ key: String, among object: JSONValue?) -> Quantity? {
        let words = NameWords(key).words
        guard words.contains(where: { QuantityWords.shortNames[$0] != nil }), case .object(let members) = object else {
            return nil
        }
        let readings = members.map { (words: NameWords($0.key).words, quantity: NameReading($0.key).quantity) }
        if let quantity = QuantityWords.shortNames[key.lowercased()] {
            let others = readings.compactMap(\.quantity)
            return others.contains(where: \.facts.tellsPool) && !others.contains(quantity) ? quantity : nil
        }
        guard words.count > 1, let place = words.firstIndex(where: { QuantityWords.shortNames[$0] != nil }),
            let quantity = QuantityWords.shortNames[words[place]], quantity != .temperature,
            !readings.contains(where: { $0.quantity == quantity })
        else { return nil }
        let isLike = readings.contains { other in
            guard other.quantity != nil, other.words.count == words.count else { return false }
            return words.indices.allSatisfy { ($0 == place) != (other.words[$0] == words[$0]) }
        }
        return isLike ? quantity : nil
    }

    private static func looksLikeQuantity(_ name: String) -> Bool {
        NameWords(name).words.contains { QuantityWords.meanings[$0] != nil }
    }

    static let nameKeys: Set<String> = [
        "name", "item", "entity", "entity_id", "topic", "attribute", "property", "sensor_type", "sensortype",
        "sensor_name", "title", "caption", "friendly_name", "type", "id", "sensor", "parameter",
        "quantity", "measurement", "key", "label", "kind", "n", "code",
        "data_type", "datatype", "metric", "measure", "tag", "variable", "param", "field", "signal", "point",
    ]

    /// `{"name":"ph","value":7.2}`: the text next to a neutral key, which must then be present in every payload.
    private static func nameBeside(_ leaf: PayloadLeaf, isLast: Bool) -> Naming? {
        let keyCount = leaf.path.steps.count { if case .key = $0 { true } else { false } }
        guard leaf.path.steps.last != .each, keyCount > 0 else { return nil }
        // Next to the key itself, then next to the keys around it.
        let steps = leaf.path.steps
        for (distance, parent) in leaf.parents.reversed().enumerated().prefix(isLast ? 1 : 4) {
            guard case .object(let members) = parent, distance < steps.count, distance > 0 || isLast else { continue }
            // The state of a named value that stands next to it.
            if case .key("state") = steps.last, distance == 0, parent.member(named: "value") != nil { return nil }
            for (keys, text) in names(in: members) {
                // The last level of a topic or of a place in a tree names the value.
                let title =
                    text.split { $0 == "/" || $0 == "." }.last { NameReading($0).quantity != nil } ?? Substring(text)
                guard case .quantity(let quantity, let unit) = NameReading(title) else { continue }
                let path = ValuePath(steps.dropLast(distance + 1) + keys.map { .key($0) })
                return Naming(
                    reading: .quantity(quantity, unit: unit), name: text, levelIndex: nil,
                    condition: PayloadCondition(path, isOneOf: [text]))
            }
        }
        return nil
    }

    /// The texts that name a value among the members of an object, with their keys; SensorThings has it in a `Datastream`.
    private static func names(in members: [JSONValue.Member]) -> [(keys: [String], text: String)] {
        members.flatMap { member -> [(keys: [String], text: String)] in
            switch member.value {
            case .string(let text) where nameKeys.contains(member.key.lowercased()) && text.utf8.count <= 128:
                [([member.key], text)]
            case .object(let inner) where member.key.lowercased() == "datastream":
                names(in: inner).filter { $0.keys.count == 1 }.map { ([member.key] + $0.keys, $0.text) }
            default: []
            }
        }
    }

    /// What the device itself says about the validity of a number: `"is_valid":true`.
    private static func validity(_ leaf: PayloadLeaf) -> PayloadCondition? {
        guard case .object(let members) = leaf.parents.last, case .key(let key) = leaf.path.steps.last else {
            return nil
        }
        for member in members {
            let words: [String]
            switch (doubts[member.key.lowercased()], member.value) {
            case (let doubt?, .bool): words = [doubt]
            case (nil, .string(let text)) where judgements.contains(member.key.lowercased()):
                // Beside values of several quantities it is the state of the device.
                guard NameReading(key) == .neutral || member.key.lowercased() != "status" else { continue }
                guard (goodWords + badWords).contains(text.lowercased()) else { continue }
                // In the case of the word that was seen.
                words =
                    text == text.lowercased()
                    ? badWords
                    : text == text.uppercased()
                        ? badWords.map { $0.uppercased() } : badWords.map { $0.prefix(1).uppercased() + $0.dropFirst() }
            default: continue
            }
            return PayloadCondition(ValuePath(leaf.path.steps.dropLast() + [.key(member.key)]), isNoneOf: words)
        }
        return nil
    }

    /// What a truth value means that says that a number is none.
    private static let doubts: [String: String] = [
        "is_valid": "false", "isvalid": "false", "valid": "false", "in_water": "false", "inwater": "false",
        "expired": "true", "stale": "true", "outdated": "true", "is_stale": "true", "invalid": "true",
    ]

    /// The keys of words that judge a number, and the words.
    private static let judgements: Set<String> = ["quality", "validity", "data_quality", "status"]
    private static let goodWords = ["good", "ok", "valid", "normal"]
    private static let badWords = ["bad", "error", "invalid", "fault", "failed", "expired", "stale"]

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

extension JSONValue {
    /// The text of a number, with a unit or without; nil for other values, also for versions, addresses and dates.
    var numberText: String? {
        switch self {
        case .number(let text): return text
        case .string(let text):
            guard text.utf8.count <= 32, case .number(_, let unit) = UnitNumberText(text), unit.utf8.count <= 12,
                !unit.contains(where: { $0.isNumber || $0 == ":" || $0 == "-" })
            else { return nil }
            return text
        case .null, .bool, .nonFinite, .array, .object: return nil
        }
    }
}
