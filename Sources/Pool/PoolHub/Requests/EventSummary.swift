public import PoolModel

/// Something that happened at a hub, in words for a person.
public struct EventSummary: Codable, Hashable, Sendable {
    /// What kind of thing happened.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// Watches can connect.
        case listening
        /// The connection to a server changed.
        case server
        /// Readings came.
        case reading
        /// A watch was paired.
        case paired
        /// A watch has a session.
        case linked
        /// A watch's session ended.
        case unlinked
        /// A watch was declined.
        case declined
        /// The configuration has a new revision.
        case configured
        /// A value lost against another one.
        case conflict
        /// A file that was shared with a watch came to its end.
        case shared
        /// Something is wrong with the water or a connection, or is no longer.
        case alert
        /// Something that a person should know.
        case notice
        /// A line of the hub's log.
        case log
    }

    /// The number of the event since the hub started; each is greater than all before it.
    public var number: UInt64
    /// When it happened, by the hub's clock.
    public var at: Timestamp
    /// What kind of thing it is.
    public var kind: Kind
    /// How bad it is; nil if it is routine, or good news.
    public var severity: AlertSeverity?
    /// What happened, in one sentence.
    public var text: String

    /// Creates a note.
    public init(number: UInt64, at: Timestamp, kind: Kind, severity: AlertSeverity? = nil, text: String) {
        self.number = number
        self.at = at
        self.kind = kind
        self.severity = severity
        self.text = text
    }
}
