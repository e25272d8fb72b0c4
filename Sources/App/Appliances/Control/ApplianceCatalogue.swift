/// What announced itself at the broker: Home Assistant's discovery, Tasmota's, and the Shelly devices that were asked.
package struct ApplianceCatalogue: Sendable {
    /// An appliance that announced itself.
    package struct Entry: Hashable, Sendable {
        /// By which it is known at each announcement, together with its kind: a plug may have one identity for its switch and for
        /// its sensor.
        package var key: String
        /// What it is.
        package var kind: Appliance.Kind
        /// What it calls itself.
        package var name: String
        /// What it can do.
        package var abilities: [Ability]
        /// Which dialect it speaks.
        package var dialect: Dialect
        /// How it is reached.
        package var binding: ForeignBinding
        /// What of its announcement is not followed, for people.
        package var notes: [String]

        /// Whether a thing that was taken in is this one.
        package func isAnnouncement(of one: ForeignAppliance) -> Bool {
            guard let known = one.key else { return one.binding == binding }
            return known == key && one.appliance.kind == kind || known == longKey
        }

        /// The key and the kind.
        fileprivate var longKey: String { "\(key) \(kind.rawValue)" }
    }

    /// The filters of the announcements that it follows.
    package static let filters: Set<String> = [TasmotaBinding.filter, "homeassistant/#"]
    private static let topicCountMax = Int(Limit.appliances.range.upperBound)

    /// What was announced at each topic.
    private var announced: [String: [Entry]] = [:]
    /// What was announced at a topic and is not shown, and why.
    private var leftOut: [String: [String]] = [:]

    /// Nothing announced itself.
    package init() {}

    /// Every appliance, by its name; what announced itself at two topics stands there once, as the first of them says.
    package var entries: [Entry] {
        var seen: Set<String> = []
        let all = announced.sorted { $0.key < $1.key }.flatMap(\.value).filter { seen.insert($0.longKey).inserted }
        return all.sorted { ($0.name, $0.longKey) < ($1.name, $1.longKey) }
    }

    /// What was announced and is not shown, and why, in sentences.
    package var left: [String] { leftOut.values.flatMap(\.self).sorted() }

    /// What to call an appliance: its key, with its kind if another one has the same key.
    package func name(of entry: Entry) -> String {
        entries.count { $0.key == entry.key } > 1 ? entry.longKey : entry.key
    }

    /// The appliance that is called so, also with its kind where none is needed; nil if there is none.
    package func entry(named name: String) -> Entry? {
        let all = entries
        return all.first { $0.longKey == name } ?? all.first { $0.key == name }
    }

    /// Takes in a message of the broker; one that is no announcement changes nothing.
    ///
    /// An announcement takes the place of the earlier one at its topic, and an empty one takes it back.
    ///
    /// - Returns: What is announced at this topic now.
    package mutating func take(topic: String, payload: [UInt8]) -> [Entry] {
        guard topic.hasSuffix("/config") else { return [] }
        announced[topic] = nil
        leftOut[topic] = nil
        let read = HomeAssistantReader.read(topic: topic, payload: payload)
        if !read.left.isEmpty, leftOut.count < Self.topicCountMax { leftOut[topic] = read.left }
        return note(
            TasmotaBinding.discover(topic: topic, payload: payload).map { Entry($0, .tasmota, .tasmota($0.binding)) }
                + read.found.map { Entry($0, .homeAssistant, .homeAssistant($0.binding)) }, at: topic)
    }

    /// Notes what a Shelly answered that it has, at the prefix of its topics.
    package mutating func note(_ found: [Discovery<ShellyBinding>], at prefix: String) {
        _ = note(found.map { Entry($0, .shelly, .shelly($0.binding)) }, at: prefix)
    }

    private mutating func note(_ entries: [Entry], at topic: String) -> [Entry] {
        guard !entries.isEmpty, announced.count < Self.topicCountMax || announced[topic] != nil else { return [] }
        announced[topic] = entries
        return entries
    }
}

extension ApplianceCatalogue.Entry {
    fileprivate init<Bound>(_ found: Discovery<Bound>, _ dialect: Dialect, _ binding: ForeignBinding) {
        self.init(
            key: found.key, kind: found.kind, name: found.name, abilities: found.abilities, dialect: dialect,
            binding: binding, notes: found.notes)
    }
}
