import ArgumentParser
import Commands
import PoolModel

/// A value as a person typed it: a number, perhaps with a unit, such as `82F`.
struct TypedValue: Hashable, Sendable {
    /// The number.
    let number: Double
    /// What stands behind it; empty for nothing.
    let unit: String

    /// Reads the value of a flag.
    ///
    /// - Throws: `ValidationError` with the expected form.
    static func flag(_ text: String) throws -> TypedValue {
        let digits = text.prefix { $0.isASCII && $0.isNumber || "+-.,".contains($0) }
        let unit = text.dropFirst(digits.count).trimmedOfBlanks
        // What is no unit makes the whole no number: 0x7, 1e1.
        guard !digits.isEmpty, SourceUnit(symbol: unit) != nil || volumes[unit.lowercased()] != nil else {
            return TypedValue(number: try DecimalText.flag(text), unit: "")
        }
        return TypedValue(number: try DecimalText.flag(String(digits)), unit: String(unit))
    }

    /// The value in the unit in which the quantity is stored; without a unit, the number is in the unit of display.
    ///
    /// - Throws: `ValidationError` for a unit that the quantity does not have.
    func value(of quantity: Quantity) throws -> Double {
        if unit.isEmpty { return quantity.typedValue(number) }
        guard let known = quantity.unit(unit) else {
            let units = quantity.facts.units.map(\.unit.rawValue).joined(separator: " or ")
            throw ValidationError("\(unit) is no unit of \(quantity.name): give \(units)")
        }
        return quantity.standardValue(number, in: known)
    }

    /// The volume in cubic metres; without a unit, the number is in the unit of display.
    ///
    /// - Throws: `ValidationError` for a unit of something other than a volume.
    func cubicMetres() throws -> Double {
        if unit.isEmpty { return number / DisplayUnits.current.volume.countInCubicMetre }
        guard let count = Self.volumes[unit.lowercased()] else {
            throw ValidationError("\(unit) is no unit of a volume: give m3, l or gal")
        }
        return number / count
    }

    /// How many of a unit a cubic metre is.
    private static let volumes = [
        "m3": 1, "m³": 1, "l": 1000, "gal": DisplayUnits.Volume.gallons.countInCubicMetre,
    ]
}
