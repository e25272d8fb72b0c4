import Platform

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A second descriptor of a socket, which keeps the connection open when libmosquitto closes its own; closed with
/// this value.
///
/// libmosquitto closes the socket as soon as it has written DISCONNECT. If unread data have arrived by then, or
/// arrive later, the system answers with a reset. A broker that gets the reset drops what it has not read yet:
/// messages, acknowledgements, and even DISCONNECT, so that it publishes the will.
struct LastDescriptor: ~Copyable {
    let descriptor: Int32

    /// Duplicates a descriptor; nil when the system has no descriptor left.
    init?(of socket: Int32) {
        descriptor = dup(socket)
        guard descriptor >= 0 else { return nil }
        closeOnExec(descriptor)
    }

    deinit {
        _ = close(descriptor)
    }

    /// Shuts down sending.
    func endSending() {
        // This fails if the other end has closed already, which has the same effect.
        _ = shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Reads and discards some of the data that have arrived.
    ///
    /// - Returns: Whether the other end has closed, or the connection is broken.
    func isAtEnd() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
    }
}
