public import PoolModel

/// Collects the raw values of a probe until they are stable.
///
/// The last ``countNeeded`` values are stable if their span is at most the tolerance; the stable value is their mean.
public struct StableReading: Hashable, Sendable {
    /// The number of values that have to agree.
    public let countNeeded: Int
    /// The largest span of stable values, in the quantity's unit.
    public let tolerance: Double

    private let quantity: Quantity
    private var values: [Double] = []
    private var newest: Timestamp?

    /// Creates a collection without values.
    ///
    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - countNeeded: The number of values that have to agree; less than 2 counts as 2.
    ///   - tolerance: Their largest span; nil for the one of `CalibrationBounds`.
    public init(of quantity: Quantity, countNeeded: Int = 5, tolerance: Double? = nil) {
        self.quantity = quantity
        self.countNeeded = max(2, countNeeded)
        self.tolerance = tolerance ?? quantity.facts.calibrationBounds.stableSpan
    }

    /// The number of values in the window, up to ``countNeeded``.
    public var count: Int { values.count }

    /// The newest value, nil before the first.
    public var latest: Double? { values.last }

    /// When the newest value was sampled.
    public var latestAt: Timestamp? { newest }

    /// The mean of the window if it is full and stable.
    public var stableValue: Double? {
        guard values.count == countNeeded, let low = values.min(), let high = values.max() else { return nil }
        // The difference of two decimals such as 7.02 and 7.00 may exceed the tolerance in its last bit.
        guard high - low <= tolerance + tolerance * 1e-9 else { return nil }
        return values.reduce(0, +) / Double(values.count)
    }

    /// Adds a raw value; one that is not newer than the last one is a repetition and is ignored.
    ///
    /// An implausible value means that the probe is disturbed: the window is emptied.
    public mutating func receive(_ raw: Double, sampledAt moment: Timestamp) {
        if let newest, moment <= newest { return }
        newest = moment
        guard raw.isFinite, quantity.plausibleRange.contains(raw) else {
            values.removeAll()
            return
        }
        values.append(raw)
        if values.count > countNeeded { values.removeFirst() }
    }

    /// Removes the values, for example when the probe is moved to another solution; values received before stay too
    /// old.
    public mutating func restart() { values.removeAll() }
}
