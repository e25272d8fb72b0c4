/// One session of one watch at the hub: its heartbeat and what it still has to get.
///
///     opened ──first frame of the session──▶ linked ──frames──▶ linked
///        └────────────────────────────────────┴──three heartbeats of silence, unroutable, taken over, unpaired──▶ ended
struct HubSession: Hashable, Sendable {
    /// The silence, in heartbeats, after which a session has ended.
    static let silenceLimit = 3

    /// The session's number; frames with another one are dropped.
    let id: UInt64
    /// The watch.
    let peer: PeerKey
    /// The connection that carries the session.
    let connection: ConnectionID
    /// The nonce of the greeting that it answers.
    let nonce: UInt64
    /// The snapshots.
    var context: ContextSender
    /// The registers.
    var live: LiveSender
    /// Whether the watch has used the session: then it has heard the welcome, and both directions work.
    private(set) var isLinked = false
    /// When the watch was last heard.
    private(set) var lastHeard: Instant

    private let heartbeat: Duration

    /// Opens a session.
    init(id: UInt64, peer: PeerKey, connection: ConnectionID, hello: Hello, heartbeat: Duration, now: Instant) {
        self.id = id
        self.peer = peer
        self.connection = connection
        self.heartbeat = heartbeat
        nonce = hello.nonce
        lastHeard = now
        context = ContextSender(known: hello.known)
        live = LiveSender(window: hello.window)
    }

    /// When the session ends unless the watch is heard.
    var silenceDeadline: Instant { lastHeard.advanced(by: heartbeat * Self.silenceLimit) }

    /// When something is to be done next.
    var deadline: Instant {
        [silenceDeadline, context.deadline, live.deadline].compactMap(\.self).min() ?? silenceDeadline
    }

    /// A frame of the session arrived.
    mutating func heard(now: Instant) {
        isLinked = true
        lastHeard = now
    }
}
