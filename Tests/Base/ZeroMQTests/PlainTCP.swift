import ZeroMQ

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A TCP socket of the system, closed with its owner; for what no ZeroMQ socket does.
final class PlainTCP {
    private let descriptor: Int32

    private init() throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        descriptor = socket(AF_INET, kind, 0)
        if descriptor < 0 { throw NothingHappened() }
    }

    deinit {
        close(descriptor)
    }

    /// A connection to a port of this machine.
    static func connected(to port: UInt16) throws -> PlainTCP {
        let plain = try PlainTCP()
        try unsafe plain.withLoopbackAddress(port: port) { address, byteCount in
            unsafe connect(plain.descriptor, address, byteCount)
        }
        return plain
    }

    /// A port of this machine that is taken, but where nobody listens: connections are refused.
    static func bound() throws -> PlainTCP {
        let plain = try PlainTCP()
        try unsafe plain.withLoopbackAddress(port: 0) { address, byteCount in
            unsafe bind(plain.descriptor, address, byteCount)
        }
        return plain
    }

    /// Where it is bound.
    var endpoint: Endpoint {
        get throws {
            var port: UInt16 = 0
            try unsafe withLoopbackAddress(port: 0) { address, byteCount in
                var byteCount = byteCount
                let result = unsafe getsockname(descriptor, address, &byteCount)
                port = unsafe address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    unsafe $0.pointee.sin_port
                }
                return result
            }
            return try Endpoint("tcp://127.0.0.1:\(UInt16(bigEndian: port))")
        }
    }

    func write(_ bytes: [UInt8]) {
        #if canImport(Glibc)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags = Int32(0)
        #endif
        // The peer may have hung up already, which is as good.
        _ = unsafe send(descriptor, bytes, bytes.count, flags)
    }

    private func withLoopbackAddress(
        port: UInt16, _ call: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(INADDR_LOOPBACK).bigEndian
        // The C functions take the address in the general form of its kind.
        let result = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe call($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { throw NothingHappened() }
    }
}
