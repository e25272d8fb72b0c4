package import PoolModel

/// Formats values with their units, so briefly that only the quantity is clear.
package enum ValueFormatter {
    /// A value such as `27.3 °C`, `pH 7.64` or `Cl 0.20 mg/L`.
    package static func text(_ value: Double, of quantity: Quantity) -> String {
        let name = quantity == .ph ? "pH " : quantity == .chlorine ? "Cl " : ""
        return name + quantity.textWithUnit(value)
    }
}
