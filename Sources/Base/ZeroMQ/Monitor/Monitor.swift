internal import CZeroMQ

/// Tells what happens to the connections of a socket.
///
/// It belongs to the same thread as its socket, and ends with its value. Read it until nil whenever its ``socket`` is
/// ready for input: events that nobody reads are kept without a limit, because libzmq's I/O thread would stand still
/// at one.
/// Source: zmq_socket_monitor(3).
@safe
public struct Monitor: ~Copyable {
    /// The PAIR that the events come through; for a ``Poller``.
    public let socket: Socket
    private let monitored: SocketHandle
    private let endpoint: Endpoint

    fileprivate init(_ monitored: SocketHandle, _ events: MonitorEvents) throws(ZeroMQError) {
        var options = SocketOptions()
        options.receiveHighWaterMark = 0
        let socket = try Socket(monitored.context, .pair, options: options)
        let endpoint = monitored.context.nextMonitorEndpoint()
        // First, since libzmq would keep a PAIR that connects to what is never bound, and its file descriptor, as long as the
        // context. An event that comes in between waits for its reader.
        try monitored.startMonitor(endpoint, events)
        do throws(ZeroMQError) {
            try socket.connect(to: endpoint)
        } catch {
            monitored.stopMonitor(endpoint)
            throw error
        }
        self.monitored = monitored
        self.endpoint = endpoint
        self.socket = socket
    }

    deinit {
        // Before the PAIR closes: libzmq waits for a reader at each event, so its I/O thread would stand still.
        monitored.stopMonitor(endpoint)
    }

    /// The next event; nil when there is none now.
    ///
    /// - Throws: ``ZeroMQError/contextTerminated``.
    public func nextEvent() throws(ZeroMQError) -> MonitorEvent? {
        while let message = try socket.receive() {
            // libzmq writes nothing else there; should it, the next event is told.
            if let event = MonitorEvent(frames: message.frames) { return event }
        }
        return nil
    }
}

extension Socket {
    /// Starts to tell what happens to this socket's connections; a second monitor replaces the first.
    ///
    /// Monitor before the first bind or connect, or the first events are missed.
    /// - Throws: ``ZeroMQError/tooManySockets(_:)``.
    public func monitor(_ events: MonitorEvents = .all) throws(ZeroMQError) -> Monitor {
        try Monitor(handle, events)
    }
}

// Its sockets are not thread-safe.
@available(*, unavailable)
extension Monitor: Sendable {}
