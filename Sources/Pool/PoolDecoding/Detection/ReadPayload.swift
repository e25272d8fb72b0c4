import PoolModel

/// The parsed payloads of a topic, for reading numbers and words.
struct ReadPayload {
    /// The payload of one sender on the topic, or of one of its kinds of messages.
    struct Part {
        let text: String
        let json: JSONValue?
        /// The conditions that distinguish its sender from the others on the topic; empty if there is only one.
        let conditions: [PayloadCondition]

        /// The value at a path; of a text that is not JSON, the whole of it.
        func value(at path: ValuePath) -> JSONValue? {
            if let json { return json.value(at: path) }
            if path == .whole { return .string(text) }
            return PayloadContent.piece(of: text, at: path.steps).map { .string($0) }
        }

        /// What is searched for numbers: the JSON or, of a text with pairs such as `ph=7.2 temp=26`, its pairs; of one with
        /// several numbers, these.
        var searched: JSONValue {
            if let json { return json }
            guard text.utf8.count <= 4096, !text.hasPrefix("{"), !text.hasPrefix("["), !text.hasPrefix("<") else {
                return .string(text)
            }
            let pairs = PayloadContent.pairs(in: text)
            if !pairs.isEmpty { return .object(pairs.map { JSONValue.Member(key: $0.key, value: .string($0.value)) }) }
            // "26.31,7.412,702.5"
            let pieces = PayloadContent.list(in: text).map { JSONValue.string(String($0.trimmedOfBlanks)) }
            let isList = JSONValue.string(text).numberText == nil && pieces.count > 1
            return isList && pieces.allSatisfy { $0.numberText != nil } ? .array(pieces) : .string(text)
        }

        /// The source in the last sample that it reads, if it has samples; otherwise the source itself.
        func inLastSample(_ source: ValueSource) -> ValueSource {
            guard let list = source.path.sampleList, case .array(let elements) = value(at: list) else { return source }
            let found = elements.indices.reversed().lazy.map { source.inSample($0) }.first {
                fulfils($0.conditions) && measure(at: $0.path, of: $0.quantity) != nil
            }
            return found ?? source.inSample(-1)
        }

        /// The scalar at a path, as text.
        func scalar(at path: ValuePath) -> String? {
            guard let value = value(at: path) else { return nil }
            return json == nil && path == .whole ? String(text.trimmedOfBlanks) : value.scalarText
        }

        /// The number at a path, which may be a text with its unit; truth values are not numbers.
        func measure(at path: ValuePath, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
            value(at: path).flatMap { ReadPayload.measure($0, of: quantity) }
        }

        /// Whether all conditions are met.
        func fulfils(_ conditions: [PayloadCondition]) -> Bool {
            conditions.allSatisfy { $0.isMet(by: value(at: $0.path).flatMap(MappingWord.word)) }
        }
    }

    /// The parts in the order of their first messages.
    let parts: [Part]
    /// When the last live message came; nil if all were replayed.
    let heardAt: Timestamp?

    init(_ topic: ObservedTopic) {
        heardAt = topic.lastLive
        let read = topic.variants.map { (variant: $0, json: JSONValue(payload: $0.text)) }
        let conditions = SenderClassifier(read).conditions
        parts = zip(read, conditions).map { Part(text: $0.variant.text, json: $0.json, conditions: $1) }
    }

    /// Whether it contains a digit.
    var hasNumber: Bool { parts.contains { $0.text.unicodeScalars.contains { ("0"..."9").contains($0) } } }

    /// Whether its first words name at least two quantities of the water: `PH:7.2 CL:1.5`.
    var namesWater: Bool {
        parts.contains { part in
            Set(NameWords(part.text).words.compactMap { QuantityWords.meanings[$0]?.quantity }).count >= 2
        }
    }

    /// The first scalar at a path, as text.
    func scalar(at path: ValuePath) -> String? { parts.lazy.compactMap { $0.scalar(at: path) }.first }

    /// The first number at a path.
    func measure(at path: ValuePath, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
        parts.lazy.compactMap { $0.measure(at: path, of: quantity) }.first
    }

    /// The part that a source reads: one that meets its conditions and has a number, if there is one.
    func part(for source: ValueSource) -> Part? {
        let own = parts.filter { $0.fulfils($0.inLastSample(source).conditions) }
        return own.first { $0.measure(at: $0.inLastSample(source).path, of: source.quantity) != nil } ?? own.first
            ?? parts.first
    }

    /// The number in a scalar, with the unit written after it; nil if that is a unit of another quantity.
    static func measure(_ value: JSONValue, of quantity: Quantity) -> (number: Double, unit: SourceUnit?)? {
        switch value {
        case .number(let text): return Double(text).flatMap { $0.isFinite ? ($0, nil) : nil }
        case .string(let text):
            guard case .number(let number, let written) = UnitNumberText(text) else { return nil }
            if written.isEmpty { return (number, nil) }
            guard let unit = quantity.unit(written) else { return nil }
            return (number, unit)
        case .null, .bool, .nonFinite, .array, .object: return nil
        }
    }
}

/// Distinguishes the senders that share a topic, by as few marks as possible.
private struct SenderClassifier {
    private let marks: [[PayloadMark]]
    private let payloads: [JSONValue?]

    init(_ read: [(variant: ObservedTopic.Variant, json: JSONValue?)]) {
        marks = read.map(\.variant.marks)
        payloads = read.map(\.json)
    }

    /// For each payload the conditions for its sender; empty if there is only one sender.
    var conditions: [[PayloadCondition]] {
        var chosen: [ValuePath] = []
        for path in distinguishing where classes(by: chosen + [path]) > classes(by: chosen) { chosen.append(path) }
        return marks.indices.map { index in
            var own: [ValuePath] = []
            for path in chosen where count(like: index, by: own) > count(like: index, by: chosen) { own.append(path) }
            return own.map { condition(at: $0, of: index) }
        }
    }

    /// The paths of marks that distinguish senders, the best ones first.
    private var distinguishing: [ValuePath] {
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

    /// Whether payloads with different words have the same quantity at the same path.
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
