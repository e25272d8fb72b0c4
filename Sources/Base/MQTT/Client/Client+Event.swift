extension Client {
    /// The events of a connection, in the order in which they happen.
    ///
    /// The first is ``connected(_:)`` or ``ended(_:)``; the last is ``ended(_:)``, exactly once.
    public enum Event: Equatable, Sendable {
        /// The broker accepted the connection; the client may now publish and subscribe.
        case connected(ConnectAcknowledgement)
        /// A message arrived.
        ///
        /// A message of QoS 1 is acknowledged only after the handler has returned from the following ``pause``. A
        /// process that ends before that gets the message again, if its session is persistent.
        case message(Message)
        /// Nothing else is read before the handler has returned; then the messages since the last pause are
        /// acknowledged.
        ///
        /// It comes when no further message has arrived, and at the latest after ``Options/messagesBetweenPauses``
        /// messages; also if the connection broke after them. If that number is 1, the end of each message's own call
        /// is the pause, and there are no such events.
        case pause
        /// The broker accepted a published message; at QoS 0, the message was passed to the operating system.
        ///
        /// In MQTT 5.0 the broker may also refuse it; the reason code is a failure then. This event may come before
        /// the publishing call has returned.
        case published(PacketIdentifier, ReasonCode)
        /// The broker answered a subscribe packet, with one answer for each filter, in order.
        case subscribed(PacketIdentifier, [SubscriptionAnswer])
        /// The broker answered an unsubscribe packet.
        case unsubscribed(PacketIdentifier)
        /// The connection has ended, or was not established.
        ///
        /// Nothing follows.
        case ended(EndReason)
    }

    /// The broker's answer when it accepted the connection.
    ///
    /// Only brokers of MQTT 5.0 send values other than ``isSessionPresent``; a value that the broker did not send is
    /// nil.
    public struct ConnectAcknowledgement: Hashable, Sendable {
        /// Whether the broker had kept the session, with its subscriptions.
        public var isSessionPresent: Bool
        /// The identifier that the broker chose for a client without one.
        public var assignedClientIdentifier: String?
        /// The keep alive interval that replaces the client's own.
        public var serverKeepAliveSeconds: UInt16?
        /// How long the broker actually keeps the session.
        public var sessionExpirySeconds: UInt32?
        /// The highest quality of service that the broker accepts.
        public var maximumQualityOfService: QualityOfService?
        /// Whether the broker supports retained messages.
        ///
        /// If not, libmosquitto publishes all messages without the retain flag.
        public var isRetainAvailable: Bool?
        /// The largest packet that the broker accepts, in bytes.
        public var maximumPacketByteCount: UInt32?
        /// How many messages of QoS 1 and 2 may be on their way to the broker.
        public var receiveMaximum: UInt16?

        /// Creates an acknowledgement that only contains whether there was a session.
        public init(isSessionPresent: Bool) {
            self.isSessionPresent = isSessionPresent
        }
    }
}
