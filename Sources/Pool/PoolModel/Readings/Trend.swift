/// The direction of a quantity over the last hour; the hub computes it (``TrendMemory``), and all screens show it.
public enum Trend: String, CaseIterable, Codable, Sendable {
    /// Falling fast.
    case falling
    /// Falling slowly.
    case easing
    /// Hardly changing.
    case steady
    /// Rising slowly.
    case climbing
    /// Rising fast.
    case rising

    /// The least change within the hour that counts as a trend, in the quantity's unit; a smaller one may be noise.
    ///
    /// It is about three times the noise of a usual probe, and a change that water can really make in an hour.
    public static func leastChange(of quantity: Quantity) -> Double {
        switch quantity {
        case .temperature: 0.2
        case .ph: 0.05
        case .chlorine: 0.1
        case .orp: 10
        }
    }

    /// The least change within the hour that counts as fast, in the quantity's unit: more than sun, heater and the
    /// usual doses cause.
    public static func fastChange(of quantity: Quantity) -> Double {
        switch quantity {
        case .temperature: 1
        case .ph: 0.2
        case .chlorine: 0.4
        case .orp: 40
        }
    }
}
