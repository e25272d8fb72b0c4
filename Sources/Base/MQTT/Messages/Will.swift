/// The message that the broker publishes for a client that disappears without DISCONNECT.
///
/// Source: MQTT 5.0, section 3.1.2.5 "Will Flag".
public struct Will: Hashable, Sendable {
    /// The topic to publish it to.
    public var topic: TopicName
    /// The bytes; at most 65535 of them.
    public var payload: [UInt8]
    /// The quality of service for the publication; default: at least once.
    public var qualityOfService: QualityOfService
    /// Whether the broker keeps it for later subscribers; default: true, as is usual for a status topic.
    public var isRetained: Bool
    /// The seconds that the broker waits for the client to return before it publishes; 0 in MQTT 3.1.1.
    ///
    /// It has an effect only if the session is kept at least as long; default: 0.
    public var delaySeconds: UInt32

    /// Creates a will.
    public init(
        topic: TopicName, payload: [UInt8], qualityOfService: QualityOfService = .atLeastOnce, isRetained: Bool = true,
        delaySeconds: UInt32 = 0
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        self.delaySeconds = delaySeconds
    }
}
