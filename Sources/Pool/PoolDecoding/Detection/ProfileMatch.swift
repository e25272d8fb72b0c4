import PoolModel

/// A built-in profile whose topics and keys were seen.
struct ProfileMatch {
    var profile: BuiltInProfile
    /// The device's topic.
    var base: String
    var mapping: DeviceMapping
    /// The topics on which its values came.
    var topics: Set<String>
    /// The quantities for which a number was seen.
    var quantities: Set<Quantity>
    /// The name that the device gives itself.
    var name: String

    /// The matches of all profiles, those with the most explained topics first; each topic is explained once.
    static func all(in payloads: [String: ReadPayload]) -> [ProfileMatch] {
        let sorted = payloads.keys.sorted()
        var matches: [ProfileMatch] = []
        for profile in BuiltInProfile.all {
            guard let mapping = profile.mapping else { continue }
            for base in bases(of: mapping, among: sorted).sorted() {
                guard let match = ProfileMatch(profile, mapping, base: base, payloads: payloads, sorted: sorted) else {
                    continue
                }
                matches.append(match)
            }
        }
        let order: (ProfileMatch, ProfileMatch) -> Bool = { left, right in
            left.quantities.count != right.quantities.count
                ? left.quantities.count > right.quantities.count : left.base < right.base
        }
        var claimed: Set<String> = []
        // Stable, so that of equal matches the profile that is listed first wins.
        return matches.enumerated().sorted {
            order($0.element, $1.element) || (!order($1.element, $0.element) && $0.offset < $1.offset)
        }.map(\.element).filter { match in
            guard claimed.isDisjoint(with: match.topics) else { return false }
            claimed.formUnion(match.topics)
            return true
        }
    }

    private init?(
        _ profile: BuiltInProfile, _ mapping: DeviceMapping, base: String, payloads: [String: ReadPayload],
        sorted: [String]
    ) {
        var topics: Set<String> = []
        var quantities: Set<Quantity> = []
        for source in mapping.values {
            guard let pattern = TopicPattern(source.topic, deviceTopic: base) else { continue }
            let candidates = pattern.hasWildcards ? sorted.filter(pattern.matches) : [pattern.filter]
            for topic in candidates {
                guard payloads[topic]?.measure(at: source.path, of: source.quantity) != nil else { continue }
                topics.insert(topic)
                quantities.insert(source.quantity)
            }
        }
        guard !quantities.isEmpty, ProfileMark.holds(profile.name, base: base, payloads: payloads, quantities) else {
            return nil
        }
        self.profile = profile
        self.base = base
        self.mapping = mapping
        self.topics = topics
        self.quantities = quantities
        name = ProfileMark.name(profile.name, base: base, payloads: payloads)
    }

    /// The topics that `~` can mean, judged by the topics of the values that were seen.
    private static func bases(of mapping: DeviceMapping, among topics: [String]) -> Set<String> {
        var bases: Set<String> = []
        for pattern in Set(mapping.values.map(\.topic)) {
            let wanted = pattern.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            guard pattern.hasPrefix("~"), !wanted.contains(".."), !wanted.contains("#") else { continue }
            for topic in topics {
                let levels = topic.split(separator: "/", omittingEmptySubsequences: false)
                guard levels.count > wanted.count else { continue }
                let tail = levels.suffix(wanted.count)
                guard zip(wanted, tail).allSatisfy({ $0 == "+" || $0 == $1 }) else { continue }
                let base = levels.dropLast(wanted.count).joined(separator: "/")
                if !base.isEmpty { bases.insert(base) }
            }
        }
        return bases
    }
}
