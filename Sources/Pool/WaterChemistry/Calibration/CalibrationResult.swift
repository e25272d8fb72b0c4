public import PoolModel

/// A calibration that was computed from comparisons, and its verdicts about the probe.
public struct CalibrationResult: Hashable, Sendable {
    /// The calibration.
    public var calibration: Calibration
    /// Corrected value minus reference at each point, in the quantity's unit; empty for a manual one.
    public var residuals: [Double]
    /// The share of the references' variance that the line explains, 0…1; nil unless it is a regression.
    public var rSquared: Double?
    /// The verdicts about the probe, including good ones.
    public var verdicts: [CalibrationVerdict]

    /// Whether no verdict requires any action.
    public var isGood: Bool { verdicts.allSatisfy(\.isGood) }
}
