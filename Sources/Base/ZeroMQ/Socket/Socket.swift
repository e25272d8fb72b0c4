internal import CZeroMQ

/// A ZeroMQ socket.
///
/// No call on it ever waits: sending and receiving return at once, and ``Poller/wait(timeout:)`` is the one place
/// where a thread sleeps. A socket belongs to one thread at a time; it is not `Sendable`, so that the compiler keeps
/// it in one isolation. It is closed when its value ends. Messages that are still queued then are dropped, unless
/// ``SocketOptions/linger`` says otherwise.
/// Source: zmq_socket(3), zmq_close(3).
@safe
public struct Socket: ~Copyable {
    let handle: SocketHandle

    /// Opens a socket and sets its options, which hold for everything that is bound or connected later.
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
    /// It returns at once, and libzmq closes connections and listeners in the background: an endpoint may be in use
    /// for a moment longer.
    public consuming func close() {}

    /// The pattern that the socket speaks.
    public var kind: SocketKind { handle.kind }

    /// Accepts connections at an endpoint, and returns it as it really is, with the port that the system chose.
    ///
    /// An `ipc` file that is there already is replaced without a word, even if another process listens on it: who
    /// needs to be the only one there keeps a lock of its own.
    /// - Throws: ``ZeroMQError/addressInUse(_:)``, ``ZeroMQError/addressNotAvailable(_:)``,
    ///   ``ZeroMQError/permissionDenied(_:)``, ``ZeroMQError/notFound(_:)``.
    @discardableResult
    public func bind(_ endpoint: Endpoint) throws(ZeroMQError) -> Endpoint {
        try perform("zmq_bind", on: endpoint.text) { unsafe zmq_bind(handle.pointer, endpoint.text) }
        // The longest answer is an ipc path with its prefix.
        let bytes = try handle.option(ZMQ_LAST_ENDPOINT, maxByteCount: 512)
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        do {
            return try Endpoint(text)
        } catch {
            preconditionFailure("libzmq bound \(endpoint.text) and reported it as \(text): \(error)")
        }
    }

    /// Connects to an endpoint in the background, again and again until it succeeds or the socket is closed.
    ///
    /// - Throws: ``ZeroMQError/invalidArgument(_:)`` for an endpoint that can only be bound, such as port 0.
    public func connect(to endpoint: Endpoint) throws(ZeroMQError) {
        try perform("zmq_connect", on: endpoint.text) { unsafe zmq_connect(handle.pointer, endpoint.text) }
    }

    /// Stops accepting connections at an endpoint that ``bind(_:)`` returned; those that exist end too.
    ///
    /// - Throws: ``ZeroMQError/notFound(_:)`` when the socket is not bound there.
    public func unbind(_ endpoint: Endpoint) throws(ZeroMQError) {
        try perform("zmq_unbind", on: endpoint.text) { unsafe zmq_unbind(handle.pointer, endpoint.text) }
    }

    /// Ends the connection to an endpoint; what is still queued for it is dropped.
    ///
    /// - Throws: ``ZeroMQError/notFound(_:)`` when the socket is not connected there.
    public func disconnect(from endpoint: Endpoint) throws(ZeroMQError) {
        try perform("zmq_disconnect", on: endpoint.text) { unsafe zmq_disconnect(handle.pointer, endpoint.text) }
    }
}

// libzmq's sockets are not thread-safe.
@available(*, unavailable)
extension Socket: Sendable {}
