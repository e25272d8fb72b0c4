/// Sends the hub's newest snapshot to one watch, with at most one unacknowledged snapshot on its way.
///
///     idle ──version changed──▶ awaiting ──acknowledged──▶ idle
///                                 │  ▲
///                                 └──┘ no answer in time: the newest is sent again, as a whole
///
/// A snapshot may go as the changes since the version that the watch has acknowledged. What is sent again goes as a
/// whole, so a watch that cannot use the changes waits for that, and needs no other answer.
struct ContextSender: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        /// The state while the watch holds everything that was sent.
        case idle
        /// The state while a snapshot is on its way.
        case awaiting(Version, resendAt: Instant)
    }

    /// The form in which a snapshot goes.
    enum Form: Hashable, Sendable {
        /// As a whole.
        case whole
        /// As the changes since this version, if the hub knows them.
        case since(Version)
    }

    /// The time after which an unacknowledged snapshot is sent again.
    static let resendAfter = Duration.seconds(2)

    private var state = State.idle
    /// The newest version that the watch has acknowledged.
    private(set) var acknowledged: Version?
    private let takesDeltas: Bool

    /// Creates the sender for a watch whose greeting said which version it holds.
    init(known: Version?, takesDeltas: Bool = false) {
        acknowledged = known
        self.takesDeltas = takesDeltas
    }

    /// When to call ``next(_:now:)`` again; nil if only an event can change its result.
    var deadline: Instant? {
        switch state {
        case .idle: nil
        case .awaiting(_, let resendAt): resendAt
        }
    }

    /// The form in which a snapshot goes that is not due, because it says why uploads wait.
    var form: Form {
        guard takesDeltas, state == .idle, let acknowledged else { return .whole }
        return .since(acknowledged)
    }

    /// Whether the snapshot of the current version should be sent now.
    func isDue(_ current: Version, now: Instant) -> Bool {
        switch state {
        case .idle: acknowledged != current
        case .awaiting(_, let resendAt): now >= resendAt
        }
    }

    /// The form in which the snapshot of the current version should be sent now, nil if it should not; it counts as
    /// sent.
    mutating func next(_ current: Version, now: Instant) -> Form? {
        guard isDue(current, now: now) else { return nil }
        defer { state = .awaiting(current, resendAt: now.advanced(by: Self.resendAfter)) }
        return form
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
