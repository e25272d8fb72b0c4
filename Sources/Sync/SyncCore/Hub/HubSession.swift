/// One session of one watch at the hub: its heartbeat and what it still has to get.
///
///     opened ──a frame of the session──▶ linked
///        │                                  │
///        └─────────────────┬────────────────┘
///                          └──silent, unroutable, farewell, takenOver, unpaired, contradicted──▶ ended
///
/// No enum has these states. In a session that is opened, ``isLinked`` is false; in one that is linked, it is true; and
/// one that has ended is no longer in `HubEngine.sessions`. The words on the way to the end are the cases of
/// ``HubEngine/EndReason``. BYE is a frame, too, so what ends by `farewell` was linked at least for that moment.
struct HubSession: Hashable, Sendable {
    /// The silence, in heartbeats, after which a session has ended.
    static let silenceLimit = 3

    /// The session's number; frames with another one are dropped.
    let id: UInt64
    /// The watch.
    let peer: PeerKey
    /// The connection that carries the session.
    let connection: ConnectionID
    /// The version of the records that the watch reads.
    let records: UInt32
    /// How far the watch had received items when it greeted.
    let items: ItemPositions
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
    /// Why the watch's uploads wait, nil if nothing keeps them.
    var wait: BlockedUploads?

    /// The silence after which the session has ended, in nanoseconds.
    private let patience: Int64

    /// Opens a session.
    init(
        id: UInt64, peer: PeerKey, connection: ConnectionID, hello: Hello, records: UInt32,
        registers: RegisterTable = RegisterTable(), heartbeat: Duration, now: Instant
    ) {
        self.id = id
        self.peer = peer
        self.connection = connection
        self.records = records
        patience = (heartbeat * Self.silenceLimit).wholeNanoseconds
        nonce = hello.nonce
        items = hello.items
        lastHeard = now
        // What was made for other records lacks cells, or has too many.
        context = ContextSender(known: hello.knownRecords == records ? hello.known : nil)
        live = LiveSender(window: hello.window, table: registers)
    }

    /// When the session ends unless the watch is heard.
    var silenceDeadline: Instant { lastHeard.advanced(byNanoseconds: patience) }

    /// When something is to be done next.
    var deadline: Instant {
        var deadline = silenceDeadline
        if let context = context.deadline { deadline = min(deadline, context) }
        if let live = live.deadline { deadline = min(deadline, live) }
        return deadline
    }

    /// A frame of the session arrived.
    ///
    /// - Returns: How far the watch had received items when it greeted, if this is its first frame.
    mutating func heard(now: Instant) -> ItemPositions? {
        lastHeard = now
        guard !isLinked else { return nil }
        isLinked = true
        return items
    }

    /// Takes the value of the table's last change, if it can go out at once, since nothing else is due; it counts as
    /// sent.
    ///
    /// - Returns: Its number; nil if it has to wait until the watch gives credit, or until what is due is done.
    mutating func takeAtOnce(_ place: Int, of registers: RegisterTable, _ version: Version, now: Instant) -> UInt64? {
        // First what is so as a rule where a watch is slow.
        guard live.canTakeAtOnce(registers), now < silenceDeadline, !context.isDue(version, now: now) else {
            return nil
        }
        return live.takeAtOnce(place, of: registers, now: now)
    }

    /// What a session's time and credit ask for now.
    struct Due {
        /// The watch was silent for too long.
        var isSilent = false
        /// The snapshot of the current version is to be sent.
        var wantsContext = false
        /// The registers to send, by their places in the table, with their numbers.
        var registers: [(number: UInt64, place: Int)] = []
        /// When to look again.
        var deadline: Instant
    }

    /// Takes what time and credit ask for; it counts as sent.
    mutating func takeDue(
        _ version: Version, _ registers: RegisterTable, now: Instant, withContext: Bool = true
    ) -> Due {
        var due = Due(deadline: silenceDeadline)
        guard now < silenceDeadline else {
            due.isSilent = true
            return due
        }
        due.wantsContext = withContext && context.shouldSend(version, now: now)
        live.timeReached(registers, now: now)
        while let next = live.next(now: now) { due.registers.append(next) }
        due.deadline = deadline
        return due
    }
}
