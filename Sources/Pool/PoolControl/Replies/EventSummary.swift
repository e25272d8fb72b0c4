package import PoolModel

/// An event at a hub, described for a user.
package struct EventSummary: Codable, Hashable, Sendable {
    /// The kind of an event.
    package enum Kind: String, Codable, CaseIterable, Sendable {
        /// The hub accepts connections of watches.
        case listening
        /// The state of the connection to a server changed.
        case server
        /// Readings arrived.
        case reading
        /// A watch was paired.
        case paired
        /// A watch established a session.
        case linked
        /// A watch's session ended.
        case unlinked
        /// A watch was rejected.
        case declined
        /// The configuration has a new revision.
        case configured
        /// A value was rejected in a conflict.
        case conflict
        /// The transfer of a shared file ended.
        case shared
        /// A dose was logged.
        case dose
        /// An alert began or ended.
        case alert
        /// A notice for the user.
        case notice
        /// A line of the hub's log.
        case log
    }

    /// The number of the event since the hub started; it increases.
    package var number: UInt64
    /// When it happened, by the hub's clock.
    package var at: Timestamp
    /// The kind of the event.
    package var kind: Kind
    /// The severity; nil for a routine event or good news.
    package var severity: AlertSeverity?
    /// What happened, in one sentence.
    package var text: String

    /// Creates an event.
    package init(number: UInt64, at: Timestamp, kind: Kind, severity: AlertSeverity? = nil, text: String) {
        self.number = number
        self.at = at
        self.kind = kind
        self.severity = severity
        self.text = text
    }
}
