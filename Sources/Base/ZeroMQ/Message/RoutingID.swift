/// The identifier of one connection of a ROUTER socket.
///
/// The ROUTER generates one for each new connection (five bytes, the first of them zero), unless the peer chose its
/// own. It says where to send, but it does not identify the peer, because a peer may choose any id;
/// ``ReceivedMessage/userID`` identifies the peer. Never send a generated id to a peer: a peer that knows one can
/// guess the next, use it as its own, and make libzmq 4.3.4 abort the ROUTER's process. Source: RFC 28,
/// zmq_socket(3).
public struct RoutingID: Hashable, Sendable {
    /// The bytes; 1…255 of them.
    public let bytes: [UInt8]

    /// Creates a routing id; nil unless there are 1…255 bytes.
    public init?(_ bytes: [UInt8]) {
        guard (1...255).contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    /// Creates it from the first frame of a message that a ROUTER received.
    init(received bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension RoutingID: CustomStringConvertible {
    /// The bytes as hexadecimal digits.
    public var description: String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
