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

    private var charts: [Key: (series: TimeSeries, at: Timestamp)] = [:]

    /// Keeps a chart; the oldest goes if there are too many.
    mutating func keep(_ series: TimeSeries, of query: ChartQuery, at moment: Timestamp) {
        charts[Key(query)] = (series, moment)
        if charts.count > Self.countMax, let oldest = charts.min(by: { $0.value.at < $1.value.at }) {
            charts[oldest.key] = nil
        }
    }

    /// The state of a chart, with the last data that are known of it.
    func state(of query: ChartQuery, isAsking: Bool, trouble: String? = nil) -> ChartState {
        let known = charts[Key(query)]
        return ChartState(
            query: query, series: known?.series, cameAt: known?.at, isAsking: isAsking, trouble: trouble)
    }
}
