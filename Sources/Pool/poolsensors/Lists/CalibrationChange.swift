import PoolModel
import WaterChemistry

extension CalibrationChange {
    /// The change as text for a user.
    var lines: [String] {
        var lines = ["\(quantity.name) \(Self.formula(calibration))"]
        if let raw, let before, let after {
            lines.append(
                "Raw \(quantity.textWithUnit(raw)): so far \(quantity.textWithUnit(before)), then \(quantity.textWithUnit(after))"
            )
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
