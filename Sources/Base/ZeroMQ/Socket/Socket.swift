internal import CZeroMQ

/// A ZeroMQ socket.
///
/// No call on it blocks: sending and receiving return at once, and only ``Poller/wait(timeout:)`` waits. A socket
/// belongs to one thread at a time; it is not `Sendable`, so that the compiler keeps it in one isolation. It is
/// closed when its value ends. Messages that are still queued then are dropped, unless ``SocketOptions/linger`` is
/// set. Source: zmq_socket(3), zmq_close(3).
@safe
public struct Socket: ~Copyable {
    let handle: SocketHandle

    /// Opens a socket and sets its options, which apply to everything that is bound or connected later.
    ///
    /// - Throws: ``ZeroMQError/tooManySockets(_:)`` at the context's limit, ``ZeroMQError/invalidArgument(_:)`` naming
    ///   the option that is out of range or does not fit the kind.
    public init(
        _ context: Context, _ kind: SocketKind, options: SocketOptions = SocketOptions()
    ) throws(ZeroMQError) {
        let handle = try SocketHandle(context, kind)
        try options.apply(to: handle)
        self.handle = handle
    }

    deinit {
        handle.close()
    }

    /// Closes the socket; the same happens when its value goes out of scope.
    ///
    /// It returns at once; libzmq closes connections and listeners in the background, so an endpoint may be in use
    /// for a moment longer.
    public consuming func close() {}

    /// The messaging pattern of the socket.
    public var kind: SocketKind { handle.kind }

    /// Accepts connections at an endpoint, and returns the actual endpoint, with the port that the system chose.
    ///
    /// An existing `ipc` file is replaced without an error, even if another process listens on it. A process that
    /// needs the endpoint for itself must hold its own lock.
    ///
    /// - Throws: ``ZeroMQError/addressInUse(_:)``, ``ZeroMQError/addressNotAvailable(_:)``,
    ///   ``ZeroMQError/permissionDenied(_:)``, ``ZeroMQError/notFound(_:)``.
    @discardableResult
    public func bind(_ endpoint: Endpoint) throws(ZeroMQError) -> Endpoint {
        try perform("zmq_bind", on: endpoint.text) { unsafe zmq_bind(handle.pointer, endpoint.text) }
        // The longest result is an ipc path with its prefix.
        let bytes = try handle.option(ZMQ_LAST_ENDPOINT, maxByteCount: 512)
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        do {
            return try Endpoint(text)
        } catch {
            preconditionFailure("libzmq bound \(endpoint.text) and reported it as \(text): \(error)")
        }
    }

    /// Connects to an endpoint in the background, and retries until it succeeds or the socket is closed.
    ///
    /// - Throws: ``ZeroMQError/invalidArgument(_:)`` for an endpoint that can only be bound, such as port 0.
    public func connect(to endpoint: Endpoint) throws(ZeroMQError) {
        try perform("zmq_connect", on: endpoint.text) { unsafe zmq_connect(handle.pointer, endpoint.text) }
    }

    /// Stops accepting connections at an endpoint that ``bind(_:)`` returned; its existing connections end, too.
    ///
    /// - Throws: ``ZeroMQError/notFound(_:)`` when the socket is not bound there.
    public func unbind(_ endpoint: Endpoint) throws(ZeroMQError) {
        try perform("zmq_unbind", on: endpoint.text) { unsafe zmq_unbind(handle.pointer, endpoint.text) }
    }

    /// Ends the connection to an endpoint; messages that are queued for it are dropped.
    ///
    /// - Throws: ``ZeroMQError/notFound(_:)`` when the socket is not connected there.
    public func disconnect(from endpoint: Endpoint) throws(ZeroMQError) {
        try perform("zmq_disconnect", on: endpoint.text) { unsafe zmq_disconnect(handle.pointer, endpoint.text) }
    }
}

// libzmq's sockets are not thread-safe.
@available(*, unavailable)
extension Socket: Sendable {}
