/// The accepted range of a calibration of one quantity, to detect input errors.
///
/// Source: the slope and the offset of pH electrodes follow the acceptance limits of their manuals; the rest is our
/// choice, wide enough for every probe that still measures the quantity at all.
public struct CalibrationBounds: Hashable, Sendable {
    /// The slopes that are accepted at all, even with force.
    public var slopes: ClosedRange<Double>
    /// The value at which the correction is checked: in the middle of the usual range, in the quantity's unit.
    public var anchor: Double
    /// The largest correction at the anchor, in the quantity's unit.
    public var correctionMax: Double
    /// The least accepted span of the references, in the quantity's unit.
    public var spanMin: Double
    /// The span of the references below which the slope is weak, in the quantity's unit.
    public var spanRecommended: Double
    /// The largest span of stable raw values, in the quantity's unit.
    public var stableSpan: Double
}
