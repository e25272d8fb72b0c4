public import PoolModel

extension Calibration {
    /// Computes a calibration of a quantity from comparisons, and judges the probe by it.
    ///
    /// Two points are met exactly, apart from the rounding of a double; for more points, it fits the references to
    /// the measured values by least squares.
    ///
    /// - Parameters:
    ///   - method: The method; not `Method.manual`, for which there is `entered`.
    ///   - points: The comparisons, in any order; their number must fit `Method.pointCounts`.
    ///   - quantity: The quantity; the points are in its unit.
    ///   - validFrom: The sample time from which on it is valid.
    ///   - madeAt: When it was made.
    ///   - author: The author.
    ///   - isForced: Whether a pH electrode outside 85…105 % is accepted; the verdict is then that it is spent.
    /// - Returns: The calibration and its verdicts.
    /// - Throws: `CalibrationError` with the reason.
    public static func computed(
        _ method: Method, from points: [Point], for quantity: Quantity, validFrom: Timestamp, madeAt: Timestamp,
        author: String, isForced: Bool = false
    ) throws(CalibrationError) -> CalibrationResult {
        try check(method, points, for: quantity)
        let line = try Line(method, through: points, for: quantity)
        let calibration = Calibration(
            slope: line.slope, offset: line.offset, method: method, points: points, validFrom: validFrom,
            madeAt: madeAt, author: author)
        try calibration.check(for: quantity, isForced: isForced)
        return calibration.judged(for: quantity)
    }

    /// A calibration with a slope and an offset entered by a person, checked and judged like a computed one.
    /// - Throws: `CalibrationError` with the reason.
    public static func entered(
        slope: Double, offset: Double, for quantity: Quantity, validFrom: Timestamp, madeAt: Timestamp,
        author: String, isForced: Bool = false
    ) throws(CalibrationError) -> CalibrationResult {
        let calibration = Calibration(
            slope: slope, offset: offset, method: .manual, points: [], validFrom: validFrom, madeAt: madeAt,
            author: author)
        try calibration.check(for: quantity, isForced: isForced)
        return calibration.judged(for: quantity)
    }

    private static func check(
        _ method: Method, _ points: [Point], for quantity: Quantity
    ) throws(CalibrationError) {
        guard quantity.facts.calibrationMethods.contains(method) else { throw .methodUnsuitable(method, quantity) }
        guard method != .manual, method.pointCounts.contains(points.count) else {
            throw .pointCount(method, points.count)
        }
        for value in points.flatMap({ [$0.measured, $0.reference] }) {
            guard value.isFinite else { throw .notFinite }
            guard quantity.plausibleRange.contains(value) else { throw .implausible(quantity, value) }
        }
    }
}

/// The straight line of a method through the comparisons.
private struct Line {
    var slope = 1.0
    var offset = 0.0

    init(
        _ method: Calibration.Method, through points: [Calibration.Point], for quantity: Quantity
    ) throws(CalibrationError) {
        switch method {
        case .zeroPoint:
            offset = points[0].reference - points[0].measured
        case .scale:
            let least = quantity.facts.calibrationBounds.spanMin
            for value in [points[0].measured, points[0].reference] where value < least {
                throw .pointsTooClose(quantity, span: value, minimum: least)
            }
            slope = points[0].reference / points[0].measured
        case .twoPoint, .regression:
            try fit(points, for: quantity)
        case .manual:
            throw .pointCount(method, points.count)
        }
    }

    private mutating func fit(_ points: [Calibration.Point], for quantity: Quantity) throws(CalibrationError) {
        let first = points[0]
        guard points.contains(where: { $0.measured != first.measured }) else {
            throw .measuredEqual(quantity, first.measured)
        }
        let least = quantity.facts.calibrationBounds.spanMin
        let span = points.referenceSpan
        guard span >= least - least * 1e-9 else { throw .pointsTooClose(quantity, span: span, minimum: least) }

        if points.count == 2 {
            slope = (points[1].reference - first.reference) / (points[1].measured - first.measured)
            offset = first.reference - slope * first.measured
        } else {
            // Sums of distances from the means are used, because sums of plain squares would cancel for values such
            // as 700.01, 700.02.
            let count = Double(points.count)
            let measuredMean = points.reduce(0) { $0 + $1.measured } / count
            let referenceMean = points.reduce(0) { $0 + $1.reference } / count
            var squares = 0.0
            var products = 0.0
            for point in points {
                squares += (point.measured - measuredMean) * (point.measured - measuredMean)
                products += (point.measured - measuredMean) * (point.reference - referenceMean)
            }
            slope = products / squares
            offset = referenceMean - slope * measuredMean
        }
        guard slope.isFinite else { throw .measuredEqual(quantity, first.measured) }
        guard slope > 0 else { throw .slopeNotPositive(slope) }
    }
}

extension [Calibration.Point] {
    /// The distance between the lowest and the highest reference; 0 without points.
    var referenceSpan: Double {
        let references = map(\.reference)
        return (references.max() ?? 0) - (references.min() ?? 0)
    }
}
