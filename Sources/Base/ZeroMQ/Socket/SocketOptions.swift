/// How a socket behaves; given when it is opened, since most of it holds only for later binds and connects.
///
/// Nil leaves libzmq's own default. Two defaults differ from libzmq's, which lose messages or hang without a sign:
/// ``linger`` is zero, and ``routerMandatory`` is on.
/// Source: zmq_setsockopt(3) of libzmq 4.3.4.
public struct SocketOptions: Equatable, Sendable {
    /// The longest time that queued messages may delay the end of the context after close; rounded up to milliseconds.
    ///
    /// Zero drops them at once.
    public var linger: Duration = .zero
    /// The messages that may wait for one peer; 0 means no limit; libzmq's default is 1000.
    ///
    /// It counts whole messages, not bytes, and is approximate: the connection's own buffers come on top.
    public var sendHighWaterMark: Int?
    /// The messages that may wait from one peer; 0 means no limit; libzmq's default is 1000.
    public var receiveHighWaterMark: Int?
    /// The largest frame that a peer may send, in bytes; a larger one ends the connection.
    ///
    /// The default is no limit. It bounds one frame, not the number of frames of a message.
    public var maxMessageSize: Int?
    /// Whether a ROUTER says ``SendResult/unroutable`` and ``SendResult/wouldBlock``, instead of losing the message.
    public var routerMandatory = true
    /// Whether a peer that comes with the routing id of another takes it over, only on a ROUTER.
    ///
    /// When off, the newcomer is connected but never heard.
    public var routerHandover = false
    /// The name under which a ROUTER peer sees this socket; 1…255 bytes, the first not zero.
    ///
    /// Without it the peer makes one up for each connection, which is what a peer that trusts nobody wants.
    public var routingID: RoutingID?
    /// Whether messages wait for a connection (off, libzmq's default: any endpoint connected to takes them), or are
    /// refused with ``SendResult/wouldBlock`` until one stands.
    public var immediate = false
    /// The connections that may wait to be accepted; libzmq's default is 100.
    public var backlog: Int?
    /// The longest time for the system to connect, after which it is tried anew; libzmq leaves it to the system.
    public var connectTimeout: Duration?
    /// The longest time for a handshake, after which the connection ends; zero means no limit; default 30 s.
    public var handshakeInterval: Duration?
    /// The heartbeats of ZMTP 3.1 on each connection; none by default.
    public var heartbeat: Heartbeat?
    /// The waits between attempts to connect; libzmq's default is a constant 100 ms.
    public var reconnect: Reconnect?
    /// Whether IPv6 addresses can be used beside IPv4.
    public var ipv6 = false
    /// How peers prove who they are; nobody by default.
    public var security = Security.none

    /// Creates the options with their defaults.
    public init() {}

    /// The heartbeats of a connection; they show that the peer's I/O thread lives, not that its program does.
    public struct Heartbeat: Hashable, Sendable {
        /// The time between two pings, in milliseconds precision; more than zero.
        public var interval: Duration
        /// The silence after a ping that ends the connection.
        public var timeout: Duration
        /// The silence after which the peer shall end it; tenths of seconds, less than 6554 s.
        public var timeToLive: Duration

        /// Creates the intervals of a connection's heartbeats.
        public init(interval: Duration, timeout: Duration, timeToLive: Duration) {
            self.interval = interval
            self.timeout = timeout
            self.timeToLive = timeToLive
        }
    }

    /// The waits between attempts to connect.
    public enum Reconnect: Hashable, Sendable {
        /// One attempt only.
        case never
        /// From the shortest wait, doubled after each failure up to the longest.
        case backoff(shortest: Duration, longest: Duration)
    }

    /// How the two ends of a connection prove who they are, and whether they encrypt.
    public enum Security: Equatable, Sendable {
        /// Not at all: anyone may connect, and anyone on the way may read.
        case none
        /// CURVE, the accepting end. With a domain, a ZAP handler (``Endpoint/zap``) of this context is told it and
        /// decides on each client key; no key is accepted while there is none. With an empty domain, and with any where
        /// libzmq cannot enforce one (4.3.4 can), every key is accepted while there is no handler, without a name.
        case curveServer(secretKey: CurveSecretKey, zapDomain: String)
        /// CURVE, the connecting end, which knows the server's key and shows its own.
        case curveClient(keyPair: CurveKeyPair, serverKey: CurvePublicKey)
    }
}
