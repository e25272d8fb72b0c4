internal import CZeroMQ

/// The pattern that a socket speaks.
public enum SocketKind: Hashable, Sendable {
    /// Talks with many peers, each addressed by its ``RoutingID``; RFC 28.
    case router
    /// Talks with the peers it is connected to, in turn; RFC 28.
    case dealer
    /// Talks with exactly one peer; meant for `inproc`; RFC 31.
    case pair
    /// Receives a request, then sends its reply, by turns; RFC 28. A ZAP handler is one.
    case rep
    /// Sends a request, then receives its reply, by turns; RFC 28.
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
    /// The field's word for it, in capitals.
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
