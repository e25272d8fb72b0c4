import PoolModel
import TerminalUI

/// The last charts, so that they can be shown without the hub: one of each device, quantity and length of time.
struct ChartCache {
    private struct Key: Hashable {
        var deviceID: DeviceID
        var quantity: Quantity
        var milliseconds: Int64

        init(_ query: ChartQuery) {
            deviceID = query.deviceID
            quantity = query.quantity
            milliseconds = query.through.milliseconds(since: query.from)
        }
    }

    /// The charts that are kept.
    static let countMax = 32

    private var charts: [Key: (series: ChartSeries, at: Timestamp)] = [:]

    /// Keeps a chart; the oldest goes if there are too many.
    mutating func keep(_ series: ChartSeries, at moment: Timestamp) {
        charts[Key(series.query)] = (series, moment)
        if charts.count > Self.countMax, let oldest = charts.min(by: { $0.value.at < $1.value.at }) {
            charts[oldest.key] = nil
        }
    }

    /// The state of a chart, with the last course that is known of it.
    func state(of query: ChartQuery, isAsking: Bool, trouble: String? = nil) -> WatchFacts.ChartState {
        let known = charts[Key(query)]
        return WatchFacts.ChartState(
            query: query, series: known?.series, cameAt: known?.at, isAsking: isAsking, trouble: trouble)
    }
}

extension ChartSeries {
    /// A course as the hub sent it.
    init(_ course: WatchCourse, _ query: ChartQuery, limits: Limits) {
        self.init(
            query: query, bucketMilliseconds: course.bucketMilliseconds,
            points: course.points.map { point in
                Point(
                    start: point.start, least: point.least, greatest: point.greatest, mean: point.mean,
                    rawMean: point.rawMean, isAfterGap: point.isAfterGap)
            }, limits: limits)
    }
}
