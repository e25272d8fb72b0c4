/// The time series of one quantity of a device, as a hub sends it to a watch.
public struct WatchCourse: Hashable, Sendable {
    /// The data of a time span: corrected values, and the mean of the raw values.
    public struct Point: Hashable, Sendable {
        /// The start of the span.
        public var start: Timestamp
        /// The least corrected value.
        public var least: Double
        /// The greatest corrected value.
        public var greatest: Double
        /// The mean of the corrected values.
        public var mean: Double
        /// The mean of the raw values.
        public var rawMean: Double
        /// Whether there is a gap before it, so that no line is drawn to it.
        public var isAfterGap: Bool

        /// Creates a point.
        public init(
            start: Timestamp, least: Double, greatest: Double, mean: Double, rawMean: Double, isAfterGap: Bool
        ) {
            self.start = start
            self.least = least
            self.greatest = greatest
            self.mean = mean
            self.rawMean = rawMean
            self.isAfterGap = isAfterGap
        }
    }

    /// The device.
    public var deviceID: DeviceID
    /// The quantity.
    public var quantity: Quantity
    /// The start of the requested time.
    public var first: Timestamp
    /// The end of the requested time.
    public var last: Timestamp
    /// The time span of a point, in milliseconds; nil if each point is a sample.
    public var bucketMilliseconds: Int64?
    /// The points in the order of time; a span without samples has none.
    public var points: [Point]

    /// The most points.
    public static let pointsMax = 1000

    /// Creates a time series.
    public init(
        deviceID: DeviceID, quantity: Quantity, from first: Timestamp, through last: Timestamp,
        bucketMilliseconds: Int64?, points: [Point]
    ) {
        self.deviceID = deviceID
        self.quantity = quantity
        self.first = first
        self.last = last
        self.bucketMilliseconds = bucketMilliseconds
        self.points = points
    }
}

extension WatchCourse: Codable {
    private enum Key: String, CodingKey {
        case deviceID = "device"
        case quantity
        case first = "from"
        case last = "through"
        case bucketMilliseconds = "bucket"
        case points
    }

    /// Reads an object; its points are rows of numbers.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let first = try container.decode(Timestamp.self, forKey: .first)
        self.init(
            deviceID: try container.decode(DeviceID.self, forKey: .deviceID),
            quantity: try container.decode(Quantity.self, forKey: .quantity), from: first,
            through: try container.decode(Timestamp.self, forKey: .last),
            bucketMilliseconds: try container.decodeIfPresent(Int64.self, forKey: .bucketMilliseconds),
            points: try container.decode([Row].self, forKey: .points).map { $0.point(from: first) })
    }

    /// Writes an object; values are rounded to one digit more than screens show.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(deviceID, forKey: .deviceID)
        try container.encode(quantity, forKey: .quantity)
        try container.encode(first, forKey: .first)
        try container.encode(last, forKey: .last)
        try container.encodeIfPresent(bucketMilliseconds, forKey: .bucketMilliseconds)
        try container.encode(points.map { Row($0, from: first, of: quantity) }, forKey: .points)
    }
}

/// A point in JSON: milliseconds since the first time, least, greatest, mean, raw mean, and 1 after a gap.
///
/// The form is short because the size of a message is limited.
private struct Row: Codable {
    var offset: Int64
    var values: [Double]
    var isAfterGap: Bool

    init(_ point: WatchCourse.Point, from first: Timestamp, of quantity: Quantity) {
        offset = point.start.milliseconds(since: first)
        isAfterGap = point.isAfterGap
        var scale = 10.0
        for _ in 0..<quantity.decimals { scale *= 10 }
        values = [point.least, point.greatest, point.mean, point.rawMean].map { value in
            let scaled = (value * scale).rounded()
            return scaled.magnitude < 1e15 ? scaled / scale : value
        }
    }

    func point(from first: Timestamp) -> WatchCourse.Point {
        WatchCourse.Point(
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
