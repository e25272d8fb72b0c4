/// Sends one track's items in a session, in order, a window at a time.
///
///     closed ──session──▶ aligning ──the numbering fits──▶ open
///        ▲                 │ ▲ │                             │
///        │                 │ └─┘ a new numbering is durable  │
///        └─────────────────┴────────session ends─────────────┘
///
/// Within `open`, the pace determines what is sent:
///
///     window ────────the next item is missing────────▶ repeated
///     │ ▲  ▲                                            │    │
///     │ │  └──────────────────progress──────────────────┘    │
///     │ │                                                    │
///     │ └──────progress───────┐                              │
///     │                       │                              │
///     └──a pause───────────▶ probing ◀───────a pause─────────┘
///                              │ ▲
///                              └─┘ a pause: the item goes again
///
/// A pause is ``resendAfter`` without progress. A report of a missing item counts only once until the next progress,
/// and not at all while only the first item is sent. So a receiver without room is asked rarely, and is
/// not sent what it cannot keep.
struct ItemSender: Hashable, Sendable {
    /// The most items on their way.
    static let windowCount = 32
    /// The most bytes of payload on their way; a single item may always be sent.
    static let windowByteCount = 262_144
    /// The time without progress after which the first item is sent again.
    static let resendAfter = Duration.seconds(2)

    private enum State: Hashable, Sendable {
        /// The state while there is no session.
        case closed
        /// The state until the numbering fits the receiver's position.
        case aligning(ItemPosition?)
        /// The state while items are sent.
        case open(Pace)
    }

    /// How many items are sent.
    private enum Pace: Hashable, Sendable {
        /// As many as the window has room for.
        case window
        /// All of the window again, because the receiver missed the next item; there was no progress since.
        case repeated
        /// Only the first item, because there was no progress for a while.
        case probing
    }

    private var state = State.closed
    /// The highest number that the receiver has acknowledged; the store may not have that yet.
    private(set) var acknowledged: UInt64
    /// The highest number that may ever have been sent.
    private(set) var sentThrough: UInt64
    /// The bytes of each item on its way, beginning with the number after `acknowledged`.
    private var flights: [Int] = []
    private var flightByteCount = 0
    private var resendAt: Instant?

    /// Creates the sender for the contents of a store.
    init(_ outbox: ItemOutbox) {
        acknowledged = outbox.acknowledged
        sentThrough = outbox.released
    }

    /// Whether the numbering still has to be made to fit the receiver's position.
    var isAligning: Bool {
        guard case .aligning = state else { return false }
        return true
    }

    /// The receiver's position, while the numbering does not fit it yet; nil if it has never received anything.
    var receiverPosition: ItemPosition? {
        guard case .aligning(let position) = state else { return nil }
        return position
    }

    /// How many items are sent; nil while none may be.
    private var pace: Pace? {
        switch state {
        case .open(let pace): pace
        case .closed, .aligning: nil
        }
    }

    /// Whether items may be sent.
    var isOpen: Bool { pace != nil }

    /// When to send again at the latest.
    var deadline: Instant? { resendAt }

    /// A session opened; `position` is the receiver's.
    mutating func sessionOpened(_ position: ItemPosition?) {
        stop()
        state = .aligning(position)
    }

    /// The session ended.
    mutating func sessionClosed() {
        stop()
        state = .closed
    }

    /// The numbering fits: items after this number are sent.
    mutating func aligned(after number: UInt64) {
        stop()
        state = .open(.window)
        acknowledged = number
        sentThrough = max(sentThrough, number)
    }

    /// A new numbering of the same items began; its numbers are greater by `difference`.
    mutating func renumbered(by difference: UInt64) {
        acknowledged += difference
        sentThrough += difference
    }

    /// An item that was never sent was removed.
    mutating func cancelled(_ number: UInt64) {
        if number <= sentThrough { sentThrough -= 1 }
    }

    /// The receiver holds everything up to this number; false if that is no progress.
    mutating func acknowledged(through number: UInt64, now: Instant) -> Bool {
        guard isOpen, number > acknowledged, number <= sentThrough else { return false }
        let arrived = min(flights.count, Int(number - acknowledged))
        flightByteCount -= flights[..<arrived].reduce(0, +)
        flights.removeFirst(arrived)
        acknowledged = number
        state = .open(.window)
        resendAt = flights.isEmpty ? nil : now.advanced(by: Self.resendAfter)
        return true
    }

    /// The receiver misses the item after this number: it cannot accept the later ones on their way, so all are sent
    /// again.
    mutating func isMissing(after number: UInt64) {
        guard pace == .window, number == acknowledged, !flights.isEmpty else { return }
        stop()
        state = .open(.repeated)
    }

    /// If the deadline has passed, counts the items on their way as lost.
    mutating func deadlineReached(now: Instant) {
        guard isOpen, let due = resendAt, due <= now else { return }
        stop()
        state = .open(.probing)
    }

    /// The next number and item to send; nil if all were sent, if the window is full, or if the item is in `held`.
    mutating func next(of outbox: ItemOutbox, held: [RandomID], now: Instant) -> (number: UInt64, item: Item)? {
        let number = acknowledged + UInt64(flights.count) + 1
        guard let pace, number <= outbox.released, let item = outbox.item(number), !held.contains(item.id),
            flights.count < (pace == .probing ? 1 : Self.windowCount),
            flights.isEmpty || flightByteCount + item.payload.count <= Self.windowByteCount
        else { return nil }
        flights.append(item.payload.count)
        flightByteCount += item.payload.count
        sentThrough = max(sentThrough, number)
        resendAt = resendAt ?? now.advanced(by: Self.resendAfter)
        return (number, item)
    }

    private mutating func stop() {
        flights = []
        flightByteCount = 0
        resendAt = nil
    }
}
