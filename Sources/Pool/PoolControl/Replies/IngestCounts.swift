package import PoolModel

/// What became of the messages of a hub's life.
package struct IngestCounts: Hashable, Codable, Sendable {
    /// The readings that were stored.
    package var stored: UInt64 = 0
    /// The messages that the broker delivered twice.
    package var duplicates: UInt64 = 0
    /// The messages that the broker replayed from its store: shown as last known, not stored (P12, X18).
    package var retained: UInt64 = 0
    /// The values that water cannot have, which were kept apart (P54).
    package var quarantined: UInt64 = 0
    /// The same by quantity.
    package var quarantinedByQuantity: [String: UInt64] = [:]
    /// The messages that were no readings, by reason.
    package var rejected: [String: UInt64] = [:]
    /// The messages that were for another device or another purpose, by reason; nothing is wrong with the device.
    package var passedOver: [String: UInt64] = [:]
    /// What was noticed in messages that were read nevertheless, by kind.
    package var remarks: [String: UInt64] = [:]
    /// The messages of each notation (L10).
    package var formats: [String: UInt64] = [:]
    /// The values that were measurements already known, sent again.
    package var repeated: UInt64 = 0
    /// The readings that came out of order: in the history, not on the dashboard.
    package var late: UInt64 = 0
    /// The signs of life that were no measurements.
    package var heartbeats: UInt64 = 0
    /// The readings that could not be stored; the broker was asked to send them again.
    package var notStored: UInt64 = 0
    /// The last message that was no reading, in words, with its topic and the place in it.
    package var lastRejection: String?
    /// The last message that was for another device or another purpose, in words, with its topic.
    package var lastPassedOver: String?
    /// What was noticed last in a message that was read nevertheless, in words.
    package var lastRemark: String?

    /// Creates counts of nothing.
    package init() {}

    /// The messages that were no readings.
    package var rejectedCount: UInt64 { rejected.values.reduce(0, +) }
}

/// The last message of a device as it came (P21).
package struct RawMessage: Hashable, Codable, Sendable {
    /// The most bytes of a payload that are kept.
    package static let excerptByteCountMax = 96

    /// The topic.
    package var topic: String
    /// The quality of service with which the broker delivered it; 0…2.
    package var qualityOfService: Int
    /// Whether the broker replayed it from its store.
    package var isRetained: Bool
    /// The length of the payload in bytes.
    package var byteCount: Int
    /// The beginning of the payload; what is no visible ASCII is spelled `\xHH`.
    package var excerpt: String
    /// When it arrived.
    package var receivedAt: Timestamp

    /// Creates a raw message.
    package init(
        topic: String, qualityOfService: Int, isRetained: Bool, byteCount: Int, excerpt: String, receivedAt: Timestamp
    ) {
        self.topic = topic
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        self.byteCount = byteCount
        self.excerpt = excerpt
        self.receivedAt = receivedAt
    }
}
