/// The accepted range of a calibration of one quantity, to detect input errors.
///
/// Source: the slope and the offset of pH electrodes follow the acceptance limits of their manuals; the rest is our
/// choice, wide enough for every probe that still measures the quantity at all.
public struct CalibrationBounds: Hashable, Sendable {
    /// The slopes that are accepted at all, even with force.
    public var slopes: ClosedRange<Double>
    /// The value at which the correction is checked: in the middle of the usual range, in the quantity's unit.
    public var anchor: Double
    /// The largest correction at the anchor, in the quantity's unit.
    public var correctionMax: Double
    /// The least accepted span of the references, in the quantity's unit.
    public var spanMin: Double
    /// The span of the references below which the slope is weak, in the quantity's unit.
    public var spanRecommended: Double
    /// The largest span of stable raw values, in the quantity's unit.
    public var stableSpan: Double

    /// The bounds of a quantity.
    ///
    /// Temperature in °C, free chlorine in mg/L, ORP in mV. The span of 2 for pH is that of a community pH node which
    /// grades anything below it "weak".
    public static func standard(for quantity: Quantity) -> CalibrationBounds {
        switch quantity {
        case .temperature:
            CalibrationBounds(
                slopes: 0.5...2, anchor: 25, correctionMax: 10, spanMin: 5, spanRecommended: 15, stableSpan: 0.2)
        case .ph:
            CalibrationBounds(
                slopes: 0.5...2, anchor: 7, correctionMax: 2, spanMin: 0.5, spanRecommended: 2, stableSpan: 0.02)
        case .chlorine:
            CalibrationBounds(
                slopes: 0.1...10, anchor: 0, correctionMax: 5, spanMin: 0.3, spanRecommended: 1, stableSpan: 0.05)
        case .orp:
            CalibrationBounds(
                slopes: 0.5...2, anchor: 470, correctionMax: 300, spanMin: 30, spanRecommended: 100, stableSpan: 4)
        }
    }
}

extension Calibration.Method {
    /// The number of comparisons for the method.
    public var pointCounts: ClosedRange<Int> {
        switch self {
        case .zeroPoint, .scale: 1...1
        case .twoPoint: 2...2
        case .regression: 3...Calibration.pointCountMax
        case .manual: 0...0
        }
    }

    /// The methods that are suitable for a quantity, the usual one first.
    ///
    /// A slope through zero requires a quantity whose zero means "none": of these, only chlorine.
    public static func usual(for quantity: Quantity) -> [Calibration.Method] {
        switch quantity {
        case .temperature: [.zeroPoint, .twoPoint, .regression, .manual]
        case .ph: [.twoPoint, .zeroPoint, .regression, .manual]
        case .chlorine: [.scale, .zeroPoint, .twoPoint, .regression, .manual]
        case .orp: [.zeroPoint, .twoPoint, .regression, .manual]
        }
    }

    /// The usual method for a number of comparisons, unless a person chooses another one.
    public static func usual(for quantity: Quantity, pointCount: Int) -> Calibration.Method {
        usual(for: quantity).first { $0.pointCounts.contains(pointCount) } ?? .regression
    }
}

extension Calibration {
    /// The most comparisons that a calibration stores.
    public static let pointCountMax = 16
    /// The most bytes of an author's name in UTF-8.
    public static let authorByteCountMax = 256
}
