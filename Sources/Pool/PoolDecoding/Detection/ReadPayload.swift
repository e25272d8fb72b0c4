import PoolModel

/// What came on a topic, read once, from which numbers and words are taken.
struct ReadPayload {
    /// What one sender sent on the topic, or one of its kinds of messages.
    struct Part {
        let text: String
        let json: JSONValue?
        /// What tells its sender from the others on the topic; none if there is one.
        let conditions: [PayloadCondition]

        /// The value at a place; of a text that is no JSON, the whole of it.
        func value(at path: ValuePath) -> JSONValue? {
            if let json { return json.value(at: path) }
            return path == .whole ? .string(text) : nil
        }

        /// The scalar at a place, as text.
        func scalar(at path: ValuePath) -> String? {
            guard let value = value(at: path) else { return nil }
            return json == nil ? String(text.trimmedOfBlanks) : value.scalarText
        }

        /// The number at a place, which may stand there as a text with its unit; truth values are not numbers.
        func measure(at path: ValuePath, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
            value(at: path).flatMap { ReadPayload.measure($0, of: quantity) }
        }

        /// Whether all conditions hold.
        func fulfils(_ conditions: [PayloadCondition]) -> Bool {
            conditions.allSatisfy { $0.isMet(by: value(at: $0.path).flatMap(MappingWord.word)) }
        }
    }

    /// In the order in which they came first.
    let parts: [Part]
    /// When the last message came live; nil if all were replayed.
    let heardAt: Timestamp?

    init(_ topic: ObservedTopic) {
        heardAt = topic.lastLive
        let read = topic.variants.map { (variant: $0, json: JSONValue(payload: $0.text)) }
        let conditions = SenderClassifier(read).conditions
        parts = zip(read, conditions).map { Part(text: $0.variant.text, json: $0.json, conditions: $1) }
    }

    /// Whether several senders share the topic.
    var isShared: Bool { parts.contains { !$0.conditions.isEmpty } }

    /// Whether a digit stands in it.
    var hasNumber: Bool { parts.contains { $0.text.unicodeScalars.contains { ("0"..."9").contains($0) } } }

    /// Whether its first words name two quantities or more of water: `PH:7.2 ORP:700`.
    var namesWater: Bool {
        parts.contains { part in
            Set(NameWords(part.text).words.compactMap { QuantityWords.meanings[$0]?.quantity }).count >= 2
        }
    }

    /// The first scalar at a place, as text.
    func scalar(at path: ValuePath) -> String? { parts.lazy.compactMap { $0.scalar(at: path) }.first }

    /// The first number at a place.
    func measure(at path: ValuePath, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
        parts.lazy.compactMap { $0.measure(at: path, of: quantity) }.first
    }

    /// The part that a source reads: one in which its conditions hold and a number stands, if there is one.
    func part(for source: ValueSource) -> Part? {
        let own = parts.filter { $0.fulfils(source.conditions) }
        return own.first { $0.measure(at: source.path, of: source.quantity) != nil } ?? own.first ?? parts.first
    }

    /// The number that a scalar is, with the unit that is written behind it; nil if that is another quantity's.
    static func measure(_ value: JSONValue, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
        switch value {
        case .number(let text): return Double(text).flatMap { $0.isFinite ? ($0, nil) : nil }
        case .string(let text):
            guard case .number(let number, let written) = UnitNumberText(text) else { return nil }
            if written.isEmpty { return (number, nil) }
            guard let unit = SourceUnit(symbol: written), unit.quantity == quantity else { return nil }
            return (number, unit)
        case .null, .bool, .nonFinite, .array, .object: return nil
        }
    }
}

/// Tells the senders that share a topic apart, by as few marks as possible.
private struct SenderClassifier {
    private let marks: [[PayloadMark]]
    private let payloads: [JSONValue?]

    init(_ read: [(variant: ObservedTopic.Variant, json: JSONValue?)]) {
        marks = read.map(\.variant.marks)
        payloads = read.map(\.json)
    }

    /// For each payload what must stand in it to be of its sender; nothing if all are of one.
    var conditions: [[PayloadCondition]] {
        var chosen: [ValuePath] = []
        for path in telling where classes(by: chosen + [path]) > classes(by: chosen) { chosen.append(path) }
        return marks.indices.map { index in
            var own: [ValuePath] = []
            for path in chosen where count(like: index, by: own) > count(like: index, by: chosen) { own.append(path) }
            return own.map { condition(at: $0, of: index) }
        }
    }

    /// The places of marks that tell senders apart, the best ones first.
    private var telling: [ValuePath] {
        var paths: [ValuePath] = []
        for mark in marks.joined() where !paths.contains(mark.path) { paths.append(mark.path) }
        return paths.filter(isOfSenders).enumerated().sorted { left, right in
            (rank(left.element), left.offset) < (rank(right.element), right.offset)
        }.map(\.element)
    }

    private func rank(_ path: ValuePath) -> Int {
        guard case .key(let key) = path.steps.last else { return .max }
        let folded = key.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
        return PayloadMark.strong.firstIndex(of: folded) ?? PayloadMark.strong.count
    }

    private func isOfSenders(_ path: ValuePath) -> Bool {
        let found = marks.joined().filter { $0.path == path }
        guard Set(found.map(\.word)).count > 1 else { return false }
        // `"name":"ph"` names a value of one sender.
        let namesValues = found.contains { mark in
            switch NameReading(mark.word) {
            case .quantity, .trap: true
            case .neutral, .other: false
            }
        }
        return !namesValues && (found.contains(where: \.isStrong) || isConflict(path))
    }

    /// Whether payloads with different words have the same quantity at the same place.
    private func isConflict(_ path: ValuePath) -> Bool {
        var owners: [ValuePath: String?] = [:]
        for index in marks.indices {
            guard let payload = payloads[index] else { continue }
            let own = word(at: path, of: index)
            for leaf in PayloadLeaves(payload).leaves {
                guard case .key(let key) = leaf.path.steps.last, NameReading(key).quantity != nil else { continue }
                if let other = owners[leaf.path], other != own { return true }
                owners[leaf.path] = own
            }
        }
        return false
    }

    private func word(at path: ValuePath, of index: Int) -> String? {
        marks[index].first { $0.path == path }?.word
    }

    private func classes(by paths: [ValuePath]) -> Int {
        Set(marks.indices.map { index in paths.map { word(at: $0, of: index) } }).count
    }

    private func count(like index: Int, by paths: [ValuePath]) -> Int {
        marks.indices.count { other in paths.allSatisfy { word(at: $0, of: other) == word(at: $0, of: index) } }
    }

    private func condition(at path: ValuePath, of index: Int) -> PayloadCondition {
        if let word = word(at: path, of: index) { return PayloadCondition(path, isOneOf: [word]) }
        let others = Set(marks.joined().filter { $0.path == path }.map(\.word)).sorted()
        return PayloadCondition(path, isNoneOf: Array(others.prefix(MappingLimits.wordCountMax)))
    }
}
