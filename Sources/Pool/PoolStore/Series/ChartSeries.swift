public import PoolModel

/// The values of one quantity of one device over a span of time, in as many points as a chart has room for.
public struct ChartSeries: Hashable, Sendable {
    /// One point of a chart: a single sample, or the statistics of a bucket.
    public struct Point: Hashable, Sendable {
        /// The start of the bucket; the time of the sample if there are no buckets.
        public var start: Timestamp
        /// The values as the device sent them.
        public var raw: SampleStatistics
        /// The values corrected by the calibrations that were valid at the sample times.
        public var corrected: SampleStatistics
        /// Whether the device was silent for more than three expected intervals before it, so that no line is drawn to
        /// it.
        public var isAfterGap: Bool
        /// Whether the point is exactly as requested.
        ///
        /// It is not if a calibration, or the requested span, begins within a bucket whose parts have been removed
        /// because of their age: then the whole bucket is treated like its earliest sample.
        public var isExact: Bool
    }

    /// The width of a bucket, in milliseconds; nil if each point is a sample.
    ///
    /// A bucket starts at a multiple of the width since 1970-01-01T00:00:00Z; a bucket without samples has no point.
    public var bucketMilliseconds: Int64?
    /// The points in the order of time.
    public var points: [Point]

    /// The number of samples in all points.
    public var sampleCount: Int { points.reduce(0) { $0 + $1.raw.count } }
}

/// The query of a chart.
public struct ChartQuery: Hashable, Sendable {
    /// The device.
    public var deviceID: DeviceID
    /// The quantity.
    public var quantity: Quantity
    /// The first sample time.
    public var first: Timestamp
    /// The last sample time.
    public var last: Timestamp
    /// The most points; at least 2, less counts as 2.
    public var pointsMax: Int
    /// How often the device is expected to report, in seconds; at least 1.
    public var expectedIntervalSeconds: Int
    /// The calibrations of the quantity on this device.
    public var calibrations: CalibrationSeries

    /// Creates a query, by default without calibrations.
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
