/// A water quantity that a pool device measures.
///
/// The order of the cases is the order of the gauges on every face.
public enum Quantity: String, CaseIterable, Codable, Hashable, Sendable {
    /// The water temperature, in degrees Celsius.
    case temperature
    /// The acidity, without a unit; 0…14.
    case ph
    /// The free chlorine, in milligrams per litre (the same as ppm).
    case chlorine
    /// The oxidation-reduction potential, in millivolts.
    case orp

    /// The full name, for use in a sentence.
    public var name: String {
        switch self {
        case .temperature: "Temperature"
        case .ph: "pH"
        case .chlorine: "Chlorine"
        case .orp: "ORP"
        }
    }

    /// The unit symbol, empty for pH.
    public var unit: String {
        switch self {
        case .temperature: "°C"
        case .ph: ""
        case .chlorine: "mg/L"
        case .orp: "mV"
        }
    }

    /// The digits after the decimal point that every screen shows.
    public var decimals: Int {
        switch self {
        case .temperature: 1
        case .ph, .chlorine: 2
        case .orp: 0
        }
    }

    /// The values that a person may enter, as a limit or as a reference; what a probe can report is narrower, see
    /// ``ProbeFault``.
    ///
    /// Source: the ranges that pool probes can report, widened to shock chlorination (40 mg/L).
    public var plausibleRange: ClosedRange<Double> {
        switch self {
        case .temperature: -5...60
        case .ph: 0...14
        case .chlorine: 0...40
        case .orp: -1500...1500
        }
    }
}
