public import PoolModel

/// A device as described by its announcements to Home Assistant.
public struct HomeAssistantOffer: Hashable, Sendable {
    /// The name for people: that of the device, else of its first sensor, else of its topic.
    public var name: String
    /// The program that announced it; nil if it does not say.
    public var originName: String?
    /// The longest common beginning of the topics of its values, in whole levels; the topic itself if there is only
    /// one.
    public var topic: String
    /// The mapping; nil if no template is supported.
    public var mapping: DeviceMapping?
    /// A third of the shortest `expire_after`, in seconds, as an estimate of the longest interval; nil without one.
    public var expectedIntervalSeconds: Int?
    /// The sensors in the mapping, and those whose templates are not supported.
    public var entities: [HomeAssistantEntity]
    /// What a person should know.
    public var notes: [String]
    /// The topics that say whether it is available, in full.
    var availability: [AvailabilitySource]
    /// The candidates for the same quantity whose names do not tell which one is the water's.
    var choices: [SourceChoice]

    init(of entities: [HomeAssistantEntity]) {
        self.entities = entities
        var candidates: QuantityMap<[NamedSource]> = [:]
        var unreadable: [String] = []
        for entity in entities {
            let entityNotes = entity.notes.map { "\(Self.title(of: entity)): \($0)" }
            guard let source = entity.valueSource else {
                unreadable += entityNotes
                continue
            }
            candidates[source.quantity] =
                (candidates[source.quantity] ?? []) + [
                    NamedSource(
                        source: source, title: Self.title(of: entity), names: entity.names, notes: entityNotes)
                ]
        }
        let picked = PickedSources(candidates)
        let values = picked.values
        let topics =
            values.isEmpty
            ? entities.map(\.stateTopic)
            : values.map(\.topic) + picked.choices.flatMap { $0.sources.map(\.source.topic) }
        topic = TopicPrefix.common(of: topics)
        let onlyTitle = entities.count == 1 ? entities.first.map(Self.title) : nil
        name =
            entities.lazy.compactMap(\.deviceName).first ?? onlyTitle ?? ProposalDraft.name(fromTopic: topic)
        originName = entities.lazy.compactMap(\.originName).first
        expectedIntervalSeconds = entities.compactMap(\.expireAfterSeconds).min().map { max(1, $0 / 3) }
        var availability: [AvailabilitySource] = []
        // If each entity gives more than one topic, a topic that only one gives is about its own value, not the
        // device.
        let isShared = entities.count > 1 && entities.allSatisfy { $0.availability.count > 1 }
        for source in entities.flatMap(\.availability) where !availability.contains(source) {
            if isShared, entities.count(where: { $0.availability.contains(source) }) == 1 { continue }
            availability.append(source)
        }
        self.availability = Array(availability.prefix(8))
        let base = topic
        mapping =
            values.isEmpty
            ? nil
            : DeviceMapping(
                profile: nil,
                values: values.map { $0.relative(to: base) },
                availability: availability.prefix(8).map { $0.relative(to: base) })
        notes = unreadable + picked.notes
        choices = picked.choices.map { $0.relative(to: base) }
    }

    private static func title(of entity: HomeAssistantEntity) -> String {
        entity.name.isEmpty ? entity.quantity.name : entity.name
    }
}
