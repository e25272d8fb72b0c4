/// One session of one watch at the hub: its heartbeat, and what the hub still has to send.
///
///     opened ──a frame of the session──▶ linked
///        │                                  │
///        └─────────────────┬────────────────┘
///                          └──silent, unroutable, farewell, takenOver, unpaired, contradicted, cutOff──▶ ended
///
/// A session that has ended is no longer in `HubEngine.sessions`. The labels on the arrow to `ended` are cases of
/// ``HubEngine/EndReason``. BYE is a frame of the session, too, so a session that ends by `farewell` was linked at
/// least for that moment.
struct HubSession: Sendable {
    private enum State: Hashable, Sendable {
        /// The welcome was sent.
        case opened
        /// The watch has used the session.
        ///
        /// So it has received the welcome, and both directions work.
        case linked
    }

    /// The silence, in heartbeats, that ends a session.
    static let silenceLimit = 3

    /// The session's number; frames with another one are dropped.
    let id: UInt64
    /// The watch.
    let peer: PeerKey
    /// The connection that carries the session.
    let connection: ConnectionID
    /// The record version that the watch reads.
    let records: UInt32
    /// The positions up to which the watch had received items when it greeted.
    let items: ItemPositions
    /// Whether the watch takes several register values in one frame.
    let takesRegisters: Bool
    /// The nonce of the greeting that opened the session.
    let nonce: UInt64
    /// The snapshots.
    var context: ContextSender
    /// The registers.
    var live: LiveSender
    private var state = State.opened
    /// When the hub last received something from the watch.
    private(set) var lastHeard: Instant
    /// The uploads of the watch that wait because the conflict log is full; nil if none do.
    var wait: BlockedUploads?
    /// The uploads that wait until the watch has paid for earlier ones, and until when; nil if none do.
    private(set) var held: (batch: UploadBatch, until: Instant)?

    /// The silence that ends a session.
    private let silenceMaxNanoseconds: Int64

    /// Opens a session.
    init(
        id: UInt64, peer: PeerKey, connection: ConnectionID, hello: Hello, records: UInt32,
        registers: RegisterTable = RegisterTable(), heartbeat: Duration, now: Instant
    ) {
        self.id = id
        self.peer = peer
        self.connection = connection
        self.records = records
        silenceMaxNanoseconds = (heartbeat * Self.silenceLimit).wholeNanoseconds
        nonce = hello.nonce
        takesRegisters = hello.takesRegisters
        items = hello.items
        lastHeard = now
        // A snapshot that was made for another record version lacks cells, or has too many.
        context = ContextSender(
            known: hello.knownRecords == records ? hello.known : nil, takesDeltas: hello.takesDeltas)
        live = LiveSender(window: hello.window, table: registers)
    }

    /// Whether the watch has used the session.
    var isLinked: Bool { state == .linked }

    /// When the session ends unless the watch sends something before.
    var silenceDeadline: Instant { lastHeard.advanced(byNanoseconds: silenceMaxNanoseconds) }

    /// When something has to be done next.
    var deadline: Instant {
        var deadline = silenceDeadline
        if let context = context.deadline { deadline = min(deadline, context) }
        if let live = live.deadline { deadline = min(deadline, live) }
        if let held { deadline = min(deadline, held.until) }
        return deadline
    }

    /// Whether nothing has to be done but to end it after silence.
    var isResting: Bool {
        isLinked && wait == nil && held == nil && context.deadline == nil && live.deadline == nil
    }

    /// Keeps uploads until a time, in place of those that it keeps.
    mutating func hold(_ batch: UploadBatch, until: Instant) { held = (batch, until) }

    /// Takes the uploads whose time has come.
    mutating func takeHeld(now: Instant) -> UploadBatch? {
        guard let held, held.until <= now else { return nil }
        self.held = nil
        return held.batch
    }

    /// Records that a frame of the session arrived.
    ///
    /// - Returns: The positions up to which the watch had received items when it greeted, if this is its first frame;
    ///   nil otherwise.
    mutating func heard(now: Instant) -> ItemPositions? {
        lastHeard = now
        guard state == .opened else { return nil }
        state = .linked
        return items
    }

    /// Takes the last changed value of the table if it can be sent at once, because nothing else is due.
    ///
    /// The value counts as sent.
    ///
    /// - Returns: Its number; nil if it has to wait until the watch gives credit, or until what is due is done.
    mutating func takeAtOnce(_ place: Int, of registers: RegisterTable, _ version: Version, now: Instant) -> UInt64? {
        // The conditions that usually hold it back come first.
        guard !takesRegisters, live.canTakeAtOnce(registers), now < silenceDeadline,
            !context.isDue(version, now: now)
        else {
            return nil
        }
        return live.takeAtOnce(place, of: registers, now: now)
    }

    /// What is due in a session now.
    struct Due {
        /// The number of the session.
        let session: UInt64
        /// Whether several registers may go in one frame.
        let takesRegisters: Bool
        /// The watch was silent for too long.
        var isSilent = false
        /// The form in which the snapshot of the current version is to be sent; nil if it is not.
        var context: ContextSender.Form?
        /// The registers to send, by their places in the table, and the number of the first.
        var registers: (first: UInt64, places: [Int]) = (0, [])
        /// When to look again.
        var deadline: Instant
    }

    /// Takes what deadlines and credit allow; it counts as sent.
    mutating func takeDue(_ version: Version, _ registers: RegisterTable, now: Instant) -> Due {
        var due = Due(session: id, takesRegisters: takesRegisters, deadline: silenceDeadline)
        guard now < silenceDeadline else {
            due.isSilent = true
            return due
        }
        due.context = context.next(version, now: now)
        live.timeReached(registers, now: now)
        due.registers = live.take(now: now)
        due.deadline = deadline
        return due
    }
}
