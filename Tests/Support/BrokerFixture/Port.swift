internal import Foundation
import Platform

#if canImport(Glibc)
    internal import Glibc
#endif

/// A port of 127.0.0.1 at which nobody listens now.
///
/// Nothing keeps others from taking it afterwards, but it lies below those that the system chooses by itself, for
/// outgoing connections too: so a program may free it, and take it again later.
public func freePort() throws -> Int {
    for _ in 0..<1000 {
        let socket = try openSocket()
        defer { close(socket) }
        do {
            return try bindToPort(Int.random(in: 20_000..<32_768), socket)
        } catch POSIXError.EADDRINUSE {
            continue
        }
    }
    throw POSIXError(.EADDRINUSE)
}

/// A port of 127.0.0.1 that refuses every connection while this object is there: it is taken, but nobody listens.
public final class ClosedPort: Sendable {
    /// The port.
    public let port: Int
    private let socket: Int32

    /// Takes a port.
    public init() throws {
        socket = try openSocket()
        port = try bindToPort(0, socket)
    }

    deinit {
        close(socket)
    }
}

/// Opens a TCP socket.
func openSocket() throws -> Int32 {
    #if canImport(Glibc)
        let type = Int32(SOCK_STREAM.rawValue)
    #else
        let type = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw lastSystemError() }
    closeOnExec(descriptor)
    return descriptor
}

/// Gives the socket a port of 127.0.0.1; 0 lets the system choose one that nobody has.
///
/// - Returns: The port.
/// - Throws: `POSIXError.EADDRINUSE` if somebody has it.
func bindToPort(_ port: Int, _ socket: Int32) throws -> Int {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
            unsafe bind(socket, pointer, size) == 0 ? unsafe getsockname(socket, pointer, &size) : -1
        }
    }
    guard result == 0 else { throw lastSystemError() }
    return Int(UInt16(bigEndian: address.sin_port))
}

/// The error of the last system call.
func lastSystemError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
