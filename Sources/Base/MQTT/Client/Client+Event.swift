extension Client {
    /// What happens on a connection, in the order in which it happens.
    ///
    /// First comes ``connected(_:)`` or ``ended(_:)``, last comes ``ended(_:)``, exactly once.
    public enum Event: Equatable, Sendable {
        /// The broker accepted the connection: from now on the client may publish and subscribe.
        case connected(ConnectAcknowledgement)
        /// A message arrived.
        ///
        /// One of QoS 1 is acknowledged after the handler has returned from the ``pause`` that follows, not before: a
        /// process that ends until then gets the message again, if its session is persistent.
        case message(Message)
        /// Nothing else is read before the handler has returned, and then the messages since the last pause are
        /// acknowledged.
        ///
        /// It comes after the last message that is there, and at the latest after
        /// ``Options/messagesBetweenPauses`` messages; also when the connection broke behind them. If that is 1, the end
        /// of each message's own call is the pause, and there are no such events.
        case pause
        /// The broker took over a published message; at QoS 0: it was handed to the operating system.
        ///
        /// In MQTT 5.0 the broker may also refuse it: then the reason is a failure. It may come before the call that
        /// published has returned.
        case published(PacketIdentifier, ReasonCode)
        /// The broker answered a subscribe packet, one answer for each filter and in their order.
        case subscribed(PacketIdentifier, [SubscriptionAnswer])
        /// The broker answered an unsubscribe packet.
        case unsubscribed(PacketIdentifier)
        /// The connection is over, or did not come about. Nothing follows.
        case ended(EndReason)
    }

    /// What the broker said when it accepted the connection.
    ///
    /// Everything but ``isSessionPresent`` is said by brokers of MQTT 5.0 only, and nil where the broker was silent.
    public struct ConnectAcknowledgement: Hashable, Sendable {
        /// Whether the broker had kept the session: its subscriptions are still there.
        public var isSessionPresent: Bool
        /// The name that the broker chose for a client without one.
        public var assignedClientIdentifier: String?
        /// The keep alive interval that counts instead of the client's own.
        public var serverKeepAliveSeconds: UInt16?
        /// How long the broker really keeps the session.
        public var sessionExpirySeconds: UInt32?
        /// The highest quality of service that the broker accepts.
        public var maximumQualityOfService: QualityOfService?
        /// Whether the broker keeps retained messages.
        ///
        /// If not, libmosquitto publishes as if they were not to be retained.
        public var isRetainAvailable: Bool?
        /// The largest packet that the broker accepts, in bytes.
        public var maximumPacketByteCount: UInt32?
        /// How many messages of QoS 1 and 2 may be on their way to the broker.
        public var receiveMaximum: UInt16?

        /// Creates an acknowledgement that says nothing but whether there was a session.
        public init(isSessionPresent: Bool) {
            self.isSessionPresent = isSessionPresent
        }
    }
}
