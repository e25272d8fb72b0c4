import CommandSupport
import PoolModel
import WaterChemistry

/// Formats calibrations as text.
enum CalibrationList {
    static func lines(_ reports: [CalibrationReport]) -> [String] {
        let calibrated = reports.filter { !$0.calibrations.isEmpty }
        guard !calibrated.isEmpty else {
            return ["Nothing is calibrated; begin with: poolsensors calibrate NAME ph"]
        }
        return calibrated.enumerated().flatMap { index, report in
            (index > 0 ? [""] : []) + [PlainText.oneLine(report.device)]
                + report.calibrations.pairs.flatMap { lines(of: $0, $1) }
        }
    }

    static func lines(of quantity: Quantity, _ rows: [JudgedCalibration]) -> [String] {
        var table = TextTable("calibration", "from", "method", "slope", "offset", "age", "by")
        for row in rows {
            table.add(
                (row.isInForce ? "* " : "  ") + quantity.name, MomentText.of(row.validFrom), row.method.rawValue,
                CalibrationChange.text(row.slope), CalibrationChange.text(row.offset),
                "\(row.ageDays) d, \(row.ageVerdict)", row.author)
        }
        return table.lines + rows.filter(\.isInForce).flatMap { $0.verdicts.map { "    \($0)" } }
    }
}
