public import PoolModel

extension Calibration {
    /// The calibration with its verdicts about the probe.
    ///
    /// It judges any calibration, including one that was stored long ago or forced.
    public func judged(for quantity: Quantity) -> CalibrationResult {
        let residuals = points.map { corrected($0.measured) - $0.reference }
        let rSquared = method == .regression ? Self.explainedShare(of: points, residuals: residuals) : nil
        var verdicts: [CalibrationVerdict] = []
        switch quantity.facts.electrode {
        case .ph: verdicts += electrodeVerdicts
        case .redox: verdicts += redoxVerdicts(anchor: quantity.facts.calibrationBounds.anchor)
        case nil: break
        }
        verdicts += lineVerdicts(for: quantity, residuals: residuals, rSquared: rSquared)
        return CalibrationResult(
            calibration: self, residuals: residuals, rSquared: rSquared, verdicts: verdicts)
    }

    private var electrodeVerdicts: [CalibrationVerdict] {
        let percent = Electrode.efficiency(ofSlope: slope)
        let millivolts = Electrode.zeroPotential(slope: slope, offset: offset)
        // A zero point calibration does not change the slope, so there is no verdict about the slope.
        let ofSlope: [CalibrationVerdict] =
            method == .zeroPoint ? [] : [.electrodeSlope(percent: percent, .init(percent: percent))]
        return ofSlope + [.electrodeOffset(millivolts: millivolts, isGood: millivolts.magnitude <= 30)]
    }

    private func redoxVerdicts(anchor: Double) -> [CalibrationVerdict] {
        let references = points.map(\.reference)
        let middle = references.isEmpty ? anchor : references.reduce(0, +) / Double(references.count)
        let millivolts = middle - (middle - offset) / slope
        let grade: CalibrationVerdict.RedoxGrade =
            millivolts.magnitude <= 25 ? .normal : millivolts.magnitude <= 60 ? .watch : .replace
        return [.redoxOffset(millivolts: millivolts, grade)] + (slope == 1 ? [] : [.redoxSlope])
    }

    private func lineVerdicts(
        for quantity: Quantity, residuals: [Double], rSquared: Double?
    ) -> [CalibrationVerdict] {
        guard method == .twoPoint || method == .regression else { return [] }
        var verdicts: [CalibrationVerdict] = []
        let recommended = quantity.facts.calibrationBounds.spanRecommended
        let span = points.referenceSpan
        if span < recommended - recommended * 1e-9 {
            verdicts.append(.weak(quantity, span: span, recommended: recommended))
        }
        let worst = residuals.max { $0.magnitude < $1.magnitude } ?? 0
        if let rSquared, rSquared < 0.99 {
            verdicts.append(.poorFit(quantity, rSquared: rSquared, worstResidual: worst))
        }
        return verdicts
    }

    /// R²: 1 minus the sum of squared residuals divided by the sum of squares around the references' mean.
    private static func explainedShare(of points: [Point], residuals: [Double]) -> Double? {
        let mean = points.reduce(0) { $0 + $1.reference } / Double(points.count)
        let total = points.reduce(0) { $0 + ($1.reference - mean) * ($1.reference - mean) }
        guard total > 0 else { return nil }
        return max(0, 1 - residuals.reduce(0) { $0 + $1 * $1 } / total)
    }
}
