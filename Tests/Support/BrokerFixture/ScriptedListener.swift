internal import Foundation
internal import Platform

#if canImport(Glibc)
    internal import Glibc
#endif

/// Something that listens at a port of 127.0.0.1 and says what the test tells it to, right or wrong.
///
/// The system accepts connections by itself: without a call of ``accept()`` it is a listener that never says a word.
public final class ScriptedListener: Sendable {
    /// One accepted connection; it is closed with this object.
    public final class Peer: Sendable {
        /// Nil after the end.
        private let socket: Lock<Int32?>

        fileprivate init(socket: Int32) {
            self.socket = Lock(socket)
        }

        deinit {
            close()
        }

        /// Waits for bytes, and returns what is there; empty when the other end has closed.
        @discardableResult
        public func receive() async throws -> [UInt8] {
            guard let socket = socket.withLock({ $0 }) else { return [] }
            return try await waiting(at: socket) { socket in
                var buffer = [UInt8](repeating: 0, count: 65_536)
                let count = unsafe recv(socket, &buffer, buffer.count, 0)
                return Array(buffer.prefix(max(0, count)))
            }
        }

        /// Sends a few bytes; to someone who has closed: into the void.
        public func send(_ bytes: [UInt8]) {
            guard let socket = socket.withLock({ $0 }) else { return }
            #if canImport(Glibc)
                _ = unsafe Glibc.send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            #else
                _ = unsafe Darwin.send(socket, bytes, bytes.count, 0)
            #endif
        }

        /// Ends the connection as it should be; not while ``receive()`` waits.
        public func close() {
            guard let socket = socket.withLock({ $0.take() }) else { return }
            closeDescriptor(socket)
        }

        /// Ends the connection without a goodbye, as a machine that has forgotten it does; not while ``receive()`` waits.
        public func reset() {
            guard let socket = socket.withLock({ $0.take() }) else { return }
            var linger = linger(l_onoff: 1, l_linger: 0)
            _ = unsafe setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
            closeDescriptor(socket)
        }
    }

    /// The address it listens at: 127.0.0.1.
    public let host = "127.0.0.1"
    /// The port it listens at.
    public let port: Int
    private let socket: Int32

    /// Starts to listen.
    public init() throws {
        socket = try openSocket()
        port = try bindToPort(0, socket)
        guard listen(socket, 16) == 0 else { throw lastSystemError() }
    }

    deinit {
        close(socket)
    }

    /// Waits for the next connection.
    public func accept() async throws -> Peer {
        try await waiting(at: socket) { Peer(socket: try acceptConnection(at: $0)) }
    }
}

/// Waits for something that a socket brings, on a thread of its own; a cancelled task makes the socket give up.
private func waiting<Value: Sendable>(
    at socket: Int32, _ body: @escaping @Sendable (Int32) throws -> Value
) async throws -> Value {
    try await withTaskCancellationHandler {
        try await onThreadOfItsOwn { try body(socket) }
    } onCancel: {
        _ = shutdown(socket, Int32(SHUT_RDWR))
    }
}

private func acceptConnection(at socket: Int32) throws -> Int32 {
    let peer = accept(socket, nil, nil)
    guard peer >= 0 else { throw lastSystemError() }
    closeOnExec(peer)
    return peer
}

/// The system's `close`, for types that have one themselves.
private func closeDescriptor(_ descriptor: Int32) { close(descriptor) }
