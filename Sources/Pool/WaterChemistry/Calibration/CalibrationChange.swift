package import PoolModel

/// The effect of a new calibration, in JSON.
package struct CalibrationChange: Encodable {
    /// The name of the device.
    package var device: String
    /// The calibrated quantity.
    package var quantity: Quantity
    /// The new calibration.
    package var calibration: Calibration
    /// Corrected value minus reference at each point, in the quantity's unit.
    package var residuals: [Double]
    /// The share of the references' variance that the line explains, 0…1; nil unless it is a regression.
    package var rSquared: Double?
    /// The verdicts about the probe, as sentences.
    package var verdicts: [String]
    /// Whether no verdict requires any action.
    package var isGood: Bool
    /// The newest raw value, followed by its present and its future corrected value; nil if no value is known.
    package var raw: Double?
    package var before: Double?
    package var after: Double?

    /// Describes the effect on a device.
    ///
    /// - Parameters:
    ///   - result: The new calibration.
    ///   - quantity: The calibrated quantity.
    ///   - device: The name of the device.
    ///   - raw: Its newest raw value; nil if no value is known.
    ///   - corrected: The same value as it is corrected now; nil if it is not corrected.
    ///   - language: The language of the verdicts.
    package init(
        _ result: CalibrationResult, of quantity: Quantity, device: String, raw: Double?, corrected: Double?,
        in language: TextLanguage = .english
    ) {
        self.device = device
        self.quantity = quantity
        calibration = result.calibration
        residuals = result.residuals
        rSquared = result.rSquared
        verdicts = result.verdicts.map { $0.sentence(in: language) }
        isGood = result.isGood
        guard let raw else { return }
        self.raw = raw
        before = corrected ?? raw
        after = result.calibration.corrected(raw)
    }
}
