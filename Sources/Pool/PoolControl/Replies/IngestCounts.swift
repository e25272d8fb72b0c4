package import PoolModel

/// Counts of the messages received since the hub started.
package struct IngestCounts: Hashable, Codable, Sendable {
    /// Readings that were stored.
    package var stored: UInt64 = 0
    /// Messages that the broker delivered twice.
    package var duplicates: UInt64 = 0
    /// Retained messages.
    ///
    /// They are shown as the last known values and are not stored.
    package var retained: UInt64 = 0
    /// Values that are physically impossible for water.
    ///
    /// They were quarantined.
    package var quarantined: UInt64 = 0
    /// The same values, by the raw value of their quantity.
    package var quarantinedByQuantity: [String: UInt64] = [:]
    /// Messages that could not be decoded as readings, by reason.
    package var rejected: [String: UInt64] = [:]
    /// Messages for another device or purpose, by reason; they are not an error of the device.
    package var passedOver: [String: UInt64] = [:]
    /// Warnings about messages that were decoded nevertheless, by kind.
    package var remarks: [String: UInt64] = [:]
    /// Messages by format; see `DecodedPayload.Format`.
    package var formats: [String: UInt64] = [:]
    /// Values of measurements that were already known.
    package var repeated: UInt64 = 0
    /// Readings that arrived out of order.
    ///
    /// They are in the history, but were not shown as current values.
    package var late: UInt64 = 0
    /// Heartbeats without a measurement.
    package var heartbeats: UInt64 = 0
    /// Readings that could not be stored.
    ///
    /// The broker will deliver them again.
    package var notStored: UInt64 = 0
    /// A description of the last message that could not be decoded, with its topic and the position in it.
    package var lastRejection: String?
    /// A description of the last message for another device or purpose, with its topic.
    package var lastPassedOver: String?
    /// The last warning about a message that was decoded nevertheless.
    package var lastRemark: String?

    /// Creates counts of zero.
    package init() {}

    /// The number of messages that could not be decoded as readings.
    package var rejectedCount: UInt64 { rejected.values.reduce(0, +) }
}

/// The last message of a device as it arrived.
package struct RawMessage: Hashable, Codable, Sendable {
    /// The maximum number of payload bytes that are kept.
    package static let excerptByteCountMax = 96

    /// The topic on which it arrived.
    package var topic: String
    /// The MQTT quality of service of the delivery; 0…2.
    package var qualityOfService: Int
    /// Whether it was a retained message.
    package var isRetained: Bool
    /// The size of the payload in bytes.
    package var byteCount: Int
    /// The beginning of the payload; bytes that are not printable ASCII are written as `\xHH`.
    package var excerpt: String
    /// When it arrived, by the hub's clock.
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
