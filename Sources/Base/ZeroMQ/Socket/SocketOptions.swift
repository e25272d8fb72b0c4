/// The options of a socket; set when it is opened, because most of them apply only to later binds and connects.
///
/// Nil keeps libzmq's default. Two defaults differ from libzmq's, which lose messages or block without an error:
/// ``linger`` is zero, and ``routerMandatory`` is on. Source: zmq_setsockopt(3) of libzmq 4.3.4.
public struct SocketOptions: Equatable, Sendable {
    /// The longest time that queued messages may delay the end of the context after close, rounded up to
    /// milliseconds.
    ///
    /// With zero they are dropped at once.
    public var linger: Duration = .zero
    /// The most messages that may wait for one peer; 0 means no limit; libzmq's default is 1000.
    ///
    /// It counts complete messages, not bytes, and is approximate: the connection's own buffers are not included.
    public var sendHighWaterMark: Int?
    /// The most messages that may wait from one peer; 0 means no limit; libzmq's default is 1000.
    public var receiveHighWaterMark: Int?
    /// The largest frame that a peer may send, in bytes; a larger one ends the connection.
    ///
    /// By default there is no limit. It limits a frame, not the number of frames in a message.
    public var maxMessageSize: Int?
    /// Whether a ROUTER returns ``SendResult/unroutable`` and ``SendResult/wouldBlock`` instead of losing the
    /// message.
    public var routerMandatory = true
    /// Whether a new peer with the routing id of another one replaces it; only on a ROUTER.
    ///
    /// If off, the new peer is connected but its messages are ignored.
    public var routerHandover = false
    /// The name by which a ROUTER peer identifies this socket; 1…255 bytes, the first not zero.
    ///
    /// Without it the peer generates one for each connection, which suits a peer that trusts nobody.
    public var routingID: RoutingID?
    /// Whether messages are refused with ``SendResult/wouldBlock`` until a connection exists (on), or wait for one
    /// (off, libzmq's default).
    public var immediate = false
    /// The most connections that may wait to be accepted; libzmq's default is 100.
    public var backlog: Int?
    /// The longest time for the system to connect, after which it tries again; by default the system decides.
    public var connectTimeout: Duration?
    /// The longest time for a handshake, after which the connection ends; zero means no limit; 30 s by default.
    public var handshakeInterval: Duration?
    /// The heartbeats of ZMTP 3.1 on each connection; none by default.
    public var heartbeat: Heartbeat?
    /// The waits between attempts to connect; libzmq's default is a constant 100 ms.
    public var reconnect: Reconnect?
    /// Whether IPv6 addresses can be used in addition to IPv4.
    public var ipv6 = false
    /// The authentication of peers; none by default.
    public var security = Security.none

    /// Creates the options with their defaults.
    public init() {}

    /// The heartbeats of a connection; they show that the peer's I/O thread runs, not that its program does.
    public struct Heartbeat: Hashable, Sendable {
        /// The interval between two pings, with a precision of milliseconds; more than zero.
        public var interval: Duration
        /// The silence after a ping that ends the connection.
        public var timeout: Duration
        /// The silence after which the peer should end the connection; in tenths of seconds, less than 6554 s.
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
        /// Only one attempt.
        case never
        /// From the shortest wait, doubled after each failure up to the longest.
        case backoff(shortest: Duration, longest: Duration)
    }

    /// The authentication and encryption of a connection.
    public enum Security: Equatable, Sendable {
        /// None: anyone may connect, and anyone in between may read the data.
        case none
        /// CURVE, the accepting end.
        ///
        /// With a domain, a ZAP handler (``Endpoint/zap``) of this context gets the domain and decides about each
        /// client key; without a handler no key is accepted. With an empty domain, or if libzmq cannot enforce a
        /// domain (4.3.4 can), every key is accepted without a user id while there is no handler.
        case curveServer(secretKey: CurveSecretKey, zapDomain: String)
        /// CURVE, the connecting end, which knows the server's key and sends its own.
        case curveClient(keyPair: CurveKeyPair, serverKey: CurvePublicKey)
    }
}
