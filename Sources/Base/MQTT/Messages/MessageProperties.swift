/// The properties of an MQTT 5.0 message besides its payload; empty in MQTT 3.1.1.
///
/// Source: MQTT 5.0, section 3.3.2.3 "PUBLISH Properties".
public struct MessageProperties: Hashable, Sendable {
    /// A name and a value that are sent with the message; a name may occur more than once.
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

    /// The seconds after which the message is no longer of use; nil for no limit.
    ///
    /// A broker that had to keep the message subtracts that time, so a receiver gets the rest.
    public var expirySeconds: UInt32?
    /// The type of the payload, such as `application/json`; nil if not given.
    public var contentType: String?
    /// The pairs in the order in which they were sent.
    public var userProperties: [UserProperty]

    /// Creates properties.
    public init(expirySeconds: UInt32? = nil, contentType: String? = nil, userProperties: [UserProperty] = []) {
        self.expirySeconds = expirySeconds
        self.contentType = contentType
        self.userProperties = userProperties
    }

    /// Whether there are no properties.
    public var isEmpty: Bool { expirySeconds == nil && contentType == nil && userProperties.isEmpty }
}
