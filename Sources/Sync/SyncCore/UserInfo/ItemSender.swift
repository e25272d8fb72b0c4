/// Brings one track's items over a link, in order, a window at a time.
///
///     closed ──session──▶ aligning ──the numbering fits──▶ open
///        ▲                 │ ▲ │                             │
///        │                 │ └─┘ a new numbering is durable  │
///        └─────────────────┴────────session ends─────────────┘
///
/// Within `open`, two fields say what goes out:
///
///     a window ─────the next item is missing─────▶ all of it again (hasRepaired)
///     │ ▲    ▲                                       │    │
///     │ │    └───────────────progress────────────────┘    │
///     │ │                                                 │
///     │ └──────progress───────┐                           │
///     │                       │                           │
///     └──a pause──▶ the first item alone ◀────a pause─────┘
///                     (isProbing) │ ▲
///                                 └─┘ a pause: it goes again
///
/// A pause is ``resendAfter`` without progress. That an item is missing counts once until the next progress, and not at
/// all while the first one goes alone. So a receiver that has no room is asked rarely, and nothing is sent for nothing.
struct ItemSender: Hashable, Sendable {
    /// The items on their way at most.
    static let windowCount = 32
    /// The bytes of payload on their way at most; one item may always go.
    static let windowByteCount = 262_144
    /// The time without progress after which the first item goes again.
    static let resendAfter = Duration.seconds(2)

    private enum State: Hashable, Sendable {
        /// The state while there is no session.
        case closed
        /// The state until the numbering fits to what the receiver said.
        case aligning(ItemPosition?)
        /// The state while items go out.
        case open
    }

    private var state = State.closed
    /// The highest number that the receiver is known to hold; the store may lag behind.
    private(set) var acknowledged: UInt64
    /// The highest number that may ever have been sent.
    private(set) var sentThrough: UInt64
    /// The bytes of what is on its way, beginning with the number after `acknowledged`.
    private var flights: [Int] = []
    private var flightByteCount = 0
    /// Whether only the first item goes, since there was no progress for a while.
    private var isProbing = false
    /// Whether all went again since the last progress because the receiver missed an item.
    private var hasRepaired = false
    private var resendAt: Instant?

    /// Creates the sender of what a store holds.
    init(_ outbox: ItemOutbox) {
        acknowledged = outbox.acknowledged
        sentThrough = outbox.released
    }

    /// Whether the numbering must still be brought to fit what the receiver said.
    var isAligning: Bool {
        guard case .aligning = state else { return false }
        return true
    }

    /// What the receiver said, while that is not settled; nil if it has never received anything.
    var receiverPosition: ItemPosition? {
        guard case .aligning(let position) = state else { return nil }
        return position
    }

    /// Whether items may go out.
    var isOpen: Bool { state == .open }

    /// When to send again at the latest.
    var deadline: Instant? { resendAt }

    /// A session opened, and the receiver said how far it is.
    mutating func sessionOpened(_ position: ItemPosition?) {
        stop()
        state = .aligning(position)
    }

    /// The session ended.
    mutating func sessionClosed() {
        stop()
        state = .closed
    }

    /// The numbering fits: items after this number go out.
    mutating func aligned(after number: UInt64) {
        stop()
        hasRepaired = false
        state = .open
        acknowledged = number
        sentThrough = max(sentThrough, number)
    }

    /// A new numbering of the same items began, with numbers that are greater by so many.
    mutating func renumbered(by difference: UInt64) {
        acknowledged += difference
        sentThrough += difference
    }

    /// An item that was never sent left.
    mutating func cancelled(_ number: UInt64) {
        if number <= sentThrough { sentThrough -= 1 }
    }

    /// The receiver holds all up to this number; false if that is no progress.
    mutating func acknowledged(through number: UInt64, now: Instant) -> Bool {
        guard isOpen, number > acknowledged, number <= sentThrough else { return false }
        let arrived = min(flights.count, Int(number - acknowledged))
        flightByteCount -= flights[..<arrived].reduce(0, +)
        flights.removeFirst(arrived)
        acknowledged = number
        isProbing = false
        hasRepaired = false
        resendAt = flights.isEmpty ? nil : now.advanced(by: Self.resendAfter)
        return true
    }

    /// The receiver misses the item after this number: what is on its way cannot be taken, and goes again.
    mutating func isMissing(after number: UInt64) {
        guard isOpen, number == acknowledged, !flights.isEmpty, !isProbing, !hasRepaired else { return }
        stop()
        hasRepaired = true
    }

    /// Takes back what is on its way once its time has come.
    mutating func deadlineReached(now: Instant) {
        guard let due = resendAt, due <= now else { return }
        stop()
        isProbing = true
    }

    /// The next number to send, nil if nothing may go; it must not be one of `held`.
    mutating func next(of outbox: ItemOutbox, held: [RandomID], now: Instant) -> (number: UInt64, item: Item)? {
        let number = acknowledged + UInt64(flights.count) + 1
        guard isOpen, number <= outbox.released, let item = outbox.item(number), !held.contains(item.id),
            flights.count < (isProbing ? 1 : Self.windowCount),
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
        isProbing = false
        resendAt = nil
    }
}
