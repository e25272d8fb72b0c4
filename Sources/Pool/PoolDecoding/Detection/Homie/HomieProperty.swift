import PoolModel

/// A property of a Homie device, from its attributes or its description.
struct HomieProperty: Hashable {
    /// The id of its node.
    var nodeID: String
    /// The name of its node for people.
    var nodeName: String?
    /// Its id.
    var id: String
    /// Its name for people.
    var name: String?
    /// Its unit, as written.
    var unitText: String?
    /// Whether its unit is in the description of the device, not on a topic of its own.
    var isDescribed = false
    /// Its type, such as `float`.
    var dataType: String?
    /// Whether it can be set: then it is a set point, not a measurement.
    var isSettable = false

    /// The quantity that it measures and the unit; nil if it is not one or only looks like one.
    var meaning: (quantity: Quantity, unit: SourceUnit)? {
        guard !isSettable, dataType == nil || dataType == "float" || dataType == "integer" else { return nil }
        let own = [name, id].compactMap { $0 }.map { NameReading($0) }
        let around = [nodeName, nodeID].compactMap { $0 }.map { NameReading($0) }
        // A node called "controller" or "status" does not rule out a property called "ph"; one called "setpoints"
        // does.
        guard !own.contains(where: \.isTrap) else { return nil }
        let aroundIsTrap = [nodeName, nodeID].compactMap { $0 }
            .contains { NameWords($0).contains(anyOf: QuantityWords.ancestorTraps) }
        guard let quantity = own.lazy.compactMap(\.quantity).first ?? around.lazy.compactMap(\.quantity).first,
            own.contains(where: { $0.quantity != nil || $0 == .neutral }), !aroundIsTrap
        else { return nil }
        let words = [name, id, nodeName, nodeID].compactMap { $0 }.map { NameWords($0) }
        if quantity == .temperature, words.contains(where: { $0.contains(anyOf: QuantityWords.notOfWater) }) {
            return nil
        }
        let unit = unitText.flatMap { quantity.unit($0) }
        if let unitText, !unitText.trimmedOfBlanks.isEmpty, unit == nil { return nil }
        return (quantity, unit ?? quantity.facts.unit)
    }

    /// Where the device announces its unit.
    var unitPlace: UnitPlace {
        guard isDescribed else { return UnitPlace(topic: "~/\(nodeID)/\(id)/$unit", path: .whole) }
        return UnitPlace(topic: "~/$description", path: .keys("nodes", nodeID, "properties", id, "unit"))
    }

    /// All names of the property.
    var names: [String] { [name, id, nodeName, nodeID].compactMap { $0 } }
}
