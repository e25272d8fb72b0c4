#if canImport(Glibc)
    internal import Glibc
#endif

/// The connection that a message came through, as the system knows it: so it can be ended, which libzmq cannot do for one
/// peer of a ROUTER.
///
/// libzmq says which file descriptor it read a message from, and may have closed that one since; another connection may have
/// the number by now. So this keeps the number that the kernel gives each socket for ever, and only ends that one.
/// Source: zmq_msg_get(3), `ZMQ_SRCFD`; socket(7), `SO_COOKIE`.
public struct PeerConnection: Hashable, Sendable {
    private let fileDescriptor: Int32
    private let number: UInt64

    /// The connection that has this file descriptor now; nil if none has, or if the system does not number sockets.
    public init?(fileDescriptor: Int32) {
        guard let number = Self.number(of: fileDescriptor) else { return nil }
        (self.fileDescriptor, self.number) = (fileDescriptor, number)
    }

    /// Ends the connection, and with it drops what waits in both directions; libzmq notices at once.
    ///
    /// - Returns: Whether it still stood.
    @discardableResult
    public func end() -> Bool {
        #if canImport(Glibc)
            // The descriptor is libzmq's, which may close it at any time: only a copy stays what it is while it is looked at.
            let copy = fcntl(fileDescriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return false }
            defer { close(copy) }
            guard Self.number(of: copy) == number else { return false }
            return shutdown(copy, Int32(SHUT_RDWR)) == 0
        #else
            return false
        #endif
    }

    /// The kernel's number of a socket, which no other one ever has.
    private static func number(of fileDescriptor: Int32) -> UInt64? {
        #if canImport(Glibc)
            var number: UInt64 = 0
            var byteCount = socklen_t(MemoryLayout<UInt64>.size)
            let result = unsafe getsockopt(fileDescriptor, SOL_SOCKET, SO_COOKIE, &number, &byteCount)
            return result == 0 ? number : nil
        #else
            return nil
        #endif
    }
}
