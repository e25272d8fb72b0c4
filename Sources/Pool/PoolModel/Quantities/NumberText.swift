/// A value of a quantity as a person types it: `7.2`, `7,2`, `24.5 °C`; without a unit it is in the unit of display.
package enum NumberText: Equatable {
    /// The value in the unit in which the quantity is stored.
    case number(Double)
    /// The text means that there is no number, or the number exceeds the range of a double.
    case nonFinite
    /// The text can be a decimal number or one with a thousands separator, as `1,024`.
    case ambiguous
    /// The text is a number with a unit that is not one of this quantity.
    case foreignUnit(String)
    case notANumber

    package init(_ text: some StringProtocol, of quantity: Quantity) {
        switch UnitNumberText(text) {
        case .number(let number, let unit):
            if unit.isEmpty {
                self = .number(quantity.typedValue(number))
            } else if let known = quantity.unit(unit) {
                self = .number(quantity.standardValue(number, in: known))
            } else {
                self = .foreignUnit(unit)
            }
        case .nonFinite: self = .nonFinite
        case .ambiguous: self = .ambiguous
        case .notANumber: self = .notANumber
        }
    }
}
