public import PoolModel

/// A Homie device that measures something of the water.
public struct HomieOffer: Hashable, Sendable {
    /// The name for people: that of the device, else its id.
    public var name: String
    /// The topic under which the device publishes.
    public var topic: String
    /// The mapping, with `$state` as its availability.
    public var mapping: DeviceMapping
    /// What a person should know.
    public var notes: [String]
    /// The candidates for the same quantity whose names do not tell which one is the water's.
    var choices: [SourceChoice]

    /// Creates an offer; nil if none of the properties is a quantity of the water.
    init?(base: String, name: String?, properties: [HomieProperty]) {
        var candidates: QuantityMap<[NamedSource]> = [:]
        for property in properties {
            guard let (quantity, unit) = property.meaning else { continue }
            let topic = "~/\(property.nodeID)/\(property.id)"
            candidates[quantity] =
                (candidates[quantity] ?? []) + [
                    NamedSource(
                        // The device may change the unit later, for example when somebody switches its display.
                        source: ValueSource(
                            quantity, topic: topic, unit: unit,
                            unitPlace: property.unitText == nil || quantity == .ph ? nil : property.unitPlace),
                        title: topic, names: property.names,
                        notes: property.unitText == nil && quantity != .ph
                            ? ["\(topic) has no $unit, \(unit.rawValue) assumed"] : [])
                ]
        }
        guard !candidates.isEmpty else { return nil }
        let picked = PickedSources(candidates)
        self.name = name?.shortened ?? base.split(separator: "/").last.map(String.init) ?? base
        topic = base
        // "alert" means that the device needs attention: its values are not reliable.
        let state = AvailabilitySource(
            topic: "~/$state", online: ["ready", "sleeping"], offline: ["init", "disconnected", "lost", "alert"])
        mapping = DeviceMapping(
            values: picked.values, availability: [state])
        notes = picked.notes
        choices = picked.choices
    }
}
