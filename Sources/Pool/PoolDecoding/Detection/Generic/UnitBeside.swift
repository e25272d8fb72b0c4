import PoolModel

/// Finds the unit that stands in the payload of a value, next to it.
enum UnitBeside {
    private static let unitNames: Set<String> = [
        "unit", "units", "uom", "unite", "einheit", "eenheid", "unidad", "unita", "unidade", "jednostka", "jednotka",
        "enhet", "enhed",
    ]

    /// Whether a member names a unit: `unit`, `temp_unit`, `TempUnit`, `unit_of_measurement`, `temp_scale`.
    private static func isUnit(_ key: String, _ text: String) -> Bool {
        let words = NameWords(key).words
        // Short or general names, if there is a unit.
        if ["u", "scale", "temp_scale", "tempscale", "temperature_scale"].contains(key.lowercased()) {
            return SourceUnit(symbol: text) != nil
        }
        return words.last.map(unitNames.contains) == true || words.starts(with: ["unit", "of", "measurement"])
            || ["tempunit", "temperatureunit", "unitofmeasurement"].contains(words.last)
    }

    /// The unit in the same object, or for temperatures in one around it; unknown if it belongs to another value.
    static func find(
        _ leaf: PayloadLeaf, quantity: Quantity
    ) -> (unit: SourceUnit?, path: ValuePath?, isKnown: Bool, text: String?) {
        for (distance, parent) in leaf.parents.reversed().enumerated() {
            guard case .object(let members) = parent else { continue }
            for member in members {
                // `"units":{"name":"F"}`
                let name = member.value.member(named: "name")
                // A number is the part of a device, as Domoticz counts them, and no unit.
                guard let text = (name ?? member.value).scalarText, !text.trimmedOfBlanks.isEmpty, Double(text) == nil,
                    isUnit(member.key, text)
                else { continue }
                if let unit = quantity.unit(text) {
                    let around = leaf.path.steps.dropLast(distance + 1) + [.key(member.key)]
                    return (unit, ValuePath(around + (name == nil ? [] : [.key("name")])), true, text)
                }
                let isAlone =
                    distance == 0 && unitNames.subtracting(["units"]).contains(NameWords(member.key).words.joined())
                // The pH has no unit, so one that stands beside it and others is theirs.
                let isTheirs =
                    quantity == .ph
                    && members.contains { other in
                        NameReading(other.key).quantity.map { $0 != .ph } ?? false
                    }
                if isAlone && !isTheirs || isUnitOf(member.key, quantity), !isOfAnother(text, in: members) {
                    return (nil, nil, false, text)
                }
            }
        }
        return (nil, nil, true, nil)
    }

    /// Whether the name of a unit names the quantity, too: `chlorine_unit`.
    private static func isUnitOf(_ key: String, _ quantity: Quantity) -> Bool {
        NameWords(key).words.contains { QuantityWords.meanings[$0]?.quantity == quantity }
    }

    /// Whether a unit belongs to one of several values in the same object: `{"temp":78,"ph":7.2,"unit":"F"}`.
    private static func isOfAnother(_ unit: String, in members: [JSONValue.Member]) -> Bool {
        members.contains { NameReading($0.key).quantity?.unit(unit) != nil }
    }
}
