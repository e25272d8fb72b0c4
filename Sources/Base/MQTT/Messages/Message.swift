/// A message that the broker delivered.
public struct Message: Equatable, Sendable {
    /// The topic it was published to.
    public var topic: TopicName
    /// The bytes, whatever they are; may be empty.
    public var payload: [UInt8]
    /// The lower one of what it was published with and what the subscription was granted.
    public var qualityOfService: QualityOfService
    /// Whether the broker replays a value that it kept, because of a new subscription: its age is unknown.
    ///
    /// False for a message that was published retained while the subscription existed, unless the subscription said
    /// ``SubscriptionOptions/keepsRetainFlag``.
    public var isRetained: Bool
    /// The broker's number of the delivery; nil at QoS 0.
    public var packetIdentifier: PacketIdentifier?
    /// What the message says of itself; empty in MQTT 3.1.1.
    public var properties: MessageProperties

    /// Creates a message.
    public init(
        topic: TopicName, payload: [UInt8], qualityOfService: QualityOfService, isRetained: Bool,
        packetIdentifier: PacketIdentifier?, properties: MessageProperties
    ) {
        self.topic = topic
        self.payload = payload
        self.qualityOfService = qualityOfService
        self.isRetained = isRetained
        self.packetIdentifier = packetIdentifier
        self.properties = properties
    }
}
