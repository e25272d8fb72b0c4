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

    /// The usual method for a number of comparisons, unless a person chooses another one.
    public static func usual(for quantity: Quantity, pointCount: Int) -> Calibration.Method {
        quantity.facts.calibrationMethods.first { $0.pointCounts.contains(pointCount) } ?? .regression
    }
}

extension Calibration {
    /// The most comparisons that a calibration stores.
    public static let pointCountMax = 16
    /// The most bytes of an author's name in UTF-8.
    public static let authorByteCountMax = 256
}
