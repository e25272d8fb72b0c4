/// What the hub remembers about a watch across its sessions, since the hub started.
struct WatchActivity: Sendable {
    /// The number of times within a minute that an overtaken connection takes the session back before the hub reports
    /// two devices with one key.
    private static let flipLimit = 3
    /// The number of overtaken connections that are remembered.
    private static let overtakenLimit = 8

    /// The version that it acknowledged last.
    private(set) var acknowledged: Version?
    /// When something last arrived from it.
    private(set) var lastHeard: Instant?
    /// The register values that it confirmed in earlier sessions.
    private(set) var confirmedCount: UInt64 = 0
    /// The register values that newer ones replaced in earlier sessions before they were sent.
    private(set) var supersededCount: UInt64 = 0
    /// When it opened its last sessions, at most ``HubEngine/greetingLimit``.
    private var greetings: [Instant] = []
    /// The last connections whose session another connection took over.
    private var overtaken: [ConnectionID] = []
    /// When such a connection took the session back.
    private var flips: [Instant] = []
    /// What its frames may still cost.
    private(set) var budget = SenderBudget()

    /// Charges it for a frame; true if that has used up its budget.
    mutating func charge(_ price: Duration, now: Instant) -> Bool {
        budget.charge(price, now: now)
    }

    /// Charges it for what follows from its uploads, which delays the next ones.
    mutating func owe(_ price: Duration, now: Instant) {
        budget.owe(price, now: now)
    }

    /// Whether it gets another session now, which then counts.
    ///
    /// A watch that gets no answer greets again.
    mutating func mayGreet(now: Instant) -> Bool {
        let since = now.advanced(by: .seconds(-1))
        greetings.removeAll { $0 <= since }
        guard greetings.count < HubEngine.greetingLimit else { return false }
        greetings.append(now)
        return true
    }

    /// A connection took the session of an earlier one over; true if two devices seem to use one key.
    ///
    /// A single watch on a bad link makes new connections; only a second device uses an overtaken one again.
    mutating func takenOver(_ earlier: ConnectionID, by connection: ConnectionID, now: Instant) -> Bool {
        let since = now.advanced(by: .seconds(-60))
        if overtaken.contains(connection) { flips = flips.filter { $0 > since } + [now] }
        overtaken = (overtaken.filter { $0 != earlier } + [earlier]).suffix(Self.overtakenLimit)
        return flips.count == Self.flipLimit
    }

    /// A session of the watch ended.
    mutating func sessionEnded(_ session: HubSession) {
        acknowledged = session.context.acknowledged ?? acknowledged
        lastHeard = session.lastHeard
        confirmedCount += session.live.confirmedCount
        supersededCount += session.live.supersededCount
    }

    /// The watch is no longer paired: keeps only what its frames have cost.
    mutating func unpaired() {
        let budget = budget
        self = WatchActivity()
        self.budget = budget
    }
}
