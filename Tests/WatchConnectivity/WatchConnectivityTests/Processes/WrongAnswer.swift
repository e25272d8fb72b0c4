import Foundation
import Testing

/// Something at a port of this machine that answers one connection with a handshake of no security.
struct WrongAnswer: ~Copyable {
    private let descriptor: Int32

    /// Takes the port, which nobody else has.
    init(port: UInt16) throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        var yes: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let descriptor = descriptor
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(status == 0 && listen(descriptor, 1) == 0)
    }

    /// Answers the first connection, lets nobody else in, and returns when the other end has closed it.
    consuming func answer() {
        let connection = accept(descriptor, nil, nil)
        shutdown(descriptor, Int32(SHUT_RDWR))
        let greeting = [0xFF] + [UInt8](repeating: 0, count: 8) + [0x7F, 3, 0] + Array("NULL".utf8)
        let bytes = greeting + [UInt8](repeating: 0, count: 64 - greeting.count)
        _ = unsafe write(connection, bytes, bytes.count)
        var rest = [UInt8](repeating: 0, count: 256)
        while unsafe read(connection, &rest, rest.count) > 0 {}
        close(connection)
    }

    deinit {
        close(descriptor)
    }
}
