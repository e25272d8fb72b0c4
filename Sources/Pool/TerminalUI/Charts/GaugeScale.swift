import PoolModel

/// Maps a quantity's values to positions on its gauge.
///
/// A gauge shows the normal range and one and a half times its width on either side, but no value that water
/// cannot have; a value beyond an end sits at that end.
struct GaugeScale: Hashable, Sendable {
    let range: ClosedRange<Double>
    let band: ClosedRange<Double>

    /// Creates the scale of a quantity; invalid limits are replaced by the standard ones.
    init(quantity: Quantity, limits: Limits) {
        let limits = Self.isSensible(limits) ? limits : quantity.facts.limits
        let margin = 1.5 * (limits.high - limits.low)
        let possible = quantity.plausibleRange
        let lower = min(limits.low, max(possible.lowerBound, limits.low - margin))
        let upper = max(limits.high, min(possible.upperBound, limits.high + margin))
        range = lower...upper
        band = limits.low...limits.high
    }

    /// The position of a value from 0 at the lower to 1 at the upper end; 0 for a value that is not a number.
    func fraction(_ value: Double) -> Double {
        let fraction = (value - range.lowerBound) / (range.upperBound - range.lowerBound)
        return fraction.isNaN ? 0 : min(1, max(0, fraction))
    }

    /// The part of the gauge with the normal range.
    var bandFractions: ClosedRange<Double> { fraction(band.lowerBound)...fraction(band.upperBound) }

    private static func isSensible(_ limits: Limits) -> Bool {
        limits.low.isFinite && limits.high.isFinite && limits.low < limits.high
            && max(abs(limits.low), abs(limits.high)) < 1e9
    }
}
