import MQTT

/// Notices that another client with the same name and this one throw each other out.
///
/// A broker of MQTT 5.0 may say so. Others just close the connection that was there before; then it shows in
/// connections that are accepted and closed soon, several times in a row.
struct ClientIDConflictDetector {
    /// A connection that stood as long was not taken over by a client that comes back at once.
    static let shortLife = Duration.seconds(60)
    /// The short connections in a row that are too many.
    static let countMax = 3

    private(set) var count = 0
    private var isCertain = false

    /// Takes in the end of a connection.
    ///
    /// - Parameters:
    ///   - reason: Why it ended.
    ///   - duration: How long it stood, nil if it never did.
    mutating func ended(_ reason: Client.EndReason, after duration: Duration?) {
        switch reason {
        case .disconnected(.sessionTakenOver):
            count += 1
            isCertain = true
        case .connectionLost:
            guard let duration, duration < Self.shortLife else { return reset() }
            count += 1
        case .closed, .refused, .disconnected, .nameNotFound, .unreachable, .tlsFailed, .timedOut, .keepAliveExpired,
            .protocolViolated, .failed:
            reset()
        }
    }

    /// What a person must do, in words; nil if nothing is wrong.
    func words(clientIdentifier: String) -> String? {
        let remedy =
            "run one hub only on each copy of a state folder; a hub in a folder that was copied needs keys of its own: "
            + "remove hub.key.secret there, and pair its watches anew"
        if isCertain {
            return "another client took over the hub's session: a second hub uses the name \(clientIdentifier); "
                + remedy
        }
        guard count >= Self.countMax else { return nil }
        return "the broker accepted this hub and closed the connection again, \(count) times in a row: most likely a "
            + "second hub uses the name \(clientIdentifier); \(remedy)"
    }

    private mutating func reset() {
        count = 0
        isCertain = false
    }
}
