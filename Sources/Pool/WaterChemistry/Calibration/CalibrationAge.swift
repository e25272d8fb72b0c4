public import PoolModel

/// The time since a probe was calibrated, and whether the next calibration is due.
public struct CalibrationAge: Hashable, Sendable {
    /// Whether the next calibration is due.
    public enum Verdict: String, CaseIterable, Sendable {
        /// Within the interval.
        case fresh
        /// Older than the interval.
        case due
        /// Older than twice the interval.
        case overdue
    }

    /// The milliseconds since the calibration; 0 if the clock is before it.
    public var milliseconds: Int64
    /// The interval between two calibrations in days.
    public var intervalDays: Int

    /// Creates an age.
    public init(milliseconds: Int64, intervalDays: Int) {
        self.milliseconds = max(0, milliseconds)
        self.intervalDays = intervalDays
    }

    /// The full days.
    public var days: Int { Int(milliseconds / Self.millisecondsOfDay) }

    /// Whether the next calibration is due; at exactly the interval it is not yet.
    public var verdict: Verdict {
        let interval = Int64(intervalDays) * Self.millisecondsOfDay
        return milliseconds <= interval ? .fresh : milliseconds <= 2 * interval ? .due : .overdue
    }

    /// One sentence for a person.
    public func sentence(in language: TextLanguage) -> String {
        let english =
            switch verdict {
            case .fresh: "the next one is due after \(intervalDays) days"
            case .due: "due since \(days - intervalDays) days"
            case .overdue: "overdue, it was due after \(intervalDays) days"
            }
        let french =
            switch verdict {
            case .fresh: "le prochain est à faire après \(intervalDays) jours"
            case .due: "à refaire depuis \(days - intervalDays) jours"
            case .overdue: "largement dépassé, à refaire après \(intervalDays) jours"
            }
        return language.pick(
            "Calibrated \(days) \(days == 1 ? "day" : "days") ago: \(english).",
            "Étalonné il y a \(days) \(days <= 1 ? "jour" : "jours") : \(french).")
    }

    private static let millisecondsOfDay: Int64 = 86_400_000
}

extension Calibration {
    /// The age of this calibration, counted from when it was made.
    ///
    /// An earlier start of its validity does not make it older: the probe was compared when the calibration was made.
    public func age(for quantity: Quantity, at moment: Timestamp) -> CalibrationAge {
        CalibrationAge(
            milliseconds: moment.milliseconds(since: madeAt),
            intervalDays: quantity.facts.calibrationDays.after(method))
    }
}
