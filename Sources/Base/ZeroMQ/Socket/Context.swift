internal import CZeroMQ
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A ZeroMQ context: the I/O threads and the in-process endpoints that its sockets share.
///
/// A process needs one. It may be used from any thread. Each socket keeps its context alive, so the context ends
/// after the last socket. A context does not survive `fork`. Source: zmq_ctx_new(3), zmq_ctx_term(3).
@safe
// Unchecked, because the handle is a raw pointer. The handle never changes, and libzmq documents contexts as
// thread-safe.
public final class Context: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    private let monitorCount = Atomic<UInt64>(0)

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - ioThreads: The number of libzmq's own threads; at least 1 unless only `inproc` is used. One thread handles
    ///     about a gigabyte a second.
    ///   - maxSockets: The most open sockets, at least 1. Connections do not count; monitors count twice.
    /// - Throws: ``ZeroMQError/invalidArgument(_:)`` when a number is out of range,
    ///   ``ZeroMQError/tooManySockets(_:)`` when the process has no file descriptor left.
    public init(ioThreads: Int = 1, maxSockets: Int = 1023) throws(ZeroMQError) {
        Self.seedLibraryRandomness
        guard let handle = unsafe zmq_ctx_new() else {
            throw failure(of: "zmq_ctx_new", on: "a new context", zmq_errno())
        }
        unsafe self.handle = handle
        try set(ZMQ_IO_THREADS, "ioThreads", to: ioThreads)
        try set(ZMQ_MAX_SOCKETS, "maxSockets", to: maxSockets)
    }

    /// Ends the I/O threads after the last socket was closed; waits at most for the longest linger time of the
    /// sockets.
    deinit {
        // The only possible error is EINTR: the handle is a context, and nothing else ends it.
        while unsafe zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
    }

    /// Makes every call on every socket of this context fail with ``ZeroMQError/contextTerminated`` from now on.
    ///
    /// A thread that waits in ``Poller/wait(timeout:)`` returns. May be called from any thread, and more than once.
    public func shutdown() {
        // It only fails for a handle that is not a context.
        _ = unsafe zmq_ctx_shutdown(handle)
    }

    /// Returns the memory of closed connections to the system.
    ///
    /// That memory lies between memory in use, so the C library would otherwise keep it for later connections. The
    /// call takes some milliseconds if there is much of it, and does nothing if the C library does not support it.
    /// May be called from any thread.
    public static func trimMemory() {
        czeromq_trim()
    }

    /// Opens a socket; the caller owns libzmq's handle.
    func openSocket(_ kind: SocketKind) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        guard let socket = unsafe zmq_socket(handle, kind.number) else {
            throw failure(of: "zmq_socket", on: "a new \(kind) socket", zmq_errno())
        }
        return unsafe socket
    }

    /// The in-process endpoint for a new monitor, which no other monitor uses.
    func nextMonitorEndpoint() -> Endpoint {
        let number = monitorCount.wrappingAdd(1, ordering: .relaxed).newValue
        return Endpoint(inprocName: "zeromq.monitor.\(number)")
    }

    /// Seeds C's `rand`, once in a process.
    ///
    /// libzmq 4.3.4 takes the first automatic routing id of a ROUTER and the jitter of its reconnects from `rand`,
    /// but never seeds it. So each process would count its connections from the same number. A peer that chose a
    /// routing id a little ahead would make libzmq abort the process when the count reached it.
    private static let seedLibraryRandomness: Void = srand(UInt32.random(in: .min ... .max))

    private func set(_ option: Int32, _ name: String, to value: Int) throws(ZeroMQError) {
        let subject = "\(name) = \(value) of a context"
        guard let number = Int32(exactly: value) else { throw failure(of: "zmq_ctx_set", on: subject, EINVAL) }
        try perform("zmq_ctx_set", on: subject) { unsafe zmq_ctx_set(handle, option, number) }
    }
}
