package import PoolModel

/// Formats values with their units, so briefly that only the quantity is clear.
package enum ValueFormatter {
    /// A value such as `27.3 °C`, `pH 7.64` or `Cl 0.20 mg/L`.
    package static func text(_ value: Double, of quantity: Quantity) -> String {
        let name = quantity == .ph ? "pH " : quantity == .chlorine ? "Cl " : ""
        let unit = quantity.unit.isEmpty ? "" : " \(quantity.unit)"
        return name + digits(value, decimals: quantity.decimals) + unit
    }

    /// A number with so many decimals, at most 2.
    private static func digits(_ value: Double, decimals: Int) -> String {
        let factor = decimals == 0 ? 1 : decimals == 1 ? 10 : 100
        // What is stored of a quantity lies within what water can have.
        guard let whole = Int(exactly: (value * Double(factor)).rounded()) else { return "\(value)" }
        guard factor > 1 else { return "\(whole)" }
        let rest = String(whole.magnitude % UInt(factor))
        return (whole < 0 ? "-" : "") + "\(whole.magnitude / UInt(factor))."
            + String(repeating: "0", count: decimals - rest.count) + rest
    }
}
