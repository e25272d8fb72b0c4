public import PoolModel

/// A calibration that was computed from comparisons, and what it says about the probe.
public struct CalibrationResult: Hashable, Sendable {
    /// The calibration.
    public var calibration: Calibration
    /// Corrected value minus reference at each point, in the quantity's unit; empty for a manual one.
    public var residuals: [Double]
    /// The share of the references' variance that the line explains, 0…1; nil unless it is a regression.
    public var rSquared: Double?
    /// What it says about the probe, good verdicts too.
    public var verdicts: [CalibrationVerdict]

    /// Whether no verdict asks for anything.
    public var isGood: Bool { verdicts.allSatisfy(\.isGood) }
}
