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
}
