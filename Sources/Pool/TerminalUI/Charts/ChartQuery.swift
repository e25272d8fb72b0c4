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

/// A chart of the history and how fresh it is.
public struct ChartState: Equatable, Sendable {
    /// The query of the chart.
    public var query: ChartQuery
    /// The data; nil if it never came.
    public var series: TimeSeries?
    /// When the data came; nil if it never did.
    public var cameAt: Timestamp?
    /// Whether a query to the hub is under way.
    public var isAsking: Bool
    /// Why the last query had no answer, as text; nil if it had one.
    public var trouble: String?

    /// Creates the state of a chart.
    public init(
        query: ChartQuery, series: TimeSeries? = nil, cameAt: Timestamp? = nil, isAsking: Bool = false,
        trouble: String? = nil
    ) {
        self.query = query
        self.series = series
        self.cameAt = cameAt
        self.isAsking = isAsking
        self.trouble = trouble
    }
}
