import SyncCore

/// Since when each watch has waited for a snapshot: what one watch does or does not do must not delay another one's.
///
/// The hub sends it at once, or when the snapshot before is acknowledged, or when it would send that one again.
struct IsolationChecker {
    /// The time within which a linked watch is sent the newest version, whatever the others do: twice the time after which
    /// an unacknowledged snapshot is sent again, since clocks may run at different rates and timers be late.
    static let bound = Duration.seconds(4)

    /// The time in a second for which the frames of one watch may occupy the hub.
    static let workMax = Duration.milliseconds(700)

    private var owed: [PeerKey: Instant] = [:]
    private var work: [(at: Instant, time: Duration)] = []

    /// The hub has a new version.
    mutating func committed(to watches: some Sequence<PeerKey>, now: Instant) {
        for watch in watches where owed[watch] == nil { owed[watch] = now }
    }

    /// The newest version is sent to a watch.
    mutating func sent(to watch: PeerKey) { owed[watch] = nil }

    /// The hub's process ends, and with it all sessions.
    mutating func forget() { owed = [:] }

    /// The hub has worked on a frame that was forged to cost time.
    mutating func worked(_ time: Duration, now: Instant) -> Checks.Finding? {
        work.removeAll { $0.at.duration(to: now) > .seconds(1) }
        work.append((now, time))
        let sum = work.reduce(.zero) { $0 + $1.time }
        guard sum > Self.workMax else { return nil }
        return Checks.Finding(.isolation, "in a second, the hub works \(sum) on what one watch sends")
    }

    /// Whether a watch waits for too long; `awake` is when the hub last stood still.
    mutating func finding(linked: Set<PeerKey>, awake: Instant, now: Instant) -> Checks.Finding? {
        owed = owed.filter { linked.contains($0.key) }
        guard owed.values.contains(where: { max($0, awake).duration(to: now) > Self.bound }) else { return nil }
        return Checks.Finding(.isolation, "a linked watch is not sent the newest version for more than \(Self.bound)")
    }
}
