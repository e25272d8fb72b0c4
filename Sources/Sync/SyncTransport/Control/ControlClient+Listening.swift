#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension ControlClient {
    /// Whether a process listens at a socket of this machine now.
    ///
    /// - Parameter path: The path of the socket's file.
    /// - Returns: Whether a connection is accepted.
    package static func isListening(path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        // The last byte stays zero, because it terminates the text.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        // The check above ensures that the bytes fit.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #elseif canImport(Musl)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // The address is read only during the call, as the type that its first member states.
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, length) }
        }
        // A listener with a full backlog also exists.
        return result == 0 || errno == EAGAIN || errno == EINPROGRESS
    }
}
