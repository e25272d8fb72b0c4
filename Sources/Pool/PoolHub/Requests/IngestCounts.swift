public import PoolModel

/// What became of the messages of a hub's life.
public struct IngestCounts: Hashable, Codable, Sendable {
    /// The readings that were stored.
    public var stored: UInt64 = 0
    /// The messages that the broker delivered twice.
    public var duplicates: UInt64 = 0
    /// The messages that the broker replayed from its store: shown as last known, not stored (P12, X18).
    public var retained: UInt64 = 0
    /// The values that water cannot have, which were kept apart (P54).
    public var quarantined: UInt64 = 0
    /// The same by quantity.
    public var quarantinedByQuantity: [String: UInt64] = [:]
    /// The messages that were no readings, by reason.
    public var rejected: [String: UInt64] = [:]
    /// The messages that were for another device or another purpose, by reason; nothing is wrong with the device.
    public var passedOver: [String: UInt64] = [:]
    /// What was noticed in messages that were read nevertheless, by kind.
    public var remarks: [String: UInt64] = [:]
    /// The messages of each notation (L10).
    public var formats: [String: UInt64] = [:]
    /// The values that were measurements already known, sent again.
    public var repeated: UInt64 = 0
    /// The readings that came out of order: in the history, not on the dashboard.
    public var late: UInt64 = 0
    /// The signs of life that were no measurements.
    public var heartbeats: UInt64 = 0
    /// The readings that could not be stored; the broker was asked to send them again.
    public var notStored: UInt64 = 0
    /// The last message that was no reading, in words, with its topic and the place in it.
    public var lastRejection: String?
    /// The last message that was for another device or another purpose, in words, with its topic.
    public var lastPassedOver: String?
    /// What was noticed last in a message that was read nevertheless, in words.
    public var lastRemark: String?

    /// Creates counts of nothing.
    public init() {}

    /// The messages that were no readings.
    public var rejectedCount: UInt64 { rejected.values.reduce(0, +) }
}

/// The last message of a device as it came (P21).
public struct RawMessage: Hashable, Codable, Sendable {
    /// The most bytes of a payload that are kept.
    static let excerptByteCountMax = 96

    /// The topic.
    public var topic: String
    /// The quality of service with which the broker delivered it; 0…2.
    public var qualityOfService: Int
    /// Whether the broker replayed it from its store.
    public var isRetained: Bool
    /// The length of the payload in bytes.
    public var byteCount: Int
    /// The beginning of the payload; what is no visible ASCII is spelled `\xHH`.
    public var excerpt: String
    /// When it arrived.
    public var receivedAt: Timestamp
}

/// Something that happened to a message, to be counted once it is sure.
enum CountedEvent {
    case stored
    case duplicate
    case retained
    case quarantined(Quantity)
    case rejected(code: String, words: String)
    case passedOver(code: String, words: String)
    case remark(code: String, words: String)
    case format(DecodedPayload.Format)
    case repeated(Int)
    case late
    case heartbeat
    case notStored
}

extension IngestCounts {
    /// Counts something.
    mutating func count(_ note: CountedEvent) {
        switch note {
        case .stored: stored += 1
        case .duplicate: duplicates += 1
        case .retained: retained += 1
        case .quarantined(let quantity):
            quarantined += 1
            quarantinedByQuantity[quantity.rawValue, default: 0] += 1
        case .rejected(let code, let words):
            rejected[code, default: 0] += 1
            lastRejection = words
        case .passedOver(let code, let words):
            passedOver[code, default: 0] += 1
            lastPassedOver = words
        case .remark(let code, let words):
            remarks[code, default: 0] += 1
            lastRemark = words
        case .format(let format): formats[format.rawValue, default: 0] += 1
        case .repeated(let count): repeated += UInt64(count)
        case .late: late += 1
        case .heartbeat: heartbeats += 1
        case .notStored: notStored += 1
        }
    }
}
