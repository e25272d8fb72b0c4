public import PoolModel

/// The numbers of all topics: those that may be quantities of the water, and why the others are not.
struct NumberSearch {
    /// The most topics next to a topic whose names are looked at.
    private static let siblingCountMax = 64

    private let finders: [String: CandidateFinder]
    private let payloads: [String: ReadPayload]
    /// The candidates that something else says not to be the quantity of their name, with the reason.
    private let refused: [String: [(path: ValuePath, reason: String)]]

    /// Searches the payloads; `announced` are places that devices announced as something else.
    init(_ payloads: [String: ReadPayload], announced: [AnnouncedPlace]) {
        self.payloads = payloads
        let levels = payloads.keys.map { $0.split(separator: "/", omittingEmptySubsequences: false) }
        let siblings = Dictionary(grouping: levels.sorted { $0.joined() < $1.joined() }) { $0.dropLast() }
        let finders = payloads.reduce(into: [String: CandidateFinder]()) { found, pair in
            let above = pair.key.split(separator: "/", omittingEmptySubsequences: false).dropLast()
            let beside = (siblings[above] ?? []).prefix(Self.siblingCountMax).compactMap(\.last)
            found[pair.key] = CandidateFinder(topic: pair.key, payload: pair.value, siblings: beside)
        }
        self.finders = finders
        let places = Dictionary(grouping: announced, by: \.topic)
        let filters = places.keys.compactMap { TopicPattern($0, deviceTopic: "") }.filter(\.hasWildcards)
        var refused: [String: [(path: ValuePath, reason: String)]] = [:]
        for (topic, finder) in finders where !finder.candidates.isEmpty {
            let own = ([topic] + filters.filter { $0.matches(topic) }.map(\.filter)).flatMap { places[$0] ?? [] }
            for candidate in finder.candidates {
                let path = candidate.source.path
                if let place = own.first(where: { $0.path == path }) {
                    refused[topic, default: []].append((path, place.reason))
                } else if let text = SideTopics.foreignUnit(of: candidate.source, among: payloads) {
                    let name = candidate.source.quantity.name
                    let reason = "in \(Excerpt(text, scalarCountMax: 16)), which is no unit of \(name)"
                    refused[topic, default: []].append((path, reason))
                }
            }
        }
        self.refused = refused
    }

    /// The candidates on a topic.
    func candidates(on topic: String) -> [ValueCandidate] {
        let others = refused[topic] ?? []
        return (finders[topic]?.candidates ?? []).filter { candidate in
            !others.contains { $0.path == candidate.source.path }
        }
    }

    /// The candidates on all topics without some, in the order of the topics.
    func candidates(without claimed: Set<String>) -> [ValueCandidate] {
        finders.keys.sorted().filter { !claimed.contains($0) }.flatMap(candidates(on:))
    }

    /// The places that look like a quantity and are none, by their topics.
    var traps: [String: [String]] { finders.mapValues(\.traps).filter { !$0.value.isEmpty } }

    /// All numbers that no proposal uses, each with the reason, in the order of the topics.
    func unused(by proposals: [DeviceProposal]) -> [SkippedNumber] {
        let used = proposals.map { UsedPlaces($0) }
        return finders.keys.sorted().flatMap { topic -> [SkippedNumber] in
            guard let finder = finders[topic], !HomieDiscovery.isOfADevice(topic) else {
                return []
            }
            return finder.seen.compactMap { number in
                guard !used.contains(where: { $0.contains(number, in: payloads[topic]) }) else { return nil }
                let others = refused[topic]?.first { $0.path == number.path }?.reason
                let reason = others ?? number.reason ?? "another \(number.quantity?.name ?? "number")"
                return SkippedNumber(
                    topic: topic, path: number.path, raw: number.raw, reason: reason, senders: number.senders,
                    isOfQuantity: number.quantity?.facts.isOfWater ?? false)
            }
        }
    }
}

/// A number that is not used, and why.
public struct SkippedNumber: Hashable, Sendable {
    /// The topic.
    public var topic: String
    /// The path in the payload.
    public var path: ValuePath
    /// The raw text there, at most 64 code points.
    public var raw: String
    /// Why it is not used, in a few words.
    public var reason: String
    /// The conditions that distinguish its device from others on the topic.
    var senders: [PayloadCondition]
    /// Whether its name is that of a quantity of the water.
    var isOfQuantity: Bool

