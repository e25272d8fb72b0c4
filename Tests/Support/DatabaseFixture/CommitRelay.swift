import Foundation
import Platform

/// A socket between a program and a PostgreSQL server, which can cut the connection just after the server has committed and
/// before the program learns it.
package final class CommitRelay: Sendable {
    private struct State: Sendable {
        var dropsNextCommit = false
        var isClosed = false
    }

    /// The end of the server's answer to a commit: the tag of its message CommandComplete.
    private static let commitTag = Array("COMMIT".utf8) + [0]

    private let target: String
    private let listener: Int32
    private let state = Lock(State())

    /// Listens at a path, and connects to another one for each connection.
    package init(to target: String, at path: String) throws {
        self.target = target
        listener = Self.makeSocket()
        guard try unsafe Self.call(listener, path, bind) == 0, listen(listener, 8) == 0 else { throw POSIXError(.EIO) }
        // The server's user may be another one.
        unsafe chmod(path, 0o777)
        DedicatedThread.start { [self] in accept() }
    }

    /// Cuts the next connection whose server has committed.
    package func dropNextCommit() { state.withLock { $0.dropsNextCommit = true } }

    /// Takes no more connections.
    package func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Glibc)
            socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
    }

    private static func call(
        _ descriptor: Int32, _ path: String,
        _ function: (Int32, UnsafePointer<sockaddr>?, socklen_t) -> Int32
    ) throws -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else { throw POSIXError(.ENAMETOOLONG) }
        // The path fits, and the call gets the address as a general socket address, with its size.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            guard client >= 0, !state.withLock(\.isClosed) else { break }
            let server = Self.makeSocket()
            guard (try? unsafe Self.call(server, target, connect)) == 0 else {
                Foundation.close(client)
                Foundation.close(server)
                continue
            }
            DedicatedThread.start { [self] in pass(from: client, to: server, isAnswer: false) }
            DedicatedThread.start { [self] in pass(from: server, to: client, isAnswer: true) }
        }
        Foundation.close(listener)
    }

    private func pass(from source: Int32, to target: Int32, isAnswer: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            guard count > 0 else { break }
            let drops =
                isAnswer && buffer[..<count].firstRange(of: Self.commitTag) != nil
                && state.withLock { state in
                    defer { state.dropsNextCommit = false }
                    return state.dropsNextCommit
                }
            guard !drops, unsafe write(target, buffer, count) == count else { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(target, Int32(SHUT_RDWR))
    }
}
