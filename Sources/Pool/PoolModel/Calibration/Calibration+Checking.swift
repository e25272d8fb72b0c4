extension Calibration {
    /// Checks the numbers of a calibration from any source against what a probe of the quantity can need.
    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - isForced: Whether a pH electrode outside 85…105 % is accepted.
    /// - Throws: ``CalibrationError`` with the reason.
    public func check(for quantity: Quantity, isForced: Bool = false) throws(CalibrationError) {
        let numbers = [slope, offset] + points.flatMap { [$0.measured, $0.reference] }
        guard numbers.allSatisfy(\.isFinite) else { throw .notFinite }
        guard method.pointCounts.contains(points.count) else { throw .pointCount(method, points.count) }
        guard author.utf8.count <= Self.authorByteCountMax else {
            throw .authorTooLong(byteCount: author.utf8.count)
        }
        guard slope > 0 else { throw .slopeNotPositive(slope) }
        let bounds = quantity.facts.calibrationBounds
        guard bounds.slopes.contains(slope) else { throw .slopeOutOfBounds(quantity, slope, bounds.slopes) }
        let correction = corrected(bounds.anchor) - bounds.anchor
        guard correction.magnitude <= bounds.correctionMax else {
            throw .correctionOutOfBounds(
                quantity, at: bounds.anchor, correction: correction, limit: bounds.correctionMax)
        }
        let percent = Electrode.efficiency(ofSlope: slope)
        if quantity.facts.electrode == .ph, !isForced, CalibrationVerdict.SlopeGrade(percent: percent) == .reject {
            throw .electrodeSpent(percent: percent)
        }
    }
}