    /// The topic and the path.
    var place: String { path == .whole ? topic : "\(topic) \(path)" }

    /// Whether it belongs to the device that is proposed.
    func isOf(_ proposal: DeviceProposal) -> Bool {
        guard topic == proposal.topic || topic.hasPrefix(proposal.topic + "/") else { return false }
        let own = proposal.mapping?.values.first?.conditions ?? []
        return senders.allSatisfy(own.contains)
    }

    /// Whether its names mean water, or a quantity of the water.
    var isOfWater: Bool { isOfQuantity || NameWords(topic).namesWater || NameWords("\(path)").namesWater }
}

/// The places that a proposal reads.
private struct UsedPlaces {
    private let values: [(pattern: TopicPattern, source: ValueSource)]
    private let others: [(pattern: TopicPattern, path: ValuePath)]
    private let flatTopic: String?
    private let flatQuantities: Set<Quantity>

    init(_ proposal: DeviceProposal) {
        flatQuantities = Set(proposal.preview.filter { $0.value != nil }.map(\.quantity))
        flatTopic = proposal.mapping == nil ? proposal.topic : nil
        let mapping = proposal.mapping ?? DeviceMapping(values: [])
        func pattern(_ topic: String) -> TopicPattern? { TopicPattern(topic, deviceTopic: proposal.topic) }
        values = (mapping.values + proposal.suggestions.map(\.source)).compactMap { source in
            pattern(source.topic).map { ($0, source) }
        }
        var others: [(TopicPattern, ValuePath)] = []
        for source in mapping.values {
            for time in [source.time, mapping.time].compactMap(\.self) {
                if let pattern = pattern(time.topic ?? source.topic) { others.append((pattern, time.path)) }
            }
        }
        for source in mapping.availability {
            if let pattern = pattern(source.topic) { others.append((pattern, source.path)) }
        }
        self.others = others
    }

    /// Whether one of the places is on a topic.
    func concerns(_ topic: String) -> Bool {
        topic == flatTopic || values.contains { $0.pattern.matches(topic) }
            || others.contains { $0.pattern.matches(topic) }
    }

    /// Whether a number is at one of the places.
    func contains(_ number: SeenNumber, in payload: ReadPayload?) -> Bool {
        if number.topic == flatTopic, case .key(let key) = number.path.steps.first, number.path.steps.count == 1,
            let meaning = PayloadField(key: key, value: .null).meaning
        {
            // What stands at the place of a quantity may be no number that is read.
            guard case .quantity(let quantity) = meaning else { return true }
            return flatQuantities.contains(quantity)
        }
        if others.contains(where: { $0.pattern.matches(number.topic) && $0.path == number.path }) { return true }
        return values.contains { value in
            guard value.pattern.matches(number.topic), number.senders.allSatisfy(value.source.conditions.contains)
            else { return false }
            if value.source.path == number.path { return true }
            // The same place by another way: by a name instead of an index, or in another case.
            guard let payload, number.quantity == value.source.quantity || number.quantity == nil else { return false }
            return payload.parts.contains { part in
                let source = part.inLastSample(value.source)
                return part.json?.exactPath(source.path) == number.path
            }
        }
    }
}

extension JSONValue {
    /// The path with the keys as they are written and with the indexes of elements that it finds by names; nil if there
    /// is nothing.
    fileprivate func exactPath(_ path: ValuePath) -> ValuePath? {
        var steps: [ValuePath.Step] = []
        for step in path.steps {
            let here = value(at: ValuePath(steps))
            switch (step, here) {
            case (.key(let key), .object(let members)):
                let member =
                    members.first { $0.key == key } ?? members.first { $0.key.lowercased() == key.lowercased() }
                guard let member else { return nil }
                steps.append(.key(member.key))
            case (.index(let index), .array(let elements)):
                steps.append(.index(index < 0 ? elements.count + index : index))
            case (.element, .array(let elements)):
                guard let found = value(at: ValuePath(steps + [step])),
                    let index = elements.firstIndex(of: found)
                else { return nil }
                steps.append(.index(index))
            default: steps.append(step)
            }
        }
        return value(at: ValuePath(steps)) == nil ? nil : ValuePath(steps)
    }
}
