/// What stands beside the values of an unknown device: the time in its payloads, a topic that says that it is there.
enum SideTopics {
    /// A place in a payload that holds a time with which samples can be dated.
    ///
    /// - Returns: The source, and a remark where there is a time that cannot be used.
    static func time(in payload: ReadPayload, near value: ValuePath) -> (source: TimeSource?, remark: String?) {
        guard let json = payload.json else { return (nil, nil) }
        var remark: String?
        var best: (path: ValuePath, shared: Int)?
        for leaf in PayloadLeaves(json).leaves {
            guard case .key(let key) = leaf.path.steps.last, isTimeKey(key), let text = leaf.value.scalarText else {
                continue
            }
            switch judge(text, isNumber: { if case .number = leaf.value { true } else { false } }()) {
            case .usable:
                let shared = zip(leaf.path.steps, value.steps).prefix { $0 == $1 }.count
                // The time nearest to the value, but none of another element of a list.
                let isOfAnother = leaf.path.steps.dropFirst(shared).contains {
                    if case .index = $0 { true } else { false }
                }
                if !isOfAnother, shared > (best?.shared ?? -1) { best = (leaf.path, shared) }
            case .unusable(let reason): remark = "the time in \(leaf.path) is not used: \(reason)"
            case .none: break
            }
        }
        return (best.map { TimeSource(path: $0.path) }, best == nil ? remark : nil)
    }

    private static let timeWords: Set<String> = [
        "time", "timestamp", "ts", "datetime", "date", "seen", "measured", "sampled", "zeit", "zeitstempel",
        "horodatage",
        "utc", "timestampms", "measuredat", "sampledat", "updatedat", "updated",
    ]

    private static func isTimeKey(_ key: String) -> Bool {
        let words = NameWords(key)
        return words.contains(anyOf: timeWords) && !words.contains(anyOf: ["up", "uptime", "run", "runtime", "zone"])
    }

    private enum Judgement {
        case usable
        case unusable(String)
        case none
    }

    private static func judge(_ text: String, isNumber: Bool) -> Judgement {
        if isNumber || text.allSatisfy({ $0.isASCII && $0.isNumber }) {
            guard let number = Double(text) else { return .none }
            // From 2015 to 2100, in seconds, milliseconds or microseconds.
            for unit in [1.0, 1e3, 1e6] where (1.42e9...4.1e9).contains(number / unit) { return .usable }
            return .unusable("\(NumberShown.text(number)) counts from the start of the device, not from 1970")
        }
        switch ISO8601Text.read(text) {
        case .moment(let moment):
            return moment.milliseconds >= 1_420_070_400_000 ? .usable : .unusable("it lies before 2015")
        case .withoutZone: return .unusable("it has no time zone")
        case .unreadable: return .none
        }
    }

    /// The topic beside a value on which its unit is named, as `…/unit_of_measurement` beside `…/state`.
    static func unit(of source: ValueSource, among topics: [String: ReadPayload]) -> (
        place: UnitPlace, unit: SourceUnit
    )? {
        guard source.path == .whole else { return nil }
        let above = source.topic.lastIndex(of: "/").map { String(source.topic[..<$0]) }
        let beside = [above, source.topic].compactMap { $0 }.flatMap { base in
            ["unit_of_measurement", "unit", "units", "$unit"].map { "\(base)/\($0)" }
        }
        for topic in beside {
            guard let text = topics[topic]?.scalar(at: .whole), let unit = SourceUnit(symbol: text),
                unit.quantity == source.quantity
            else { continue }
            return (UnitPlace(topic: topic, path: .whole), unit)
        }
        return nil
    }

    private static let availabilityLevels: Set<String> = [
        "status", "lwt", "availability", "available", "online", "alive", "connected", "connection", "state", "will",
    ]

    /// The topics that say whether something is there, each under the topic that it is right below.
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

    /// The one beside the values of a device, or on the nearest level above them.
    static func availability(of base: String, in sources: [String: AvailabilitySource]) -> [AvailabilitySource] {
        var above = base[...]
        while true {
            if let source = sources[String(above)] { return [source] }
            guard let slash = above.lastIndex(of: "/") else { return [] }
            above = above[..<slash]
        }
    }

    private static func source(topic: String, payload: ReadPayload) -> AvailabilitySource? {
        let words = Set(AvailabilitySource.usualOnline + AvailabilitySource.usualOffline)
        for path in [ValuePath.whole, ValuePath([.key("state")]), ValuePath([.key("status")])] {
            guard let word = payload.scalar(at: path)?.trimmedOfBlanks.lowercased(), words.contains(word) else {
                continue
            }
            return AvailabilitySource(topic: topic, path: path)
        }
        return nil
    }
}
