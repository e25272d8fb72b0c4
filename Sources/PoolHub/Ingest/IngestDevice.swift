import Mosquitto
import PoolModel

/// What ingest knows of one device.
struct IngestDevice {
    /// The device as it is configured now.
    var device: Device
    /// Reads its messages; nil for the flat message, and for a mapping that cannot be used.
    var decoder: MappingDecoder?
    /// The newest values as the device sent them.
    var raw: DeviceReadings
    /// The quantities that it should tell: those that its mapping names, but for a built-in one, which names what such
    /// devices may have; and those of which something came that water cannot have.
    var expected: Set<Quantity> = []
    /// What became of its messages.
    var counts = IngestCounts()
    /// Whether it is there, as far as it was said.
    var isAvailable: Bool?
    /// The last message, not yet in words.
    var last: LastMessage?
    /// The newest measurements of a backlog that is still coming in, each with the values that no later one has; whether
    /// they are the last ones is not known yet.
    var held: [HeldMeasurement] = []
    /// Whether what is shown is older than ``raw``, because a backlog is still coming in.
    var isShownLater = false
    /// The moment after which the backlog that is coming in was sent: when the device was heard last, or the connection
    /// stood; nil if neither ever happened.
    var heardBefore: Timestamp?

    /// The newest values as people see them.
    var shown: DeviceReadings { device.corrected(raw) }
}

/// A measurement whose event waits for the end of a backlog.
struct HeldMeasurement {
    var values: QuantityMap<Double>
    var sampledAt: Timestamp
    var timeQuality: TimeQuality
    var receivedAt: Timestamp
}

/// A message as it came, cut short; words are made of it only when somebody asks.
struct LastMessage {
    let topic: TopicName
    let qualityOfService: QualityOfService
    let isRetained: Bool
    let start: [UInt8]
    let byteCount: Int
    let receivedAt: Timestamp

    init(_ message: Message, receivedAt: Timestamp) {
        topic = message.topic
        qualityOfService = message.qualityOfService
        isRetained = message.isRetained
        byteCount = message.payload.count
        // A short array is shared, which costs nothing; a long one is not held.
        start = byteCount <= 4096 ? message.payload : Array(message.payload.prefix(RawMessage.excerptByteCountMax))
        self.receivedAt = receivedAt
    }

    var words: RawMessage {
        let excerpt = start.prefix(RawMessage.excerptByteCountMax).map { byte in
            if (0x20..<0x7F).contains(byte) { return String(Unicode.Scalar(byte)) }
            let digits = String(byte, radix: 16, uppercase: true)
            return "\\x" + (digits.count == 1 ? "0" : "") + digits
        }
        return RawMessage(
            topic: topic.text, qualityOfService: Int(qualityOfService.rawValue), isRetained: isRetained,
            byteCount: byteCount,
            excerpt: excerpt.joined() + (byteCount > RawMessage.excerptByteCountMax ? "…" : ""),
            receivedAt: receivedAt)
    }
}

extension Device {
    /// The newest values corrected by the calibrations, each by the one of its sample time (P78, P83).
    func corrected(_ raw: DeviceReadings) -> DeviceReadings {
        guard !calibrations.isEmpty else { return raw }
        var values = raw.values
        for (quantity, latest) in raw.values.pairs {
            let moment = latest.sampledAt ?? latest.receivedAt
            values[quantity]?.value = corrected(latest.value, of: quantity, sampledAt: moment)
        }
        return raw.with(values)
    }

    /// Values of one moment corrected by the calibrations.
    func corrected(_ values: QuantityMap<Double>, sampledAt: Timestamp) -> QuantityMap<Double> {
        guard !calibrations.isEmpty else { return values }
        var corrected = values
        for (quantity, value) in values.pairs {
            corrected[quantity] = self.corrected(value, of: quantity, sampledAt: sampledAt)
        }
        return corrected
    }

    /// The filters of the messages that the device's readings come from.
    ///
    /// - Throws: `MappingError` if the mapping cannot be used.
    func decoder() throws -> MappingDecoder? {
        try mapping.map { try MappingDecoder(mapping: $0, deviceTopic: topic) }
    }
}
