/// What is known of a session's connection to its broker now.
package struct SessionStatus: Hashable, Sendable {
    /// The phase of the connection.
    package enum Phase: Hashable, Sendable {
        /// The phase while an attempt runs.
        case connecting
        /// The phase after the broker accepted the client; whether it went on with the session of before.
        case connected(isSessionPresent: Bool)
        /// The phase between two attempts, with why the last one ended.
        case waiting(SessionProblem)
    }

    /// The phase of the connection.
    package var phase: Phase
    /// Whether the broker is delivering what it kept.
    package var isCatchingUp = false
    /// The filters that the broker refuses, and those that it delivers at most once, in the order of their texts.
    package var shortfalls: [SubscriptionAnswer] = []
    /// Why the last messages could not be kept, nil if they could.
    package var storeProblem: String?
}

/// Why a session has no connection.
package enum SessionProblem: Hashable, Sendable {
    /// It cannot be tried, for this reason.
    case notTried(String)
    /// The last attempt or connection ended; whether the broker had accepted the client.
    case ended(Client.EndReason, wasConnected: Bool)
    /// Another client with the same client identifier ends the connections.
    case clientIDConflict(ClientIDConflict)

    /// Whether the same happens again until a person changes something.
    package var needsAttention: Bool {
        switch self {
        case .notTried, .clientIDConflict: true
        case .ended(let reason, _): reason.needsAttention
        }
    }
}

/// One connection of a session.
package struct SessionConnection: Hashable, Sendable {
    /// The number of the connection, which no other connection of this process has.
    package var number: UInt64
    /// Whether the broker went on with the session of before.
    package var isSessionResumed: Bool
    /// Whether it is a stand-in's, of which nothing is stored.
    package var isStandIn: Bool

    /// Creates the description of a connection.
    package init(number: UInt64, isSessionResumed: Bool, isStandIn: Bool = false) {
        self.number = number
        self.isSessionResumed = isSessionResumed
        self.isStandIn = isStandIn
    }
}

/// What is to become of messages.
package enum MessageDisposition: Hashable, Sendable {
    /// They are kept, or not worth keeping: the broker may forget them.
    case acknowledge
    /// They could not be kept: the broker must send them again.
    case sendAgain(reason: String)
}
