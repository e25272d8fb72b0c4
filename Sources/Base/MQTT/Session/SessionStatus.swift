/// The present state of a session's connection to its broker.
package struct SessionStatus: Hashable, Sendable {
    /// The phase of the connection.
    package enum Phase: Hashable, Sendable {
        /// The phase while an attempt runs.
        case connecting
        /// The phase after the broker accepted the client; with whether it resumed an earlier session.
        case connected(isSessionPresent: Bool)
        /// The phase between two attempts, with the reason why the last one ended.
        case waiting(SessionProblem)
    }

    /// The phase of the connection.
    package var phase: Phase
    /// Whether the broker is delivering its backlog.
    package var isCatchingUp = false
    /// The filters that the broker refused, and those that it delivers at most once, in the order of their texts.
    package var shortfalls: [SubscriptionAnswer] = []
    /// Why the last messages could not be stored; nil if they could.
    package var storeProblem: String?
    /// Whether the broker refused MQTT 5.0, so that the session speaks MQTT 3.1.1, whose messages do not expire.
    package var hasSteppedDown = false
}

/// Why a session has no connection.
package enum SessionProblem: Hashable, Sendable {
    /// There can be no attempt, for this reason.
    case notTried(String)
    /// The last attempt or connection ended; with whether the broker had accepted the client.
    case ended(Client.EndReason, wasConnected: Bool)
    /// Another client with the same client identifier ends the connections.
    case clientIDConflict(ClientIDConflict)

    /// Whether it will happen again until a person changes something.
    package var needsAttention: Bool {
        switch self {
        case .notTried, .clientIDConflict: true
        case .ended(let reason, _): reason.needsAttention
        }
    }
}

/// One connection of a session.
package struct SessionConnection: Hashable, Sendable {
    /// The number of the connection; unique in this process.
    package var number: UInt64
    /// Whether the broker resumed an earlier session.
    package var isSessionResumed: Bool
    /// Whether it is a stand-in's connection, whose messages are not stored.
    package var isStandIn: Bool

    /// Creates the description of a connection.
    package init(number: UInt64, isSessionResumed: Bool, isStandIn: Bool = false) {
        self.number = number
        self.isSessionResumed = isSessionResumed
        self.isStandIn = isStandIn
    }
}

/// What happens to handled messages.
package enum MessageDisposition: Hashable, Sendable {
    /// They are stored, or not worth storing: the broker may forget them.
    case acknowledge
    /// They could not be stored: the broker has to send them again.
    case sendAgain(reason: String)
}
