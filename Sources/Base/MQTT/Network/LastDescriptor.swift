#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A second descriptor of a socket, which keeps the connection when libmosquitto closes its own; closed with this value.
///
/// libmosquitto closes the socket as soon as it has written the goodbye. If something has arrived by then that nobody
/// read, or arrives later, the system answers with a reset. A broker that sees it gives up what it has not read yet:
/// messages, acknowledgements, and the goodbye itself, so that it publishes the will.
struct LastDescriptor: ~Copyable {
    let descriptor: Int32

    /// Makes it; nil when the system has no descriptor left.
    init?(of socket: Int32) {
        descriptor = dup(socket)
        guard descriptor >= 0 else { return nil }
        closeOnExec(descriptor)
    }

    deinit {
        _ = close(descriptor)
    }

    /// Tells the other end that nothing more comes.
    func endSending() {
        // It fails if the other end has gone already, which is as good.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Throws away some of what has arrived.
    ///
    /// - Returns: Whether the other end has closed, or the connection is broken.
    func isAtEnd() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }
}
