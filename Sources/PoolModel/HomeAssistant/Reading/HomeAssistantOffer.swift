/// A device as its announcements to Home Assistant describe it.
public struct HomeAssistantOffer: Hashable, Sendable {
    /// The name for people: that of the device, else of its first sensor, else of its topic.
    public var name: String
    /// The program that announced it; nil if it does not say.
    public var originName: String?
    /// The longest common beginning of the topics of its values, at whole levels; the topic itself if there is one.
    public var topic: String
    /// The mapping; nil if no template is understood.
    public var mapping: DeviceMapping?
    /// A third of the shortest `expire_after`, in seconds: how often values can be expected at least; nil without one.
    public var expectedIntervalSeconds: Int?
    /// The sensors that the mapping was made of, and those whose templates are not understood.
    public var entities: [HomeAssistantEntity]
    /// What a person should know.
    public var notes: [String]

    init(of entities: [HomeAssistantEntity]) {
        self.entities = entities
        var values: [ValueSource] = []
        var notes: [String] = []
        for entity in entities {
            notes += entity.notes.map { "\(Self.title(of: entity)): \($0)" }
            guard let source = entity.valueSource else { continue }
            if let first = values.firstIndex(where: { $0.quantity == source.quantity }) {
                // The same reading twice, in °C and in °F: the one that needs no conversion counts.
                let isBetter = values[first].unit == .fahrenheit && source.unit != .fahrenheit
                if isBetter { values[first] = source }
                notes.append(
                    "\(Self.title(of: entity)): a second \(source.quantity.name), \(isBetter ? "preferred" : "not used")"
                )
            } else {
                values.append(source)
            }
        }
        let topics = values.isEmpty ? entities.map(\.stateTopic) : values.map(\.topic)
        topic = TopicPrefix.common(of: topics)
        name = entities.lazy.compactMap(\.deviceName).first ?? entities.first.map(Self.title) ?? topic
        originName = entities.lazy.compactMap(\.originName).first
        expectedIntervalSeconds = entities.compactMap(\.expireAfterSeconds).min().map { max(1, $0 / 3) }
        var availability: [AvailabilitySource] = []
        // Where each entity says more than one thing, what a single one says is about its own value, not the device.
        let isShared = entities.count > 1 && entities.allSatisfy { $0.availability.count > 1 }
        for source in entities.flatMap(\.availability) where !availability.contains(source) {
            if isShared, entities.count(where: { $0.availability.contains(source) }) == 1 { continue }
            availability.append(source)
        }
        let base = topic
        mapping =
            values.isEmpty
            ? nil
            : DeviceMapping(
                profile: nil,
                values: values.sorted { $0.quantity.order < $1.quantity.order }.map { $0.relative(to: base) },
                availability: availability.prefix(8).map { $0.relative(to: base) })
        self.notes = notes
    }

    private static func title(of entity: HomeAssistantEntity) -> String {
        entity.name.isEmpty ? entity.quantity.name : entity.name
    }
}
