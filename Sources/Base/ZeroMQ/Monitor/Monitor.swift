internal import CZeroMQ

/// Reports the events of a socket's connections.
///
/// It belongs to the same thread as its socket, and ends with its value. Read it until nil whenever its ``socket`` is
/// ready for input. Unread events are kept without a limit, because libzmq's I/O thread would block at one. Source:
/// zmq_socket_monitor(3).
@safe
public struct Monitor: ~Copyable {
    /// The PAIR socket that receives the events; add it to a ``Poller``.
    public let socket: Socket
    private let monitored: SocketHandle
    private let endpoint: Endpoint

    fileprivate init(_ monitored: SocketHandle, _ events: MonitorEvents) throws(ZeroMQError) {
        var options = SocketOptions()
        options.receiveHighWaterMark = 0
        let socket = try Socket(monitored.context, .pair, options: options)
        let endpoint = monitored.context.nextMonitorEndpoint()
        // This comes first. Otherwise libzmq would keep a PAIR that connects to an endpoint which is never bound,
        // together with its file descriptor, as long as the context. An event that comes in between waits for its
        // reader.
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
        // This comes before the PAIR is closed: libzmq waits for a reader of each event, so its I/O thread would
        // block.
        monitored.stopMonitor(endpoint)
    }

    /// The next event, or nil if nothing is waiting.
    ///
    /// - Throws: ``ZeroMQError/contextTerminated``.
    public func nextEvent() throws(ZeroMQError) -> MonitorEvent? {
        while let message = try socket.receive() {
            // libzmq writes only events there; anything else is skipped.
            if let event = MonitorEvent(frames: message.frames) { return event }
        }
        return nil
    }
}

extension Socket {
    /// Starts to report the events of this socket's connections; a second monitor replaces the first.
    ///
    /// Start it before the first bind or connect, so that no event is missed.
    ///
    /// - Throws: ``ZeroMQError/tooManySockets(_:)``.
    public func monitor(_ events: MonitorEvents = .all) throws(ZeroMQError) -> Monitor {
        try Monitor(handle, events)
    }
}

// Its sockets are not thread-safe.
@available(*, unavailable)
extension Monitor: Sendable {}
