import PoolModel

/// What accompanies the values of an unknown device: a topic with the unit, a topic that says whether it is
/// available.
enum SideTopics {
    /// The topic next to a value that names its unit, as `…/unit_of_measurement` next to `…/state`.
    static func unit(of source: ValueSource, among topics: [String: ReadPayload]) -> (
        place: UnitPlace, unit: SourceUnit
    )? {
        for (topic, text) in unitTexts(of: source, among: topics) {
            guard let unit = source.quantity.unit(text) else { continue }
            return (UnitPlace(topic: topic, path: .whole), unit)
        }
        return nil
    }

    /// The unit on the topic next to a value, if it is not one of the value's quantity; nil if there is none, or a right
    /// one.
    static func foreignUnit(of source: ValueSource, among topics: [String: ReadPayload]) -> String? {
        let texts = unitTexts(of: source, among: topics).map(\.text)
        guard !texts.contains(where: { source.quantity.unit($0) != nil }) else { return nil }
        return texts.first
    }

    private static func unitTexts(
        of source: ValueSource, among topics: [String: ReadPayload]
    ) -> [(topic: String, text: String)] {
        guard source.path == .whole else { return [] }
        let above = source.topic.lastIndex(of: "/").map { String(source.topic[..<$0]) }
        let names = ["unit_of_measurement", "unit", "units", "$unit"]
        var beside = [above, source.topic].compactMap { $0 }.flatMap { base in names.map { "\(base)/\($0)" } }
        if source.quantity == .temperature, let above { beside += temperatureUnits.map { "\(above)/\($0)" } }
        return beside.compactMap { topic in
            guard let text = topics[topic]?.scalar(at: .whole), !MappingWord.isNoValue(text) else { return nil }
            return (topic, text)
        }
    }

    /// Topics with the unit of the temperatures next to them.
    private static let temperatureUnits = ["temp", "temperature"].flatMap { name in
        ["_unit", "_units", "_scale", "unit", "Unit", "scale", "Scale"].map { name + $0 }
    }

    private static let availabilityLevels: Set<String> = [
        "status", "lwt", "availability", "available", "online", "alive", "connected", "connection", "state", "will",
    ]

    /// The topics that say whether something is available, each by the topic directly above it.
    static func availabilities(among topics: [String: ReadPayload]) -> [String: AvailabilitySource] {
        var sources: [String: AvailabilitySource] = [:]
        for topic in topics.keys.sorted() {
            guard let slash = topic.lastIndex(of: "/"), let payload = topics[topic] else { continue }
            let above = String(topic[..<slash])
            guard availabilityLevels.contains(topic[slash...].dropFirst().lowercased()), sources[above] == nil else {
                continue
            }
            sources[above] = source(topic: topic, payload: payload)
        }
        return sources
    }

    /// The one next to the values of a device, or on the nearest level above them.
    static func availability(of base: String, in sources: [String: AvailabilitySource]) -> [AvailabilitySource] {
        var above = base[...]
        while true {
            if let source = sources[String(above)] { return [source] }
            guard let slash = above.lastIndex(of: "/") else { return [] }
            above = above[..<slash]
        }
    }

    /// The availability that stands in a payload with values: `"status":"online"`, `"connected":true`.
    ///
    /// Only the words for a connection count, since `"status":"error"` may be about the water.
    static func availability(in payload: ReadPayload?, on topic: String) -> AvailabilitySource? {
        guard let payload, payload.parts.count == 1, case .object(let members) = payload.parts[0].json else {
            return nil
        }
        for member in members where availabilityLevels.contains(member.key.lowercased()) {
            let path = ValuePath([.key(member.key)])
            switch member.value {
            case .bool where connectionKeys.contains(member.key.lowercased()):
                return AvailabilitySource(topic: topic, path: path, online: ["true"], offline: ["false"])
            case .string(let text) where connectionWords.contains(text.trimmedOfBlanks.lowercased()):
                return AvailabilitySource(
                    topic: topic, path: path, online: ["online", "connected"], offline: ["offline", "disconnected"])
            case .bool, .string, .null, .number, .nonFinite, .array, .object: break
            }
        }
        return nil
    }

    private static let connectionKeys: Set<String> = ["online", "connected", "available", "alive"]
    private static let connectionWords: Set<String> = ["online", "offline", "connected", "disconnected"]

    /// The availability on a topic, if it has one of the usual words.
    static func source(topic: String, payload: ReadPayload) -> AvailabilitySource? {
        let words = Set(AvailabilitySource.usualOnline + AvailabilitySource.usualOffline)
        // A payload with many members has a status of something, perhaps of the water.
        let isShort = payload.parts.allSatisfy { part in
            if case .object(let members) = part.json { members.count <= 4 } else { true }
        }
        for path in [ValuePath.whole, ValuePath([.key("state")]), ValuePath([.key("status")])] {
            guard isShort || path == .whole, let word = payload.scalar(at: path)?.trimmedOfBlanks.lowercased(),
                words.contains(word)
            else {
                continue
            }
            return AvailabilitySource(topic: topic, path: path)
        }
        return nil
    }
}
