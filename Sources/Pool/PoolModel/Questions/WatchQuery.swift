/// A watch's query to its hub, sent as a live message: for data that neither the configuration nor a register
/// contains.
///
/// `Docs/internals/queries.md` describes the JSON. A query needs a hub that answers now; queries are not queued.
public enum WatchQuery: Hashable, Sendable {
    /// The newest state of a device: its values, the connection that they come from, and the quantities without
    /// alerts.
    case newest(device: DeviceID)
    /// The time series of a quantity, with at most `points` points; 2…``pointsMax``.
    case series(device: DeviceID, quantity: Quantity, from: Timestamp, through: Timestamp, points: Int)
    /// Turn alerts of a quantity on or off.
    case alerting(quantity: Quantity, isOn: Bool)

    /// The most bytes of a query as JSON.
    public static let byteCountMax = 4096
    /// The most points of a time series.
    public static let pointsMax = 1000
}

extension WatchQuery: Codable {
    private enum Kind: String, CodingKey {
        case newest
        case series = "course"
        case alerting
    }

    private struct Newest: Codable {
        var device: DeviceID
    }

    private struct Series: Codable {
        var device: DeviceID
        var quantity: Quantity
        var from: Timestamp
        var through: Timestamp
        var points: Int
    }

    private struct Alerting: Codable {
        var quantity: Quantity
        var isOn: Bool
    }

    /// Writes an object with a single member, named after the query.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .newest(let device): try container.encode(Newest(device: device), forKey: .newest)
        case .series(let device, let quantity, let first, let last, let points):
            try container.encode(
                Series(device: device, quantity: quantity, from: first, through: last, points: points),
                forKey: .series)
        case .alerting(let quantity, let isOn):
            try container.encode(Alerting(quantity: quantity, isOn: isOn), forKey: .alerting)
        }
    }

    /// Reads the first member that is named after a query; other members are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        if let fields = try container.decodeIfPresent(Newest.self, forKey: .newest) {
            self = .newest(device: fields.device)
        } else if let fields = try container.decodeIfPresent(Series.self, forKey: .series) {
            self = .series(
                device: fields.device, quantity: fields.quantity, from: fields.from, through: fields.through,
                points: fields.points)
        } else if let fields = try container.decodeIfPresent(Alerting.self, forKey: .alerting) {
            self = .alerting(quantity: fields.quantity, isOn: fields.isOn)
        } else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "this version does not know this kind of query")
            )
        }
    }
}
