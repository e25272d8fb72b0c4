package import PoolControl
public import PoolModel

/// The time range of a chart.
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

/// A chart's query to the history, which returns summaries.
public struct ChartQuery: Hashable, Sendable {
    /// The device.
    public var deviceID: DeviceID
    /// The quantity.
    public var quantity: Quantity
    /// The first moment.
    public var from: Timestamp
    /// The last moment.
    public var through: Timestamp
    /// The most points: two for each column; 2…2000.
    public var points: Int

    /// Creates a query.
    public init(deviceID: DeviceID, quantity: Quantity, from: Timestamp, through: Timestamp, points: Int) {
        self.deviceID = deviceID
        self.quantity = quantity
        self.from = from
        self.through = through
        self.points = points
    }

    /// The request to the history.
    package var request: HistoryRequest {
        .series(device: deviceID, quantity: quantity, from: from, through: through, points: points)
    }
}

/// Summaries of a quantity over a time range.
public struct ChartSeries: Equatable, Sendable {
    /// A summary of the corrected values of a short time.
    public struct Point: Equatable, Sendable {
        /// The start of its time.
        public var start: Timestamp
        /// The minimum of the corrected values.
        public var least: Double
        /// The maximum of the corrected values.
        public var greatest: Double
        /// The mean of the corrected values.
        public var mean: Double
        /// The mean of the values as the device sent them, nil if these are not known.
        public var rawMean: Double?
        /// How many samples it stands for; at least 1.
        public var count: Int
        /// Whether the device was silent before it, so that no line leads to it.
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

    /// The query that was answered.
    public var query: ChartQuery
    /// The time range of a point, in milliseconds; nil if each point is a sample.
    public var bucketMilliseconds: Int64?
    /// The points in time order; a time without a sample has none.
    public var points: [Point]
    /// The limits for the status of the values.
    public var limits: Limits

    /// Creates a series.
    public init(query: ChartQuery, bucketMilliseconds: Int64? = nil, points: [Point], limits: Limits) {
        self.query = query
        self.bucketMilliseconds = bucketMilliseconds
        self.points = points
        self.limits = limits
    }
}
