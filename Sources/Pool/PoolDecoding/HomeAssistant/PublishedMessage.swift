/// A message to be published with quality of service 1.
public struct PublishedMessage: Hashable, Sendable {
    /// The topic name.
    public var topic: String
    /// The payload; empty with ``isRetained`` to delete what the broker keeps.
    public var payload: [UInt8]
    /// Whether the broker retains it for later subscribers.
    public var isRetained: Bool

    /// Creates a message.
    public init(topic: String, payload: [UInt8], isRetained: Bool = true) {
        self.topic = topic
        self.payload = payload
        self.isRetained = isRetained
    }

    /// Creates a message whose payload is a text.
    public init(topic: String, text: String, isRetained: Bool = true) {
        self.init(topic: topic, payload: Array(text.utf8), isRetained: isRetained)
    }
}
