/// Brings one watch to the hub's newest snapshot, with at most one unacknowledged snapshot on the way.
///
///     idle ──version changed──▶ awaiting ──acknowledged──▶ idle
///                                 │  ▲
///                                 └──┘ no answer in time: the newest is sent again
struct ContextSender: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// The state while the watch holds all that was sent.
        case idle
        /// The state while a snapshot is on its way, the last one sent at this time.
        case awaiting(Version, sentAt: Instant)
    }

    /// The time after which an unacknowledged snapshot is sent again, or one that is newer by then.
    static let resendAfter = Duration.seconds(2)
    /// The same snapshot goes again after twice as long each time, up to this.
    private static let resendAfterMax = Duration.seconds(8)
    /// The snapshots that are sent at most until one is acknowledged: nobody can take back what waits in the transport.
    static let unreadCountMax = 5
    /// How long a watch may acknowledge none.
    static let patience = Duration.seconds(30)

    private var state = State.idle
    /// The snapshots that were sent since the last acknowledgement.
    private var unreadCount = 0
    /// When the first of them was.
    private var unreadSince: Instant?
    /// Whether the watch is to be told something that stands beside a snapshot, though it has this one.
    private var isWanted = false
    /// The newest version that the watch is known to hold.
    private(set) var acknowledged: Version?

    /// Creates the sender for a watch that said what it holds.
    init(known: Version?) {
        acknowledged = known
    }

    /// Whether a snapshot is on its way.
    var isAwaiting: Bool { state != .idle }

    /// When the watch is given up, nil while it owes nothing.
    private var givenUpAt: Instant? { unreadSince?.advanced(by: Self.patience) }

    /// Whether the watch acknowledges nothing, so that only a new session, on an empty connection, can mend that.
    func isGivenUp(now: Instant) -> Bool { givenUpAt.map { $0 <= now } ?? false }

    /// When ``shouldSend(_:now:)`` or ``isGivenUp(now:)`` is worth asking again, nil if only an event can change the
    /// answers.
    func deadline(_ current: Version) -> Instant? {
        switch state {
        case .idle: nil
        case .awaiting(let sent, let sentAt):
            [resend(current, after: sent, sentAt), givenUpAt].compactMap(\.self).min()
        }
    }

    /// When another snapshot may go out, nil if as many are under way as may be.
    private func resend(_ current: Version, after sent: Version, _ sentAt: Instant) -> Instant? {
        guard unreadCount < Self.unreadCountMax else { return nil }
        let wait =
            current == sent ? min(Self.resendAfter * (1 << (unreadCount - 1)), Self.resendAfterMax) : Self.resendAfter
        return sentAt.advanced(by: wait)
    }

    /// Whether the snapshot of the current version is to be sent now.
    func isDue(_ current: Version, now: Instant) -> Bool {
        switch state {
        case .idle: acknowledged != current || isWanted
        case .awaiting(let sent, let sentAt): resend(current, after: sent, sentAt).map { $0 <= now } ?? false
        }
    }

    /// Something stands beside the snapshot that the watch has to know: it goes out once more, as soon as none is under way.
    mutating func want() {
        isWanted = true
    }

    /// Whether the snapshot of the current version is to be sent now; if so, it counts as sent.
    mutating func shouldSend(_ current: Version, now: Instant) -> Bool {
        guard isDue(current, now: now) else { return false }
        state = .awaiting(current, sentAt: now)
        unreadCount += 1
        unreadSince = unreadSince ?? now
        isWanted = false
        return true
    }

    /// The watch holds a version; an answer to an older snapshot than the last one sent changes nothing.
    ///
    /// Gives whether the watch is known to hold another version than before.
    mutating func acknowledgementReceived(_ version: Version) -> Bool {
        switch state {
        case .idle: return false
        case .awaiting(let sent, _):
            guard sent == version else { return false }
            state = .idle
            (unreadCount, unreadSince) = (0, nil)
            defer { acknowledged = version }
            return acknowledged != version
        }
    }
}
