import CommandSupport
import PoolControl
import PoolHub
import PoolModel
import WaterChemistry

/// Formats calibrations as text.
enum CalibrationList {
    /// The calibrations of a device.
    struct Group: Encodable {
        var device: String
        var calibrations: QuantityMap<[DeviceDescription.CalibrationRow]>

        init(_ device: DeviceState, at now: Timestamp) {
            self.device = device.name
            calibrations = [:]
            for (quantity, series) in device.device.calibrations.pairs {
                calibrations[quantity] = CalibrationList.rows(of: quantity, series, at: now)
            }
        }
    }

    /// The calibrations of a quantity, oldest first.
    static func rows(
        of quantity: Quantity, _ series: CalibrationSeries, at now: Timestamp
    ) -> [DeviceDescription.CalibrationRow] {
        let current = series.calibration(at: now)
        return series.versions.map { version in
            let age = version.age(for: quantity, at: now)
            return DeviceDescription.CalibrationRow(
                validFrom: version.validFrom.iso8601, method: version.method, slope: version.slope,
                offset: version.offset, author: version.author, isInForce: version == current,
                ageSeconds: Int(age.milliseconds / 1000), ageVerdict: age.verdict.rawValue,
                verdicts: version.judged(for: quantity).verdicts.map { $0.sentence(in: .english) }
                    + (version == current ? [age.sentence(in: .english)] : []))
        }
    }

    static func lines(_ groups: [Group]) -> [String] {
        let calibrated = groups.filter { !$0.calibrations.isEmpty }
        guard !calibrated.isEmpty else {
            return ["Nothing is calibrated; begin with: poolsensors calibrate NAME ph"]
        }
        return calibrated.enumerated().flatMap { index, group in
            (index > 0 ? [""] : []) + [PlainText.oneLine(group.device)]
                + group.calibrations.pairs.flatMap { lines(of: $0, $1) }
        }
    }

    static func lines(of quantity: Quantity, _ rows: [DeviceDescription.CalibrationRow]) -> [String] {
        var table = TextTable("calibration", "from", "method", "slope", "offset", "age", "by")
        for row in rows {
            table.add(
                (row.isInForce ? "* " : "  ") + quantity.name, row.validFrom, row.method.rawValue,
                CalibrationChange.text(row.slope), CalibrationChange.text(row.offset),
                "\(row.ageSeconds / 86_400) d, \(row.ageVerdict)", row.author)
        }
        return table.lines + rows.filter(\.isInForce).flatMap { $0.verdicts.map { "    \($0)" } }
    }
}
