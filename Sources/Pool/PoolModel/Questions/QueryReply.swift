/// A hub's reply to a ``WatchQuery``.
public enum QueryReply: Hashable, Sendable {
    /// The newest state of a device.
    case newest(NewestReply)
    /// The time series of a quantity of a device.
    case series(DeviceID, TimeSeries)
    /// The quantities without alerts, after a query that changed them.
    case alerting(muted: [Quantity])
    /// The query was refused; the sentence says why, and what to do.
    case refused(String)

    /// The most bytes of a reply as JSON.
    public static let byteCountMax = 60_000
}

/// The newest state of a device at the hub.
public struct NewestReply: Hashable, Codable, Sendable {
    /// The values as the hub shows them; nil if it never had any.
    public var readings: DeviceReadings?
    /// The name of the device's server; nil if it does not exist.
    public var server: String?
    /// Whether the hub is connected to that server; nil if unknown.
    public var connection: ServerReport?
    /// The revision of the hub's configuration.
    public var revision: UInt64
    /// The quantities without alerts.
    public var muted: [Quantity]
    /// The order of the alerts register that contains everything the hub has judged by then; nil from hubs of earlier
    /// versions.
    public var alertsOrder: UInt64?
    /// The order of the register of the device's pool; nil without a pool, and from hubs of earlier versions.
    public var poolOrder: UInt64?
    /// The hub's clock when it replied.
    public var now: Timestamp

    /// Creates a reply.
    public init(
        readings: DeviceReadings?, server: String?, connection: ServerReport?, revision: UInt64, muted: [Quantity],
        alertsOrder: UInt64? = nil, poolOrder: UInt64? = nil, now: Timestamp
    ) {
        self.readings = readings
        self.server = server
        self.connection = connection
        self.revision = revision
        self.muted = muted
        self.alertsOrder = alertsOrder
        self.poolOrder = poolOrder
        self.now = now
    }
}

extension QueryReply: Codable {
    private enum Kind: String, CodingKey {
        case newest
        case series = "course"
        case alerting
        case refused
    }

    private struct Alerting: Codable {
        var muted: [Quantity]
    }

    private struct Refusal: Codable {
        var reason: String
    }

    /// Writes an object with a single member, named after the reply.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .newest(let reply): try container.encode(reply, forKey: .newest)
        case .series(let device, let series):
            try container.encode(CompactSeries(series, of: device), forKey: .series)
        case .alerting(let muted): try container.encode(Alerting(muted: muted), forKey: .alerting)
        case .refused(let reason): try container.encode(Refusal(reason: reason), forKey: .refused)
        }
    }

    /// Reads the first member that is named after a reply; other members are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        if let reply = try container.decodeIfPresent(NewestReply.self, forKey: .newest) {
            self = .newest(reply)
        } else if let compact = try container.decodeIfPresent(CompactSeries.self, forKey: .series) {
            self = .series(compact.deviceID, compact.series)
        } else if let fields = try container.decodeIfPresent(Alerting.self, forKey: .alerting) {
            self = .alerting(muted: fields.muted)
        } else if let fields = try container.decodeIfPresent(Refusal.self, forKey: .refused) {
            self = .refused(fields.reason)
        } else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "this version does not know this kind of reply")
            )
        }
    }
}
