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
}
