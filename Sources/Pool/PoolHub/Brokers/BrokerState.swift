import PoolControl
public import PoolModel

/// What the hub knows of its connection to one server.
public struct BrokerState: Hashable, Sendable {
    /// The phase of the connection.
    public enum Phase: Hashable, Sendable {
        /// The phase while an attempt runs.
        case connecting
        /// The phase after the broker accepted the hub.
        case connected
        /// The phase between two attempts, with why the last one ended.
        case waiting(reason: String, needsAttention: Bool)
    }

    /// The phase of the connection.
    public var phase: Phase
    /// When the phase began.
    public var since: Timestamp
    /// The topics that the broker refuses to deliver, each with its reason.
    public var refusedTopics: [String]
    /// The topics that the broker delivers at most once, so that readings are lost while the hub is away.
    public var weakTopics: [String] = []
    /// Why the last reading could not be stored, nil if it could.
    public var storeTrouble: String?

    /// Whether the broker has accepted the hub.
    public var isConnected: Bool { phase == .connected }
}

extension BrokerState {
    /// The state as lists and screens show it.
    var summary: ServerConnection {
        let phase: ServerConnection.Phase =
            switch self.phase {
            case .connecting: .connecting
            case .connected: .connected
            case .waiting(_, let needsAttention): needsAttention ? .failed : .waiting
            }
        return ServerConnection(phase, words: "\(self)")
    }
}

extension BrokerState: CustomStringConvertible {
    /// The state in words.
    public var description: String {
        var text =
            switch phase {
            case .connecting: "connecting"
            case .connected: "connected"
            case .waiting(let reason, let needsAttention):
                needsAttention ? "needs attention: \(reason)" : "waiting to reconnect: \(reason)"
            }
        if !refusedTopics.isEmpty { text += "; not subscribed: \(refusedTopics.joined(separator: ", "))" }
        if !weakTopics.isEmpty { text += "; without guarantee (QoS 0): \(weakTopics.joined(separator: ", "))" }
        if let storeTrouble { text += "; cannot store readings: \(storeTrouble)" }
        return text
    }
}
