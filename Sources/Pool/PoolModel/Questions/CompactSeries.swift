/// A time series of a device as a hub sends it to a watch.
///
/// A point is a row of numbers, because the size of a message is limited. A watch is not told how many samples a point
/// stands for, nor whether it is exact.
struct CompactSeries: Codable {
    var deviceID: DeviceID
    var series: TimeSeries

    private enum Key: String, CodingKey {
        case deviceID = "device"
        case quantity
        case first = "from"
        case last = "through"
        case bucketMilliseconds = "bucket"
        case points
    }

    init(_ series: TimeSeries, of deviceID: DeviceID) {
        self.deviceID = deviceID
        self.series = series
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let first = try container.decode(Timestamp.self, forKey: .first)
        deviceID = try container.decode(DeviceID.self, forKey: .deviceID)
        series = TimeSeries(
            quantity: try container.decode(Quantity.self, forKey: .quantity), first: first,
            last: try container.decode(Timestamp.self, forKey: .last),
            bucketMilliseconds: try container.decodeIfPresent(Int64.self, forKey: .bucketMilliseconds),
            points: try container.decode([Row].self, forKey: .points).map { $0.point(from: first) })
    }

    /// Writes an object; values are rounded to one digit more than screens show.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(deviceID, forKey: .deviceID)
        try container.encode(series.quantity, forKey: .quantity)
        try container.encode(series.first, forKey: .first)
        try container.encode(series.last, forKey: .last)
        try container.encodeIfPresent(series.bucketMilliseconds, forKey: .bucketMilliseconds)
        try container.encode(
            series.points.map { Row($0, from: series.first, of: series.quantity) }, forKey: .points)
    }
}

/// A point in JSON: milliseconds since the first time, least, greatest, mean, raw mean, and 1 after a gap.
private struct Row: Codable {
    var offset: Int64
    var values: [Double]
    var isAfterGap: Bool

    init(_ point: TimeSeries.Point, from first: Timestamp, of quantity: Quantity) {
        offset = point.start.milliseconds(since: first)
        isAfterGap = point.isAfterGap
        var scale = 10.0
        for _ in 0..<quantity.facts.decimals { scale *= 10 }
        values = [point.least, point.greatest, point.mean, point.rawMean ?? point.mean].map { value in
            let scaled = (value * scale).rounded()
            return scaled.magnitude < 1e15 ? scaled / scale : value
        }
    }

    func point(from first: Timestamp) -> TimeSeries.Point {
        TimeSeries.Point(
            start: first.advanced(byMilliseconds: offset), least: values[0], greatest: values[1], mean: values[2],
            rawMean: values[3], isAfterGap: isAfterGap)
    }

    init(from decoder: any Decoder) throws {
        var row = try decoder.unkeyedContainer()
        offset = try row.decode(Int64.self)
        values = []
        for _ in 0..<4 { values.append(try row.decode(Double.self)) }
        isAfterGap = try row.decode(Int.self) != 0
    }

    func encode(to encoder: any Encoder) throws {
        var row = encoder.unkeyedContainer()
        try row.encode(offset)
        for value in values { try row.encode(value) }
        try row.encode(isAfterGap ? 1 : 0)
    }
}
