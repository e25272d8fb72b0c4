import PoolControl
import PoolHub
import PoolModel
import WaterChemistry

/// The effect of a new calibration.
struct CalibrationChange: Encodable {
    var device: String
    var quantity: Quantity
    var calibration: Calibration
    var residuals: [Double]
    var rSquared: Double?
    var verdicts: [String]
    var isGood: Bool
    /// The newest raw value, followed by its present and its future corrected value; nil if there is none.
    var raw: Double?
    var before: Double?
    var after: Double?

    init(_ result: CalibrationResult, of quantity: Quantity, _ device: DeviceState) {
        self.device = device.name
        self.quantity = quantity
        calibration = result.calibration
        residuals = result.residuals
        rSquared = result.rSquared
        verdicts = result.verdicts.map { $0.sentence(in: .english) }
        isGood = result.isGood
        guard let latest = device.rawReadings?[quantity] else { return }
        raw = latest.value
        before = device.readings?.values[quantity]?.value ?? latest.value
        after = result.calibration.corrected(latest.value)
    }

    /// The change as text for a user.
    var lines: [String] {
        var lines = ["\(quantity.name) \(Self.formula(calibration))"]
        if let raw, let before, let after {
            lines.append("Raw \(quantity.words(raw)): so far \(quantity.words(before)), then \(quantity.words(after))")
        } else {
            lines.append("No value of the device is known yet, so the change cannot be shown on one.")
        }
        if let rSquared { lines.append("R² \(Self.text(rSquared))") }
        return lines + verdicts
    }

    /// The formula that corrects a raw value.
    static func formula(_ calibration: Calibration) -> String {
        let sign = calibration.offset < 0 ? "−" : "+"
        return "× \(text(calibration.slope)) \(sign) \(text(calibration.offset.magnitude))"
    }

    /// A number with at most five decimals.
    static func text(_ number: Double) -> String { "\((number * 100_000).rounded() / 100_000)" }
}
