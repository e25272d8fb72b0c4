internal import PoolModel

/// The statistics of which a time series is made: raw and corrected values of each point, which can still be merged.
struct SeriesStatistics: Hashable, Sendable {
    /// The statistics of one point.
    struct Point: Hashable, Sendable {
        /// The start of the bucket; the time of the sample if there are no buckets.
        var start: Timestamp
        /// The values as the device sent them.
        var raw: SampleStatistics
        /// The values corrected by the calibrations that were valid at the sample times.
        var corrected: SampleStatistics
        /// Whether the device was silent before it.
        var isAfterGap: Bool
        /// Whether the point is exactly as requested.
        var isExact: Bool
    }

    /// The width of a bucket, in milliseconds; nil if each point is a sample.
    var bucketMilliseconds: Int64?
    /// The points in the order of time.
    var points: [Point]

    /// The number of samples in all points.
    var sampleCount: Int { points.reduce(0) { $0 + $1.raw.count } }
}

extension TimeSeries {
    /// The answer to a query, from the statistics of its points.
    init(_ statistics: SeriesStatistics, for query: SeriesQuery) {
        self.init(
            quantity: query.quantity, first: query.first, last: query.last,
            bucketMilliseconds: statistics.bucketMilliseconds,
            points: statistics.points.map { point in
                Point(
                    start: point.start, least: point.corrected.minimum, greatest: point.corrected.maximum,
                    mean: point.corrected.mean, rawMean: point.raw.mean, count: point.raw.count,
                    isAfterGap: point.isAfterGap, isExact: point.isExact)
            }, newest: statistics.points.last?.corrected.last)
    }
}
