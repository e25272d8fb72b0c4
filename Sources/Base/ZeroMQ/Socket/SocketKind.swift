internal import CZeroMQ

/// The messaging pattern of a socket.
public enum SocketKind: Hashable, Sendable {
    /// Exchanges messages with many peers, each addressed by its ``RoutingID``; RFC 28.
    case router
    /// Exchanges messages with the peers that it is connected to, in turn; RFC 28.
    case dealer
    /// Exchanges messages with exactly one peer; intended for `inproc`; RFC 31.
    case pair
    /// Receives a request, then sends its reply, alternately; RFC 28.
    ///
    /// A ZAP handler uses it.
    case rep
    /// Sends a request, then receives its reply, alternately; RFC 28.
    case req

    var number: Int32 {
        switch self {
        case .router: ZMQ_ROUTER
        case .dealer: ZMQ_DEALER
        case .pair: ZMQ_PAIR
        case .rep: ZMQ_REP
        case .req: ZMQ_REQ
        }
    }
}

extension SocketKind: CustomStringConvertible {
    /// The usual name of the pattern, in capitals.
    public var description: String {
        switch self {
        case .router: "ROUTER"
        case .dealer: "DEALER"
        case .pair: "PAIR"
        case .rep: "REP"
        case .req: "REQ"
        }
    }
}
