internal import CZeroMQ
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A ZeroMQ context: the I/O threads and the in-process endpoints that its sockets share.
///
/// A process needs one. It may be used from any thread. Each socket keeps its context alive, so that the context
/// ends after the last of them. A context does not survive `fork`.
/// Source: zmq_ctx_new(3), zmq_ctx_term(3).
@safe
// Unchecked, because the handle is a raw pointer: libzmq documents contexts as thread-safe, and it never changes.
public final class Context: @unchecked Sendable {
    private let handle: UnsafeMutableRawPointer
    private let monitorCount = Atomic<UInt64>(0)

    /// Creates a context.
    ///
    /// - Parameters:
    ///   - ioThreads: The number of libzmq's own threads; at least 1 unless only `inproc` is used. One serves about
    ///     a gigabyte a second.
    ///   - maxSockets: The limit on open sockets, at least 1. Connections do not count, monitors count twice.
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

    /// Ends the I/O threads, after the last socket was closed; waits at most for the longest linger of them.
    deinit {
        // Only EINTR is possible here: the handle is a context, and this is its only end.
        while unsafe zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
    }

    /// Makes every call on every socket of this context fail with ``ZeroMQError/contextTerminated``, from now on.
    ///
    /// A thread that waits in ``Poller/wait(timeout:)`` returns. May be called from any thread, and more than once.
    public func shutdown() {
        // It fails only for a handle that is no context.
        _ = unsafe zmq_ctx_shutdown(handle)
    }

    /// Gives the memory of closed connections back to the system.
    ///
    /// It lies between what is still in use, and C's library keeps it for the next ones otherwise. It takes some
    /// milliseconds where there is much, and does nothing where the C library cannot do it. From any thread.
    public static func trimMemory() {
        czeromq_trim()
    }

    /// Opens a socket; libzmq's handle belongs to the caller from now on.
    func openSocket(_ kind: SocketKind) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        guard let socket = unsafe zmq_socket(handle, kind.number) else {
            throw failure(of: "zmq_socket", on: "a new \(kind) socket", zmq_errno())
        }
        return unsafe socket
    }

    /// The in-process endpoint of a new monitor, used by no other.
    func nextMonitorEndpoint() -> Endpoint {
        let number = monitorCount.wrappingAdd(1, ordering: .relaxed).newValue
        return Endpoint(inprocName: "zeromq.monitor.\(number)")
    }

    /// Seeds C's `rand`, once in a process.
    ///
    /// libzmq 4.3.4 takes the first automatic routing id of a ROUTER from `rand`, and the jitter of its reconnects, but
    /// never seeds it. So each process counted its connections from the same number, and a peer that chose a routing
    /// id a little ahead made libzmq abort the process when the count came there.
    private static let seedLibraryRandomness: Void = srand(UInt32.random(in: .min ... .max))

    private func set(_ option: Int32, _ name: String, to value: Int) throws(ZeroMQError) {
        let subject = "\(name) = \(value) of a context"
        guard let number = Int32(exactly: value) else { throw failure(of: "zmq_ctx_set", on: subject, EINVAL) }
        try perform("zmq_ctx_set", on: subject) { unsafe zmq_ctx_set(handle, option, number) }
    }
}
