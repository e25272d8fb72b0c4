extension AlertNotice {
    /// A number with the quantity's decimals and unit, such as `24.5 °C`.
    package static func amount(_ value: Double, _ quantity: Quantity) -> String {
        let number = fixed(value, decimals: quantity.decimals)
        return quantity.unit.isEmpty ? number : "\(number) \(quantity.unit)"
    }

    /// A number with this many digits after the decimal point, rounded half away from zero; never `-0`.
    static func fixed(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
        let scale = [1, 10, 100, 1000][min(max(0, decimals), 3)]
        let scaled = Int64((value * Double(scale)).rounded())
        let whole = "\(scaled.magnitude / UInt64(scale))"
        let sign = scaled < 0 ? "-" : ""
        guard scale > 1 else { return sign + whole }
        let rest = "\(scaled.magnitude % UInt64(scale))"
        return sign + whole + "." + String(repeating: "0", count: "\(scale)".count - 1 - rest.count) + rest
    }
}
