/// A unit in which devices send a quantity, or people see it.
///
/// What a number in it means, the row of the quantity says (``QuantityFacts/units``): "ppm" of chlorine are milligrams
/// per litre, and "ppm" of salt thousandths of a gram.
public enum SourceUnit: String, Codable, CaseIterable, Hashable, Sendable {
    /// Degrees Celsius.
    case celsius = "°C"
    /// Degrees Fahrenheit.
    case fahrenheit = "°F"
    /// Kelvin.
    case kelvin = "K"
    /// pH, which has no unit.
    case ph = "pH"
    /// Milligrams per litre, the same as parts per million.
    case milligramsPerLitre = "mg/L"
    /// Millivolts.
    case millivolts = "mV"
    /// Volts.
    case volts = "V"

    /// Grams per litre, about the same as parts per thousand.
    case gramsPerLitre = "g/L"
    /// Microsiemens per centimetre.
    case microsiemens = "µS/cm"
    /// Millisiemens per centimetre.
    case millisiemens = "mS/cm"
    /// Percent.
    case percent = "%"

    /// How it stands behind a value: empty for pH.
    public var symbol: String { self == .ph ? "" : rawValue }
}
