/// The evidence that another client uses the same client identifier.
package enum ClientIDConflict: Hashable, Sendable {
    /// The broker reported it.
    case certain
    /// The broker accepted the client and closed the connection soon after, this many times in a row.
    case likely(connectionCount: Int)
}

/// Detects that another client with the same identifier and this one disconnect each other.
///
/// A broker of MQTT 5.0 may report it. Other brokers just close the older connection; then the conflict shows as
/// several connections in a row that are accepted and closed soon after.
struct ClientIDConflictDetector: Hashable, Sendable {
    /// A connection that lasted this long was not ended by a client that reconnects at once.
    static let shortDuration = Duration.seconds(60)
    /// The number of short connections in a row that counts as a conflict.
    static let countMax = 3

    private enum State: Hashable, Sendable {
        case counting(shortConnections: Int)
        case certain
    }

    private var state = State.counting(shortConnections: 0)

    /// Records the end of a connection.
    ///
    /// - Parameters:
    ///   - reason: The reason of the end.
    ///   - duration: How long the connection lasted; nil if it was never established.
    mutating func ended(_ reason: Client.EndReason, after duration: Duration?) {
        switch reason {
        case .disconnected(.sessionTakenOver):
            state = .certain
        case .connectionLost:
            guard let duration, duration < Self.shortDuration else { return reset() }
            if case .counting(let count) = state { state = .counting(shortConnections: count + 1) }
        case .closed, .refused, .disconnected, .nameNotFound, .unreachable, .tlsFailed, .timedOut, .keepAliveExpired,
            .protocolViolated, .failed:
            reset()
        }
    }

    /// The conflict, judged by the ends so far, or nil.
    var conflict: ClientIDConflict? {
        switch state {
        case .certain: .certain
        case .counting(let count): count < Self.countMax ? nil : .likely(connectionCount: count)
        }
    }

    private mutating func reset() { state = .counting(shortConnections: 0) }
}
