#if canImport(Glibc)
    internal import Glibc
#endif

/// The connection of one peer at the level of the operating system.
///
/// For the peers of a ROUTER, libzmq can neither end a connection, nor report how many sent bytes are unread, nor how
/// many bytes of an incomplete message have arrived. libzmq reports the file descriptor of a connection. But it may
/// have closed that one since, and another connection may have the number now. So this type stores the number that
/// the kernel gives to each socket for its lifetime, and only uses the socket with that number. Source:
/// zmq_msg_get(3), `ZMQ_SRCFD`; socket(7), `SO_COOKIE`; linux/tcp.h, `tcp_info`.
public struct PeerConnection: Hashable, Sendable {
    private let fileDescriptor: Int32
    private let number: UInt64
    /// The peer's IP address, without its port: 4 or 16 bytes; empty for a connection on the same machine that has none.
    public let address: [UInt8]

    /// The connection to a bound endpoint that presently has this file descriptor.
    ///
    /// Nil if there is none, or if the system does not number sockets. The file descriptor may belong to another
    /// socket of this process by now, which is not a connection to the endpoint: it has another local address, or no
    /// peer.
    ///
    /// - Parameters:
    ///   - fileDescriptor: The file descriptor, as reported by libzmq.
    ///   - endpoint: The actual endpoint after binding.
    public init?(fileDescriptor: Int32, to endpoint: Endpoint) {
        guard let number = Self.number(of: fileDescriptor), Self.isConnected(fileDescriptor, to: endpoint),
            Self.number(of: fileDescriptor) == number
        else { return nil }
        (self.fileDescriptor, self.number) = (fileDescriptor, number)
        address = Self.address(of: fileDescriptor)
    }

    /// Ends the connection, and drops the data that wait in both directions; libzmq notices it at once.
    ///
    /// - Returns: Whether it still existed.
    @discardableResult
    public func end() -> Bool {
        #if canImport(Glibc)
            // libzmq owns the descriptor and may close it at any time, so a duplicate is used during the check.
            let copy = fcntl(fileDescriptor, F_DUPFD_CLOEXEC, 0)
            guard copy >= 0 else { return false }
            defer { close(copy) }
            guard Self.number(of: copy) == number else { return false }
            return shutdown(copy, Int32(SHUT_RDWR)) == 0
        #else
            return false
        #endif
    }

    /// Whether libzmq has not closed it yet.
    public var isOpen: Bool { Self.number(of: fileDescriptor) == number }

    /// The bytes that a TCP connection has transferred since it began; nil if it is closed, or not TCP.
    ///
    /// Bytes count as sent once the peer's system has confirmed them. Both counts include the overhead of encryption,
    /// handshake and heartbeats.
    public var traffic: (sentByteCount: UInt64, receivedByteCount: UInt64)? {
        #if canImport(Glibc)
            // The older fields of the structure come first; Glibc's declaration ends before these two.
            let (sentOffset, receivedOffset, endOffset) = (120, 128, 136)
            var info = [UInt8](repeating: 0, count: endOffset)
            var byteCount = socklen_t(endOffset)
            let result = unsafe getsockopt(fileDescriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &byteCount)
            guard result == 0, byteCount == endOffset, isOpen else { return nil }
            // The bytes were requested, and any bit pattern is a valid number.
            return unsafe info.withUnsafeBytes { bytes in
                (
                    unsafe bytes.loadUnaligned(fromByteOffset: sentOffset, as: UInt64.self),
                    unsafe bytes.loadUnaligned(fromByteOffset: receivedOffset, as: UInt64.self)
                )
            }
        #else
            return nil
        #endif
    }

    /// Whether a socket has a peer and the local address of an endpoint.
    private static func isConnected(_ fileDescriptor: Int32, to endpoint: Endpoint) -> Bool {
        #if canImport(Glibc)
            var address = sockaddr_storage()
            var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let size = byteCount
            // Each kind of address is a part of the largest one, which consists of plain bytes.
            return unsafe withUnsafeMutableBytes(of: &address) { bytes in
                guard let start = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                    unsafe getpeername(fileDescriptor, start, &byteCount) == 0
                else { return false }
                byteCount = size
                guard unsafe getsockname(fileDescriptor, start, &byteCount) == 0 else { return false }
                let family = unsafe Int32(start.pointee.sa_family)
                switch endpoint.transport {
                case .tcp(_, let port):
                    guard family == AF_INET || family == AF_INET6 else { return false }
                    return unsafe bytes.loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian == port
                case .ipc(let path):
                    guard family == AF_UNIX else { return false }
                    let own = unsafe bytes[2..<Int(byteCount)].split(separator: 0).first ?? []
                    return own.elementsEqual((path.hasPrefix("@") ? path.dropFirst() : path[...]).utf8)
                case .inproc: return false
                }
            }
        #else
            return false
        #endif
    }

    /// The IP address of a socket's peer; empty if it has none.
    private static func address(of fileDescriptor: Int32) -> [UInt8] {
        #if canImport(Glibc)
            var address = sockaddr_storage()
            var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
            // Each kind of address is a part of the largest one, which consists of plain bytes.
            return unsafe withUnsafeMutableBytes(of: &address) { bytes in
                guard let start = unsafe bytes.assumingMemoryBound(to: sockaddr.self).baseAddress,
                    unsafe getpeername(fileDescriptor, start, &byteCount) == 0
                else { return [] }
                // The offsets of the address in sockaddr_in and sockaddr_in6.
                switch unsafe Int32(start.pointee.sa_family) {
                case AF_INET: return unsafe Array(bytes[4..<8])
                case AF_INET6: return unsafe Array(bytes[8..<24])
                default: return []
                }
            }
        #else
            return []
        #endif
    }

    /// The kernel's number of a socket, which is never reused.
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
