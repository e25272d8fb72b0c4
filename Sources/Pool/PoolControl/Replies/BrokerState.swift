package import PoolModel

/// The state of a hub's connection to the broker of a server.
package struct BrokerState: Hashable, Sendable {
    /// The phase of the connection.
    package enum Phase: Hashable, Sendable {
        /// An attempt is running.
        case connecting
        /// The broker has accepted the hub.
        case connected
        /// The last attempt ended for this reason, and the next one will be made.
        case waiting(reason: String, needsAttention: Bool)
    }

    /// The phase of the connection.
    package var phase: Phase
    /// When the phase began, by the hub's clock.
    package var since: Timestamp
    /// A filter that the broker refuses.
    package struct Refusal: Hashable, Sendable {
        /// The filter.
        package var filter: String
        /// Why, in the words of MQTT.
        package var reason: String

        /// Creates a refusal.
        package init(filter: String, reason: String) {
            self.filter = filter
            self.reason = reason
        }

        /// The refusal in words, with what to do.
        package var words: String {
            "the broker refuses to deliver \(filter) (\(reason)): allow the hub's user to read it"
        }
    }

    /// The filters that the broker refuses, and why.
    package var refusals: [Refusal] = []
    /// The topics that the broker delivers at most once, so that readings are lost while the hub is away.
    package var weakTopics: [String] = []
    /// Why the last reading could not be stored; nil if it could.
    package var storeTrouble: String?

    /// Creates a state.
    package init(
        phase: Phase, since: Timestamp, refusals: [Refusal] = [], weakTopics: [String] = [],
        storeTrouble: String? = nil
    ) {
        self.phase = phase
        self.since = since
        self.refusals = refusals
        self.weakTopics = weakTopics
        self.storeTrouble = storeTrouble
    }

    /// Whether the broker has accepted the hub.
    package var isConnected: Bool { phase == .connected }

    /// The state as lists and screens show it.
    package var summary: ServerConnection {
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
    package var description: String {
        var text =
            switch phase {
            case .connecting: "connecting"
            case .connected: "connected"
            case .waiting(let reason, let needsAttention):
                needsAttention ? "needs attention: \(reason)" : "waiting to reconnect: \(reason)"
            }
        text += refusals.map { "; \($0.words)" }.joined()
        if !weakTopics.isEmpty { text += "; without guarantee (QoS 0): \(weakTopics.joined(separator: ", "))" }
        if let storeTrouble { text += "; cannot store readings: \(storeTrouble)" }
        return text
    }
}
