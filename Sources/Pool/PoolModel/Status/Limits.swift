/// The limits of one quantity; a value equal to a limit is inside.
///
/// The critical range contains the normal range.
public struct Limits: Codable, Hashable, Sendable {
    /// Below or above the limits.
    public enum Deviation: String, Codable, Sendable {
        /// Below the lower limit.
        case low
        /// Above the upper limit.
        case high
    }

    /// The lowest value that is not critical.
    public var criticalLow: Double
    /// The lowest value that is normal.
    public var low: Double
    /// The highest value that is normal.
    public var high: Double
    /// The highest value that is not critical.
    public var criticalHigh: Double

    /// Creates limits without checking them.
    public init(criticalLow: Double, low: Double, high: Double, criticalHigh: Double) {
        self.criticalLow = criticalLow
        self.low = low
        self.high = high
        self.criticalHigh = criticalHigh
    }

    /// The status of a value and the side on which it left the normal range.
    public func judge(_ value: Double) -> (status: Status, deviation: Limits.Deviation?) {
        guard value.isFinite else { return (.offline, nil) }
        let deviation: Limits.Deviation? = value < low ? .low : value > high ? .high : nil
        if value < criticalLow || value > criticalHigh { return (.critical, deviation) }
        return (deviation == nil ? .normal : .warning, deviation)
    }

    /// Whether all four are finite and in order: critical low ≤ low < high ≤ critical high.
    public var isOrdered: Bool {
        let all = [criticalLow, low, high, criticalHigh]
        return all.allSatisfy(\.isFinite) && criticalLow <= low && low < high && high <= criticalHigh
    }

    /// The default limits of a private chlorinated pool, for users who have not chosen others.
    ///
    /// Temperature 20…30 (critical outside 15…35) °C; pH 6.8…7.6 (6.5…8.0); free chlorine 1…3 (0.5…5) mg/L;
    /// ORP 600…800 (500…900) mV.
    ///
    /// They are consistent with the presets: what a `LimitsPreset` for private chlorinated pools calls normal is
    /// never critical here, and the least ORP of any preset, up to 750 mV, does not raise a warning.
    public static func standard(for quantity: Quantity) -> Limits {
        switch quantity {
        case .temperature: Limits(criticalLow: 15, low: 20, high: 30, criticalHigh: 35)
        case .ph: Limits(criticalLow: 6.5, low: 6.8, high: 7.6, criticalHigh: 8.0)
        case .chlorine: Limits(criticalLow: 0.5, low: 1, high: 3, criticalHigh: 5)
        case .orp: Limits(criticalLow: 500, low: 600, high: 800, criticalHigh: 900)
        }
    }
}
