/// A received message, copied from libzmq.
public struct ReceivedMessage: Hashable, Sendable {
    /// The connection that it came through; only on a ROUTER.
    public internal(set) var routingID: RoutingID?
    /// The frames in order, at least one, without the routing id.
    public internal(set) var frames: [[UInt8]] = []
    /// The number of frames beyond the limit, which are lost.
    public internal(set) var droppedFrameCount = 0
    /// The user id that the ZAP handler gave to the peer; nil if no handler was asked.
    ///
    /// This identifies the sender; the routing id does not.
    public internal(set) var userID: String?
    /// The peer's address without its port; nil on `inproc`.
    public internal(set) var peerAddress: String?
    /// The file descriptor that it was read from, for ``PeerConnection``; nil on `inproc`.
    ///
    /// It may belong to another connection by now.
    public internal(set) var fileDescriptor: Int32?
}
