/// A message that the broker delivered.
public struct Message: Equatable, Sendable {
    /// The topic that it was published to.
    public var topic: TopicName
    /// The payload; any bytes, may be empty.
    public var payload: [UInt8]
    /// The lower one of the publisher's quality of service and the subscription's.
    public var qualityOfService: QualityOfService
    /// Whether the broker replayed a retained message because of a new subscription; its age is unknown then.
    ///
    /// False for a message that was published as retained while the subscription existed, unless the subscription has
    /// ``SubscriptionOptions/keepsRetainFlag``.
    public var isRetained: Bool
    /// The broker's identifier of the delivery; nil at QoS 0.
    public var packetIdentifier: PacketIdentifier?
    /// The properties of the message; empty in MQTT 3.1.1.
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
