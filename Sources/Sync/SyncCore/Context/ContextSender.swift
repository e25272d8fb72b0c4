/// Sends the hub's newest snapshot to one watch, with at most one unacknowledged snapshot on its way.
///
///     idle ──version changed──▶ awaiting ──acknowledged──▶ idle
///                                 │  ▲
///                                 └──┘ no answer in time: the newest is sent again
struct ContextSender: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// The state while the watch holds everything that was sent.
        case idle
        /// The state while a snapshot is on its way.
        case awaiting(Version, resendAt: Instant)
    }

    /// The time after which an unacknowledged snapshot is sent again.
    static let resendAfter = Duration.seconds(2)

    private var state = State.idle
    /// The newest version that the watch has acknowledged.
    private(set) var acknowledged: Version?

    /// Creates the sender for a watch whose greeting said which version it holds.
    init(known: Version?) {
        acknowledged = known
    }

    /// When to call ``shouldSend(_:now:)`` again; nil if only an event can change its result.
    var deadline: Instant? {
        switch state {
        case .idle: nil
        case .awaiting(_, let resendAt): resendAt
        }
    }

    /// Whether the snapshot of the current version should be sent now.
    func isDue(_ current: Version, now: Instant) -> Bool {
        switch state {
        case .idle: acknowledged != current
        case .awaiting(_, let resendAt): now >= resendAt
        }
    }

    /// Whether the snapshot of the current version should be sent now; if so, it counts as sent.
    mutating func shouldSend(_ current: Version, now: Instant) -> Bool {
        guard isDue(current, now: now) else { return false }
        state = .awaiting(current, resendAt: now.advanced(by: Self.resendAfter))
        return true
    }

    /// The watch holds a version.
    ///
    /// An acknowledgement of an older snapshot than the last one sent changes nothing.
    ///
    /// - Returns: Whether the acknowledged version changed.
    mutating func acknowledgementReceived(_ version: Version) -> Bool {
        switch state {
        case .idle: return false
        case .awaiting(let sent, _):
            guard sent == version else { return false }
            state = .idle
            defer { acknowledged = version }
            return acknowledged != version
        }
    }
}
