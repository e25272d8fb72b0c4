import CommandSupport
import Foundation
import Platform

/// A TCP port of this machine that passes everything on to another one, until it is cut.
///
/// The bytes are encrypted; it cannot read them.
final class LinkRelay: Sendable {
    private struct State {
        var isCut = false
        var isEnded = false
        /// The sockets of the present connections.
        var sockets: Set<Int32> = []
    }

    /// The port at which it listens.
    let port: Int
    private let target: Int
    private let listener: Int32
    private let state = Lock(State())

    /// Listens from now on.
    init(to target: Int) throws {
        (listener, port) = try LocalTools.listeningSocket()
        self.target = target
        Thread.detachNewThread { [self] in accept() }
    }

    /// Ends all connections, and lets no new one in.
    func cut() {
        setCut(true)
    }

    /// Lets connections in again.
    func heal() {
        setCut(false)
    }

    /// Ends all connections, and stops listening.
    func end() {
        state.withLock { $0.isEnded = true }
        setCut(true)
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func setCut(_ isCut: Bool) {
        state.withLock { state in
            state.isCut = isCut
            guard isCut else { return }
            for socket in state.sockets { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    private func accept() {
        while !state.withLock(\.isEnded) {
            let connection = Foundation.accept(listener, nil, nil)
            guard connection >= 0 else { continue }
            guard !state.withLock(\.isCut), let other = try? LocalTools.connectedSocket(port: target) else {
                close(connection)
                continue
            }
            let sockets = [connection, other]
            let isCut = state.withLock { state in
                state.sockets.formUnion(sockets)
                return state.isCut
            }
            if isCut { for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
            let group = DispatchGroup()
            for (from, to) in [(connection, other), (other, connection)] {
                group.enter()
                Thread.detachNewThread {
                    Self.pump(from, to)
                    group.leave()
                }
            }
            group.notify(queue: .global()) { [self] in
                state.withLock { $0.sockets.subtract(sockets) }
                for socket in sockets { close(socket) }
            }
        }
        close(listener)
    }

    /// Passes on what comes, until one of the two ends.
    private static func pump(_ from: Int32, _ to: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            // The buffer has the given length.
            let count = unsafe read(from, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            var rest = buffer[..<count]
            while !rest.isEmpty {
                let written = unsafe rest.withUnsafeBytes { unsafe write(to, $0.baseAddress, $0.count) }
                if written < 0, errno == EINTR { continue }
                guard written > 0 else { break }
                rest = rest.dropFirst(written)
            }
            if !rest.isEmpty { break }
        }
        for socket in [from, to] { shutdown(socket, Int32(SHUT_RDWR)) }
    }
}
