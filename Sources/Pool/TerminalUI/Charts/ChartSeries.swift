package import PoolControl
public import PoolModel

/// The time that a chart shows.
public enum ChartRange: String, CaseIterable, Sendable {
    /// An hour.
    case hour
    /// Six hours.
    case sixHours
    /// A day.
    case day
    /// A week.
    case week
    /// Thirty days.
    case month
    /// A year of 365 days.
    case year

    /// The length in milliseconds.
    public var milliseconds: Int64 {
        let hour: Int64 = 3_600_000
        return switch self {
        case .hour: hour
        case .sixHours: 6 * hour
        case .day: 24 * hour
        case .week: 7 * 24 * hour
        case .month: 30 * 24 * hour
        case .year: 365 * 24 * hour
        }
    }

    /// The short name, such as `24h`.
    public var label: String {
        switch self {
        case .hour: "1h"
        case .sixHours: "6h"
        case .day: "24h"
        case .week: "7d"
        case .month: "30d"
        case .year: "1y"
        }
    }
}

/// What a chart needs to know: asked of the history, which sums it up.
public struct ChartQuery: Hashable, Sendable {
    /// The device.
    public var deviceID: DeviceID
    /// The quantity.
    public var quantity: Quantity
    /// The first moment.
    public var from: Timestamp
    /// The last moment.
    public var through: Timestamp
    /// How many points there should be at most: two for each column; 2…2000.
    public var points: Int

    /// Creates a query.
    public init(deviceID: DeviceID, quantity: Quantity, from: Timestamp, through: Timestamp, points: Int) {
        self.deviceID = deviceID
        self.quantity = quantity
        self.from = from
        self.through = through
        self.points = points
    }

    /// What the history is asked for.
    package var request: HistoryRequest {
        .series(device: deviceID, quantity: quantity, from: from, through: through, points: points)
    }
}

/// The course of a quantity over a time, summed up.
public struct ChartSeries: Equatable, Sendable {
    /// The corrected values of a short time.
    public struct Point: Equatable, Sendable {
        /// When it starts.
        public var start: Timestamp
        /// The least corrected value.
        public var least: Double
        /// The greatest corrected value.
        public var greatest: Double
        /// The mean of the corrected values.
        public var mean: Double
        /// The mean of the values as the device sent them, nil if they are not known.
        public var rawMean: Double?
        /// How many samples it stands for; at least 1.
        public var count: Int
        /// Whether the device was silent before it: no line leads here.
        public var isAfterGap: Bool

        /// Creates a point.
        public init(
            start: Timestamp, least: Double, greatest: Double, mean: Double, rawMean: Double? = nil, count: Int = 1,
            isAfterGap: Bool = false
        ) {
            self.start = start
            self.least = least
            self.greatest = greatest
            self.mean = mean
            self.rawMean = rawMean
            self.count = count
            self.isAfterGap = isAfterGap
        }
    }

    /// What was asked for.
    public var query: ChartQuery
    /// The time that a point stands for, in milliseconds; nil if each is a sample.
    public var bucketMilliseconds: Int64?
    /// The points in the order of time; a time without a sample has none.
    public var points: [Point]
    /// The limits by which the values are judged.
    public var limits: Limits

    /// Creates a series.
    public init(query: ChartQuery, bucketMilliseconds: Int64? = nil, points: [Point], limits: Limits) {
        self.query = query
        self.bucketMilliseconds = bucketMilliseconds
        self.points = points
        self.limits = limits
    }
}
