/// What a message of MQTT 5.0 says of itself beside its payload; empty in MQTT 3.1.1.
///
/// Source: MQTT 5.0, section 3.3.2.3 "PUBLISH Properties".
public struct MessageProperties: Hashable, Sendable {
    /// A pair of texts that travels with the message; the same name may come more than once.
    public struct UserProperty: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a pair.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The seconds after which nobody wants the message any more; nil for never.
    ///
    /// A broker that had to keep the message counts down: a receiver sees what is left.
    public var expirySeconds: UInt32?
    /// What the payload is, such as `application/json`; nil if not said.
    public var contentType: String?
    /// The pairs in the order in which they were sent.
    public var userProperties: [UserProperty]

    /// Creates properties.
    public init(expirySeconds: UInt32? = nil, contentType: String? = nil, userProperties: [UserProperty] = []) {
        self.expirySeconds = expirySeconds
        self.contentType = contentType
        self.userProperties = userProperties
    }

    /// Whether nothing is said.
    public var isEmpty: Bool { expirySeconds == nil && contentType == nil && userProperties.isEmpty }
}
