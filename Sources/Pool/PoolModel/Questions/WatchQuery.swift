/// What a watch asks its hub by a live message: what neither the configuration nor a register brings.
///
/// `Docs/internals/queries.md` describes the JSON. A question needs a hub that answers now; nothing of it is queued.
public enum WatchQuery: Hashable, Sendable {
    /// What is newest of a device: its values, the connection that brings them, and what does not alert.
    case newest(device: DeviceID)
    /// The course of a quantity, in so many points at most; 2…``WatchCourse/pointsMax``.
    case course(device: DeviceID, quantity: Quantity, from: Timestamp, through: Timestamp, points: Int)
    /// Let a quantity alert, or let it not.
    case alerting(quantity: Quantity, isOn: Bool)

    /// The most bytes of a question as JSON.
    public static let byteCountMax = 4096
}

extension WatchQuery: Codable {
    private enum Kind: String, CodingKey {
        case newest
        case course
        case alerting
    }

    private struct Newest: Codable {
        var device: DeviceID
    }

    private struct Course: Codable {
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

    /// Writes an object whose one member is named after the question.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        switch self {
        case .newest(let device): try container.encode(Newest(device: device), forKey: .newest)
        case .course(let device, let quantity, let first, let last, let points):
            try container.encode(
                Course(device: device, quantity: quantity, from: first, through: last, points: points),
                forKey: .course)
        case .alerting(let quantity, let isOn):
            try container.encode(Alerting(quantity: quantity, isOn: isOn), forKey: .alerting)
        }
    }

    /// Reads the first member whose name is a question's; members not asked for are ignored.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Kind.self)
        if let fields = try container.decodeIfPresent(Newest.self, forKey: .newest) {
            self = .newest(device: fields.device)
        } else if let fields = try container.decodeIfPresent(Course.self, forKey: .course) {
            self = .course(
                device: fields.device, quantity: fields.quantity, from: fields.from, through: fields.through,
                points: fields.points)
        } else if let fields = try container.decodeIfPresent(Alerting.self, forKey: .alerting) {
            self = .alerting(quantity: fields.quantity, isOn: fields.isOn)
        } else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "it is no question that this version knows"))
        }
    }
}
