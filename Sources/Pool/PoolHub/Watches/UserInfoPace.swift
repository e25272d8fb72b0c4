import SyncCore

/// How fast the user info of one watch is taken: so much at once, and one piece a second from then on.
///
/// What is not taken yet waits, durably, in the inbox of the watch, and when that is full at the watch itself. So
/// nothing is lost, and what a person logs while a watch was away for weeks is taken at once.
struct UserInfoPace: Sendable {
    /// How much is taken at once.
    static let burst = 100
    /// The time after which one more may be taken.
    static let interval = Duration.seconds(1)

    /// What was taken and is not paid back yet.
    private var count = 0
    /// Until when it was paid back.
    private var lookedAt: Instant

    init(now: Instant) { lookedAt = now }

    /// Counts a piece that was taken.
    ///
    /// - Returns: How long the next one has to wait; nil if it may be taken at once.
    mutating func pauseBehindOne(now: Instant) -> Duration? {
        let earned = Int(max(0, lookedAt.duration(to: now) / Self.interval))
        count = max(0, count - earned)
        lookedAt = count == 0 ? now : lookedAt.advanced(by: Self.interval * earned)
        count += 1
        return count >= Self.burst ? Self.interval : nil
    }
}
