public import PoolModel

/// Statistics of the samples of one quantity in a span of time.
///
/// The statistics of corrected values follow from those of raw values by the same linear function
/// (``corrected(by:)``), which is why rollups store only raw ones.
public struct SampleStatistics: Hashable, Sendable {
    /// The number of samples; at least 1.
    public internal(set) var count: Int
    /// The least value.
    public internal(set) var minimum: Double
    /// The greatest value.
    public internal(set) var maximum: Double
    /// The sum of the values; not a number if they contain infinities of both signs.
    public internal(set) var sum: Double
    /// The time of the earliest sample.
    public internal(set) var firstAt: Timestamp
    /// The value of the earliest sample; of several at that time the one that arrived first.
    public internal(set) var first: Double
    /// The time of the latest sample.
    public internal(set) var lastAt: Timestamp
    /// The value of the latest sample; of several at that time the one that arrived last.
    public internal(set) var last: Double

    /// The arithmetic mean of the values.
    public var mean: Double { sum / Double(count) }

    /// The statistics of a single sample.
    public init(_ value: Double, at moment: Timestamp) {
        (count, minimum, maximum, sum) = (1, value, value, value)
        (firstAt, first, lastAt, last) = (moment, value, moment, value)
    }

    init(
        count: Int, minimum: Double, maximum: Double, sum: Double, firstAt: Int64, first: Double, lastAt: Int64,
        last: Double
    ) {
        (self.count, self.minimum, self.maximum, self.sum) = (count, minimum, maximum, sum)
        (self.firstAt, self.first) = (Timestamp(milliseconds: firstAt), first)
        (self.lastAt, self.last) = (Timestamp(milliseconds: lastAt), last)
    }

    /// Adds the statistics of samples that arrived later than these.
    public mutating func merge(_ later: SampleStatistics) {
        count += later.count
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        sum += later.sum
        if later.firstAt < firstAt { (firstAt, first) = (later.firstAt, later.first) }
        if later.lastAt >= lastAt { (lastAt, last) = (later.lastAt, later.last) }
    }

    /// The statistics of the same samples after a calibration; nil for none.
    ///
    /// Minimum and maximum are exactly those of the corrected samples, because a calibration's slope is positive and
    /// rounding keeps the order; the sum may differ in its last digits.
    public func corrected(by calibration: Calibration?) -> SampleStatistics {
        guard let calibration else { return self }
        var result = self
        let ends = [calibration.corrected(minimum), calibration.corrected(maximum)]
        result.minimum = min(ends[0], ends[1])
        result.maximum = max(ends[0], ends[1])
        result.sum = sum * calibration.slope + calibration.offset * Double(count)
        result.first = calibration.corrected(first)
        result.last = calibration.corrected(last)
        return result
    }
}
