/// One session of one watch at the hub: its heartbeat and what it still has to get.
///
///     open ──frames──▶ open
///       └──three heartbeats of silence, unroutable, taken over, unpaired──▶ ended
struct HubSession: Hashable, Sendable {
    /// The silence, in heartbeats, after which a session has ended.
    static let silenceLimit = 3

    /// The session's number; frames with another one are dropped.
    let id: UInt64
    /// The watch.
    let peer: PeerKey
    /// The connection that carries the session.
    let connection: ConnectionID
    /// When the session opened.
    let opened: Instant
    /// The snapshots.
    var context: ContextSender
    /// The registers.
    var live: LiveSender
    /// The highest ping that the watch knows to be answered: above 0 both directions work.
    private(set) var answeredPing: UInt64 = 0
    /// When the watch was last heard.
    private(set) var lastHeard: Instant

    private let heartbeat: Duration

    /// Opens a session.
    init(id: UInt64, peer: PeerKey, connection: ConnectionID, hello: Hello, heartbeat: Duration, now: Instant) {
        self.id = id
        self.peer = peer
        self.connection = connection
        self.heartbeat = heartbeat
        opened = now
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
        lastHeard = now
    }

    /// A ping arrived.
    mutating func pinged(_ ping: Ping) {
        answeredPing = max(answeredPing, ping.answered)
    }
}
