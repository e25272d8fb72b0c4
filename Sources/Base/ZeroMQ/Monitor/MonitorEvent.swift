internal import CZeroMQ

/// Something that happened to a connection of a monitored socket.
///
/// Source: zmq_socket_monitor(3).
public struct MonitorEvent: Hashable, Sendable {
    /// The kinds of events.
    @nonexhaustive
    public enum Kind: Hashable, Sendable {
        /// The system connected; the handshake follows.
        case connected
        /// The system is connecting in the background.
        case connectDelayed
        /// The connection failed, or ended before its handshake; the next attempt follows after the given time.
        case connectRetried(after: Duration)
        /// The socket listens.
        case listening
        /// The socket could not listen; with the `errno`.
        case bindFailed(Int32)
        /// A peer connected; the handshake follows.
        case accepted
        /// A peer could not be accepted; with the `errno`.
        case acceptFailed(Int32)
        /// The file descriptor was closed.
        case closed
        /// The file descriptor could not be closed; with the `errno`.
        case closeFailed(Int32)
        /// The connection ended after it was established.
        case disconnected
        /// The monitoring ended; no event follows.
        case monitorStopped
        /// The handshake failed without a reason, for example because of a wrong server key; with an `errno`. libzmq
        /// tries again.
        case handshakeFailedNoDetail(Int32)
        /// The handshake succeeded; messages can be exchanged.
        case handshakeSucceeded
        /// The handshake violated the protocol; with a number of zmq_socket_monitor(3).
        case handshakeFailedProtocol(UInt32)
        /// The ZAP handler refused the peer; with its status. libzmq never tries again: open a new socket.
        case handshakeFailedAuthentication(status: Int)
        /// An event that this version does not know.
        case unknown(number: UInt16, value: UInt32)
    }

    /// The kind of the event.
    public let kind: Kind
    /// The endpoint, as libzmq writes it; empty if it does not exist.
    public let endpoint: String
    /// The file descriptor of a ``Kind/accepted`` event, for ``PeerConnection``; nil for other events.
    ///
    /// It may belong to another connection by now.
    public let fileDescriptor: Int32?

    /// Reads the two frames of an event; nil if they are not an event.
    public init?(frames: [[UInt8]]) {
        guard frames.count == 2, frames[0].count == 6 else { return nil }
        // Both numbers are in the byte order of this machine.
        let number = unsafe frames[0].withUnsafeBytes { unsafe $0.loadUnaligned(as: UInt16.self) }
        let value = unsafe frames[0].withUnsafeBytes { unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt32.self) }
        kind = Kind(number: number, value: value)
        fileDescriptor = kind == .accepted ? Int32(bitPattern: value) : nil
        endpoint = String(decoding: frames[1], as: UTF8.self)
    }
}

extension MonitorEvent.Kind {
    fileprivate init(number: UInt16, value: UInt32) {
        let errorNumber = Int32(bitPattern: value)
        switch Int32(number) {
        case ZMQ_EVENT_CONNECTED: self = .connected
        case ZMQ_EVENT_CONNECT_DELAYED: self = .connectDelayed
        case ZMQ_EVENT_CONNECT_RETRIED: self = .connectRetried(after: .milliseconds(value))
        case ZMQ_EVENT_LISTENING: self = .listening
        case ZMQ_EVENT_BIND_FAILED: self = .bindFailed(errorNumber)
        case ZMQ_EVENT_ACCEPTED: self = .accepted
        case ZMQ_EVENT_ACCEPT_FAILED: self = .acceptFailed(errorNumber)
        case ZMQ_EVENT_CLOSED: self = .closed
        case ZMQ_EVENT_CLOSE_FAILED: self = .closeFailed(errorNumber)
        case ZMQ_EVENT_DISCONNECTED: self = .disconnected
        case ZMQ_EVENT_MONITOR_STOPPED: self = .monitorStopped
        case ZMQ_EVENT_HANDSHAKE_FAILED_NO_DETAIL: self = .handshakeFailedNoDetail(errorNumber)
        case ZMQ_EVENT_HANDSHAKE_SUCCEEDED: self = .handshakeSucceeded
        case ZMQ_EVENT_HANDSHAKE_FAILED_PROTOCOL: self = .handshakeFailedProtocol(value)
        case ZMQ_EVENT_HANDSHAKE_FAILED_AUTH: self = .handshakeFailedAuthentication(status: Int(value))
        default: self = .unknown(number: number, value: value)
        }
    }
}
