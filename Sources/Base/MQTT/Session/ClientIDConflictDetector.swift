/// How sure it is that another client uses the same client identifier.
package enum ClientIDConflict: Hashable, Sendable {
    /// The broker said so.
    case certain
    /// The broker accepted the client and closed the connection soon, so many times in a row.
    case likely(connectionCount: Int)
}

/// Notices that another client with the same name and this one throw each other out.
///
/// A broker of MQTT 5.0 may say so. Others just close the connection that was there before; then it shows in
/// connections that are accepted and closed soon, several times in a row.
struct ClientIDConflictDetector: Hashable, Sendable {
    /// A connection that stood as long was not taken over by a client that comes back at once.
    static let shortLife = Duration.seconds(60)
    /// The short connections in a row that are too many.
    static let countMax = 3

    private enum State: Hashable, Sendable {
        case counting(shortConnections: Int)
        case certain
    }

    private var state = State.counting(shortConnections: 0)

    /// Takes in the end of a connection.
    ///
    /// - Parameters:
    ///   - reason: Why it ended.
    ///   - duration: How long it stood, nil if it never did.
    mutating func ended(_ reason: Client.EndReason, after duration: Duration?) {
        switch reason {
        case .disconnected(.sessionTakenOver):
            state = .certain
        case .connectionLost:
            guard let duration, duration < Self.shortLife else { return reset() }
            if case .counting(let count) = state { state = .counting(shortConnections: count + 1) }
        case .closed, .refused, .disconnected, .nameNotFound, .unreachable, .tlsFailed, .timedOut, .keepAliveExpired,
            .protocolViolated, .failed:
            reset()
        }
    }

    /// What the ends so far mean; nil if nothing is wrong.
    var conflict: ClientIDConflict? {
        switch state {
        case .certain: .certain
        case .counting(let count): count < Self.countMax ? nil : .likely(connectionCount: count)
        }
    }

    private mutating func reset() { state = .counting(shortConnections: 0) }
}
