import SyncCore

/// The socket of a watch in virtual time.
///
/// It tries to connect again and again, as a DEALER of libzmq does, and `ConnectionSupervisor` decides when another
/// one replaces it. Call ``nextDirective()`` after each event.
package struct VirtualSocket: Sendable {
    private var supervisor = ConnectionSupervisor()
    /// The number of the connection that it has, nil without one.
    private(set) var connection: Int?
    /// The number of the newest attempt to connect; events of earlier ones are ignored.
    private(set) var attempt = 0
    /// Whether that attempt is under way.
    private var isTrying = false
    /// Whether the engine has given up the last socket, and no other one is open yet.
    private(set) var isReplaced = false

    /// Forgets everything but the number of the attempt: the process of the watch starts, or ends.
    mutating func restart() {
        supervisor = ConnectionSupervisor()
        connection = nil
        attempt += 1
        isTrying = false
        isReplaced = false
    }

    /// What is to be done about the socket now.
    mutating func nextDirective() -> ConnectionSupervisor.SocketDirective { supervisor.nextSocketDirective() }

    /// When ``timeReached(at:)`` has something to do, nil if it never will.
    var deadline: Instant? { supervisor.deadline }

    mutating func timeReached(at now: Instant) { supervisor.timeReached(at: now) }

    // MARK: - Sockets

    /// A socket is open.
    mutating func opened() {
        supervisor.socketOpened()
        isTrying = false
        isReplaced = false
    }

    /// The system had no room for a socket.
    mutating func denied(at now: Instant) {
        _ = supervisor.socketDenied(at: now)
        attempt += 1
        isTrying = false
    }

    /// The engine wants another socket.
    mutating func replace() {
        supervisor.replaceSocket()
        isReplaced = true
    }

    /// A person wants no more waiting.
    mutating func retry() { supervisor.retryRequested() }

    // MARK: - Attempts

    /// Whether an attempt may begin: the socket tries to connect, and no attempt is under way.
    var isIdle: Bool { connection == nil && !isTrying && supervisor.keepsSocket && supervisor.deadline == nil }

    /// An attempt begins; returns its number.
    mutating func begin() -> Int {
        attempt += 1
        isTrying = true
        return attempt
    }

    /// Whether this attempt is under way.
    func isTrying(_ number: Int) -> Bool { isTrying && number == attempt }

    /// Nothing answered.
    mutating func unanswered() {
        isTrying = false
        _ = supervisor.connectionRetried()
    }

    /// Something accepted the connection; the handshake follows.
    mutating func taken(at now: Instant) { supervisor.connectionTaken(at: now) }

    /// The handshake failed; returns whether the same socket tries again.
    mutating func failed(_ failure: ConnectionSupervisor.HandshakeFailure, at now: Instant) -> Bool {
        isTrying = false
        _ = supervisor.handshakeFailed(failure, at: now)
        guard supervisor.deadline == nil else { return false }
        _ = supervisor.connectionRetried()
        return true
    }

    /// The handshake succeeded; returns whether the engine has to be notified that it has a connection.
    mutating func succeeded(_ number: Int) -> Bool {
        isTrying = false
        switch supervisor.handshakeSucceeded() {
        case .beginConnection:
            connection = number
            return true
        case .ignore: return false
        }
    }

    /// The connection is gone; returns whether the engine has to be notified.
    mutating func lost() -> Bool {
        connection = nil
        switch supervisor.connectionLost() {
        case .endConnection: return true
        case .ignore: return false
        }
    }

    /// The socket is closed with its connection; returns the number of that, nil if it had none.
    mutating func close() -> Int? {
        defer { connection = nil }
        return connection
    }
}
