public import PoolModel

/// The course of one quantity of one device over a span of time, in as many points as a chart has room for.
public struct ChartSeries: Hashable, Sendable {
    /// One point of a chart: a single sample, or what is known of those in a bucket.
    public struct Point: Hashable, Sendable {
        /// When the bucket starts; the time of the sample if the series has none.
        public var start: Timestamp
        /// The values as the device sent them.
        public var raw: SampleStatistics
        /// The values after the calibrations that held when they were sampled.
        public var corrected: SampleStatistics
        /// Whether the device was silent before it, for more than three expected intervals: no line leads here.
        public var isAfterGap: Bool
        /// Whether it is exactly what was asked for.
        ///
        /// It is not where a calibration, or the span that was asked for, begins within a bucket whose parts have been
        /// removed for their age: all of the bucket is then taken as its earliest sample.
        public var isExact: Bool
    }

    /// The width of a bucket, in milliseconds; nil if each point is a sample.
    ///
    /// A bucket starts at a multiple of the width since 1970-01-01T00:00:00Z; one without a sample has no point.
    public var bucketMilliseconds: Int64?
    /// The points in the order of time.
    public var points: [Point]

    /// How many samples the points stand for.
    public var sampleCount: Int { points.reduce(0) { $0 + $1.raw.count } }
}

/// What a chart asks for.
public struct ChartQuery: Hashable, Sendable {
    /// The device.
    public var deviceID: DeviceID
    /// The quantity.
    public var quantity: Quantity
    /// The first sample time.
    public var first: Timestamp
    /// The last sample time.
    public var last: Timestamp
    /// How many points at most; 2 or more, less counts as 2.
    public var pointsMax: Int
    /// How often the device is expected to report, in seconds; at least 1.
    public var expectedIntervalSeconds: Int
    /// The calibrations of the quantity of the device.
    public var calibrations: CalibrationSeries

    /// Creates a query, by default for raw values as they are.
    public init(
        deviceID: DeviceID, quantity: Quantity, from first: Timestamp, through last: Timestamp, pointsMax: Int,
        expectedIntervalSeconds: Int, calibrations: CalibrationSeries = CalibrationSeries()
    ) {
        self.deviceID = deviceID
        self.quantity = quantity
        self.first = first
        self.last = last
        self.pointsMax = pointsMax
        self.expectedIntervalSeconds = expectedIntervalSeconds
        self.calibrations = calibrations
    }
}
