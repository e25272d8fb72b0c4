import PoolModel

/// Recognizes lists whose elements are samples of different times, in contrast to a list of different sensors.
enum SampleLists {
    /// The names of lists that are samples even with one element.
    private static let names: Set<String> = [
        "samples", "sample", "readings", "measurements", "records", "batch", "history", "log", "points", "entries",
        "series", "buffer", "queue", "backlog", "messwerte", "messungen", "metingen", "mesures", "medidas", "misure",
        "medicoes", "pomiary", "mereni", "matningar", "malinger",
    ]

    /// Whether the elements are objects with times that differ, and no name that distinguishes them tells otherwise.
    static func isOne(_ elements: [JSONValue], named step: ValuePath.Step?) -> Bool {
        guard let last = elements.last, case .object = last else { return false }
        let objects = elements.suffix(64).compactMap { element in
            if case .object(let members) = element { members } else { nil }
        }
        guard objects.count == min(64, elements.count) else { return false }
        let times = objects.map { time(in: $0) }
        guard !times.contains(nil) else { return false }
        let titles = objects.map { title(in: $0) }
        guard objects.count > 1 else {
            guard case .key(let key) = step else { return false }
            return NameWords(key).contains(anyOf: names) && titles == [nil]
        }
        // Of different sensors each comes once; of one sensor, or of several in turn, at different times.
        let isRepeated = Dictionary(grouping: zip(titles, times), by: \.0).values.contains { group in
            Set(group.map(\.1)).count > 1
        }
        return isRepeated
    }

    /// Whether the elements are samples by the name of the list and by their equal keys, without times.
    static func areUndated(_ elements: [JSONValue], named step: ValuePath.Step?) -> Bool {
        guard case .key(let key) = step, NameWords(key).contains(anyOf: names), elements.count > 1 else { return false }
        let keys = elements.map { element -> [String]? in
            guard case .object(let members) = element, title(in: members) == nil else { return nil }
            return members.map(\.key)
        }
        return keys[0] != nil && keys.allSatisfy { $0 == keys[0] }
    }

    /// Whether the newest sample comes first, by the numbers of the samples.
    static func countDown(_ elements: [JSONValue]) -> Bool {
        let counters: Set<String> = [
            "n", "no", "nr", "num", "number", "seq", "sequence", "index", "idx", "i", "id", "counter",
        ]
        let numbers = elements.prefix(64).map { element -> Int? in
            guard case .object(let members) = element else { return nil }
            return members.lazy.filter { counters.contains($0.key.lowercased()) }.compactMap { $0.value.scalarText }
                .compactMap { Int($0) }.first
        }
        return numbers.count > 1
            && zip(numbers, numbers.dropFirst()).allSatisfy { one, next in
                if let one, let next { one > next } else { false }
            }
    }

    /// The number of samples in an object with a list for each quantity and one for the times; nil for another object.
    static func columnCount(of members: [JSONValue.Member]) -> Int? {
        for member in members {
            guard case .array(let times) = member.value, times.count > 1, times.allSatisfy(\.isScalar),
                SideTimes.isTime(member.key, times.last?.scalarText), Set(times.map { $0.scalarText ?? "" }).count > 1
            else { continue }
            return times.count
        }
        return nil
    }

    private static func time(in members: [JSONValue.Member]) -> String? {
        members.first { $0.value.isScalar && SideTimes.isTime($0.key, $0.value.scalarText) }?.value.scalarText
    }

    /// What names the sensor of an element.
    private static func title(in members: [JSONValue.Member]) -> String? {
        for member in members where CandidateFinder.nameKeys.contains(member.key.lowercased()) {
            // A number that counts the samples names nothing.
            if case .string(let text) = member.value, NameReading(text) != .neutral { return text }
        }
        return nil
    }
}

extension JSONValue {
    /// Whether it is neither a list nor an object.
    var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .nonFinite, .string: true
        case .array, .object: false
        }
    }
}

extension ValueSource {
    /// The same source for one sample of a list, `-1` being the last one.
    func inSample(_ index: Int) -> ValueSource {
        var source = self
        source.path = path.inSample(index)
        for place in conditions.indices { source.conditions[place].path = conditions[place].path.inSample(index) }
        if let place = unitPlace, place.topic == nil { source.unitPlace?.path = place.path.inSample(index) }
        return source
    }
}
