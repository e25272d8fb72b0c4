extension CalibrationSeries {
    /// The series with one more calibration.
    /// - Parameters:
    ///   - calibration: The calibration; no other one may begin at the same time.
    ///   - quantity: The quantity that it is for.
    ///   - isForced: Whether a pH electrode outside 85…105 % is accepted.
    ///   - dropsOldest: Whether a full series may lose its oldest calibration. Readings from before the second one are
    ///     then uncorrected.
    /// - Returns: The series, and the calibration that was dropped.
    /// - Throws: ``CalibrationSeriesError``; nothing is lost without consent.
    public func adding(
        _ calibration: Calibration, for quantity: Quantity, isForced: Bool = false, dropsOldest: Bool = false
    ) throws(CalibrationSeriesError) -> (series: CalibrationSeries, dropped: Calibration?) {
        do throws(CalibrationError) {
            try calibration.check(for: quantity, isForced: isForced)
        } catch {
            throw .invalid(calibration.validFrom, error)
        }
        guard index(of: calibration.validFrom) == nil else { throw .startTaken(calibration.validFrom) }
        guard versions.count >= Self.countMax, let oldest = versions.first else {
            return (CalibrationSeries(versions + [calibration]), nil)
        }
        guard dropsOldest else { throw .full(limit: Self.countMax, oldest: oldest.validFrom) }
        guard calibration.validFrom > oldest.validFrom else {
            throw .olderThanAll(calibration.validFrom, oldest: oldest.validFrom)
        }
        return (CalibrationSeries(versions.dropFirst() + [calibration]), oldest)
    }

    /// The series without the calibration that begins at this time; the one before it then stays valid.
    /// - Throws: ``CalibrationSeriesError/missing(_:known:)``.
    public func removing(startingAt start: Timestamp) throws(CalibrationSeriesError) -> CalibrationSeries {
        guard let index = index(of: start) else { throw .missing(start, known: versions.map(\.validFrom)) }
        var rest = versions
        rest.remove(at: index)
        return CalibrationSeries(rest)
    }

    private func index(of start: Timestamp) -> Int? { versions.firstIndex { $0.validFrom == start } }
}
