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

    /// Nil if none of the properties is a quantity of the water.
    init?(base: String, name: String?, properties: [HomieProperty]) {
        var values: [Quantity: (source: ValueSource, isWater: Bool)] = [:]
        var notes: [String] = []
        for property in properties {
            guard let (quantity, unit) = property.meaning else { continue }
            let topic = "~/\(property.nodeID)/\(property.id)"
            let source = ValueSource(quantity, topic: topic, unit: unit)
            if let first = values[quantity] {
                let isBetter = property.namesWater && !first.isWater
                notes.append("\((isBetter ? first.source : source).topic) is a second \(quantity.name), not used")
                guard isBetter else { continue }
            }
            if property.unitText == nil, quantity != .ph {
                notes.append("\(topic) has no $unit, \(unit.rawValue) assumed")
            }
            values[quantity] = (source, property.namesWater)
        }
        guard !values.isEmpty else { return nil }
        self.name = name?.shortened ?? base.split(separator: "/").last.map(String.init) ?? base
        topic = base
        // "alert" means that the device needs a person: its values are not to be trusted.
        let state = AvailabilitySource(
            topic: "~/$state", online: ["ready", "sleeping"], offline: ["init", "disconnected", "lost", "alert"])
        mapping = DeviceMapping(
            values: Quantity.allCases.compactMap { values[$0]?.source }, availability: [state])
        self.notes = notes
    }
}
