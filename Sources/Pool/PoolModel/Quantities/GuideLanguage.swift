/// The language of the texts about calibration.
public enum GuideLanguage: String, CaseIterable, Codable, Sendable {
    /// English, with a decimal point.
    case english
    /// French, with a decimal comma.
    case french

    /// The text in this language.
    package func pick(_ english: String, _ french: String) -> String {
        switch self {
        case .english: english
        case .french: french
        }
    }

    /// A number with this many decimals, 0…6, rounded half away from zero; for people only.
    package func number(_ value: Double, decimals: Int) -> String {
        guard value.isFinite, value.magnitude < 1e12 else { return "\(value)" }
        let count = min(6, max(0, decimals))
        let unit = (0..<count).reduce(1.0) { power, _ in power * 10 }
        let scaled = Int64((value.magnitude * unit).rounded())
        let (whole, rest) = scaled.quotientAndRemainder(dividingBy: Int64(unit))
        let sign = value < 0 && scaled != 0 ? "-" : ""
        guard count > 0 else { return "\(sign)\(whole)" }
        let digits = String(rest)
        let fraction = String(repeating: "0", count: count - digits.count) + digits
        return "\(sign)\(whole)\(pick(".", ","))\(fraction)"
    }

    /// A value of a quantity with its unit, and one decimal more than the screens show.
    package func value(_ value: Double, of quantity: Quantity) -> String {
        let text = number(value, decimals: quantity.decimals + 1)
        return quantity.unit.isEmpty ? text : "\(text) \(quantity.unit)"
    }

    /// The name of a quantity inside a sentence.
    func name(of quantity: Quantity) -> String {
        switch quantity {
        case .temperature: pick("temperature", "température")
        case .ph: "pH"
        case .chlorine: pick("free chlorine", "chlore libre")
        case .orp: pick("ORP", "potentiel redox")
        }
    }
}
