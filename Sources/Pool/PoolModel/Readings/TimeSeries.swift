/// The values of one quantity of one device over a span of time, in as many points as a chart has room for.
///
/// In JSON it has a member for each property.
public struct TimeSeries: Hashable, Codable, Sendable {
    /// One point: a single sample, or a summary of the samples of a bucket.
    public struct Point: Hashable, Codable, Sendable {
        /// The start of the bucket; the time of the sample if there are no buckets.
        public var start: Timestamp
        /// The least of the values in the quantity's unit, corrected by the calibrations valid at the sample times.
        public var least: Double
        /// The greatest of the corrected values.
        public var greatest: Double
        /// The mean of the corrected values.
        public var mean: Double
        /// The mean of the values as the device sent them; nil if these are not known.
        public var rawMean: Double?
        /// How many samples it stands for, as far as that is known; at least 1.
        public var count: Int
        /// Whether the device was silent for more than three expected intervals before it, so that no line is drawn to
        /// it.
        public var isAfterGap: Bool
        /// Whether the point is exactly as requested.
        ///
        /// It is not if a calibration, or the requested span, begins within a bucket whose parts have been removed
        /// because of their age: then the whole bucket is treated like its earliest sample.
        public var isExact: Bool

        /// Creates a point.
        public init(
            start: Timestamp, least: Double, greatest: Double, mean: Double, rawMean: Double? = nil, count: Int = 1,
            isAfterGap: Bool = false, isExact: Bool = true
        ) {
            self.start = start
            self.least = least
            self.greatest = greatest
            self.mean = mean
            self.rawMean = rawMean
            self.count = count
            self.isAfterGap = isAfterGap
            self.isExact = isExact
        }
    }

    /// The quantity of all points.
    public var quantity: Quantity
    /// The start of the requested span.
    public var first: Timestamp
    /// The end of the requested span.
    public var last: Timestamp
    /// The width of a bucket, in milliseconds; nil if each point is a sample.
    ///
    /// A bucket starts at a multiple of the width since 1970-01-01T00:00:00Z; a bucket without samples has no point.
    public var bucketMilliseconds: Int64?
    /// The points in the order of time.
    public var points: [Point]
    /// The corrected value of the latest sample; nil if there is none, or it is not known.
    public var newest: Double?

    /// Creates a time series.
    public init(
        quantity: Quantity, first: Timestamp, last: Timestamp, bucketMilliseconds: Int64? = nil, points: [Point],
        newest: Double? = nil
    ) {
        self.quantity = quantity
        self.first = first
        self.last = last
        self.bucketMilliseconds = bucketMilliseconds
        self.points = points
        self.newest = newest
    }
}
