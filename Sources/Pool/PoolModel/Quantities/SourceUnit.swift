/// A unit in which devices send a quantity.
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

    /// How it stands behind a value: empty for pH.
    public var symbol: String { self == .ph ? "" : rawValue }

    /// The quantity that has this unit.
    public var quantity: Quantity {
        switch self {
        case .celsius, .fahrenheit, .kelvin: .temperature
        case .ph: .ph
        case .milligramsPerLitre: .chlorine
        case .millivolts, .volts: .orp
        }
    }

    /// A value in this unit, converted to the unit in which its quantity is stored.
    public func standardValue(_ value: Double) -> Double {
        switch self {
        case .celsius, .ph, .milligramsPerLitre, .millivolts: value
        case .fahrenheit: (value - 32) * 5 / 9
        case .kelvin: value - 273.15
        case .volts: value * 1000
        }
    }
}
