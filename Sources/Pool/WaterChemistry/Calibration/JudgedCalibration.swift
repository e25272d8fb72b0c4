package import PoolModel

/// A calibration with its age and what it says of the probe, in JSON.
package struct JudgedCalibration: Encodable {
    /// When it begins to apply.
    package var validFrom: Timestamp
    /// When it was made.
    package var madeAt: Timestamp
    /// How it was computed.
    package var method: Calibration.Method
    /// The factor.
    package var slope: Double
    /// What is added.
    package var offset: Double
    /// Who made it.
    package var author: String
    /// The points it was computed from.
    package var points: [Calibration.Point]
    /// Whether it applies now.
    package var isInForce: Bool
    /// Its age.
    package var ageSeconds: Int
    /// Its age in full days.
    package var ageDays: Int
    /// Whether the next calibration is due.
    package var ageVerdict: String
    /// The verdicts about the probe, as sentences; of the one in force also the age.
    package var verdicts: [String]

    init(
        _ calibration: Calibration, of quantity: Quantity, isInForce: Bool, at now: Timestamp, in language: TextLanguage
    ) {
        let age = calibration.age(for: quantity, at: now)
        validFrom = calibration.validFrom
        madeAt = calibration.madeAt
        method = calibration.method
        slope = calibration.slope
        offset = calibration.offset
        author = calibration.author
        points = calibration.points
        self.isInForce = isInForce
        ageSeconds = Int(age.milliseconds / 1000)
        ageDays = age.days
        ageVerdict = age.verdict.rawValue
        verdicts = calibration.judged(for: quantity).verdicts.map { $0.sentence(in: language) }
        if isInForce { verdicts.append(age.sentence(in: language)) }
    }
}

/// The calibrations of a device, in JSON.
package struct CalibrationReport: Encodable {
    /// The name of the device.
    package var device: String
    /// The calibrations of each calibrated quantity, oldest first.
    package var calibrations: QuantityMap<[JudgedCalibration]>

    /// Describes the calibrations of a device at a time, with verdicts in a language.
    package init(_ device: Device, at now: Timestamp, in language: TextLanguage = .english) {
        self.device = device.name
        calibrations = [:]
        for (quantity, series) in device.calibrations.pairs {
            let current = series.calibration(at: now)
            calibrations[quantity] = series.versions.map {
                JudgedCalibration($0, of: quantity, isInForce: $0 == current, at: now, in: language)
            }
        }
    }
}
