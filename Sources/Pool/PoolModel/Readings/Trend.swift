/// Which way a quantity went over the last hour: the hub finds it (``TrendMemory``), and every screen shows that.
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

    /// The change within the hour, in the quantity's unit, from which it is one; a smaller one may be noise.
    ///
    /// Each is about three times the noise of a usual probe, and a change that water really makes in an hour.
    public static func leastChange(of quantity: Quantity) -> Double {
        switch quantity {
        case .temperature: 0.2
        case .ph: 0.05
        case .chlorine: 0.1
        case .orp: 10
        }
    }

    /// The change within the hour, in the quantity's unit, from which it is fast: faster than sun, heater and the usual
    /// doses change a pool.
    public static func fastChange(of quantity: Quantity) -> Double {
        switch quantity {
        case .temperature: 1
        case .ph: 0.2
        case .chlorine: 0.4
        case .orp: 40
        }
    }
}
