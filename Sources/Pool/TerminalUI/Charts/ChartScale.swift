import PoolModel

/// Maps values to heights and moments to columns of a chart.
struct ChartScale: Equatable, Sendable {
    let values: ClosedRange<Double>
    let window: ClosedRange<Timestamp>

    /// The scale of some points; nil if there is no finite value to show.
    ///
    /// It includes the limits as well, unless it fits only the values. It spans at least a fiftieth of the normal
    /// range, so that noise does not look like large changes.
    init?(_ points: [TimeSeries.Point], limits: Limits, window: ClosedRange<Timestamp>, showsRaw: Bool, isFitted: Bool)
    {
        var lowest = Double.infinity
        var highest = -Double.infinity
        for point in points where window.contains(point.start) {
            var all = [point.least, point.mean, point.greatest]
            if showsRaw, let raw = point.rawMean { all.append(raw) }
            for value in all where value.isFinite && abs(value) < 1e12 {
                lowest = min(lowest, value)
                highest = max(highest, value)
            }
        }
        guard lowest <= highest else { return nil }
        let isSensible = limits.isOrdered && max(abs(limits.low), abs(limits.high)) < 1e9
        if !isFitted, isSensible {
            lowest = min(lowest, limits.low)
            highest = max(highest, limits.high)
        }
        let least = isSensible ? (limits.high - limits.low) / 50 : 1e-6
        let air = max((highest - lowest) * 0.06, least)
        values = lowest - air...highest + air
        self.window = window
    }

    /// The row of a value, counted from 0 at the top; nil outside of the scale.
    func row(_ value: Double, of rows: Int) -> Int? {
        guard value.isFinite, values.contains(value), rows > 0 else { return nil }
        let fraction = (values.upperBound - value) / (values.upperBound - values.lowerBound)
        return min(rows - 1, max(0, Int(fraction * Double(rows))))
    }

    /// The column of a moment, counted from 0 at the left; nil outside of the window.
    func column(_ moment: Timestamp, of columns: Int) -> Int? {
        guard window.contains(moment), columns > 0 else { return nil }
        let length = Double(max(1, window.upperBound.milliseconds(since: window.lowerBound)))
        let fraction = Double(moment.milliseconds(since: window.lowerBound)) / length
        return min(columns - 1, max(0, Int(fraction * Double(columns))))
    }
}
