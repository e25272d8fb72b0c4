/// A message that a socket received, copied out of libzmq.
public struct ReceivedMessage: Hashable, Sendable {
    /// The connection it came through; only on a ROUTER.
    public internal(set) var routingID: RoutingID?
    /// The frames in order, at least one, without the routing id.
    public internal(set) var frames: [[UInt8]] = []
    /// The number of frames that were beyond the limit and are lost.
    public internal(set) var droppedFrameCount = 0
    /// The name that the ZAP handler gave to the peer; nil where no handler was asked.
    ///
    /// This, and not the routing id, says who the sender is.
    public internal(set) var userID: String?
    /// The peer's address without its port; nil on `inproc`.
    public internal(set) var peerAddress: String?
    /// The file descriptor that it was read from, for ``PeerConnection``; nil on `inproc`.
    ///
    /// It may be another connection's by now.
    public internal(set) var fileDescriptor: Int32?
}
