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

    /// Checks each calibration, as after reading them from a file; a forced calibration of a spent electrode is
    /// accepted.
    /// - Throws: ``CalibrationSeriesError`` with the first error.
    public func check(for quantity: Quantity) throws(CalibrationSeriesError) {
        for (earlier, later) in zip(versions, versions.dropFirst()) where earlier.validFrom >= later.validFrom {
            throw .startTaken(later.validFrom)
        }
        if versions.count > Self.countMax, let oldest = versions.first {
            throw .full(limit: Self.countMax, oldest: oldest.validFrom)
        }
        for version in versions {
            do throws(CalibrationError) {
                try version.check(for: quantity, isForced: true)
            } catch {
                throw .invalid(version.validFrom, error)
            }
        }
    }

    private func index(of start: Timestamp) -> Int? { versions.firstIndex { $0.validFrom == start } }
}
