public import PoolModel

/// One stretch of time in which something is wrong, from its confirmation to its recovery.
struct AlertEpisode: Codable, Hashable, Sendable {
    /// A wish to be left alone.
    struct Snooze: Codable, Hashable, Sendable {
        /// Until when, in steady milliseconds.
        var until: Int64
        /// What was known then; anything worse is told all the same.
        var severity: AlertSeverity
    }

    let id: AlertEpisodeID
    var severity: AlertSeverity
    /// When it began, by the wall clock.
    let since: Timestamp
    /// Whether only old readings speak for it.
    var isLate: Bool
    var value: Double?
    var limit: Double?
    /// The severity of the last notice that was made, nil before the first.
    var said: AlertSeverity?
    /// The severity of the last notice that reached somebody.
    var heard: AlertSeverity?
    /// When that was, in steady milliseconds: the cooldown counts from it.
    var heardAt: Int64?
    var repeats = 0
    var notices = 0
    var isAcknowledged = false
    var snooze: Snooze?
    /// No new attempt before this steady time, after one that reached nobody.
    var pausedUntil: Int64?
    /// The worst of the old readings, while only these speak for it.
    var worst: AlertPeak?
    /// When it was over by the old readings, of one that came and went.
    var until: Timestamp?
}

/// How bad it was.
struct AlertPeak: Codable, Hashable, Sendable {
    var severity: AlertSeverity
    var value: Double
    var limit: Double
}

/// A notice on its way to its channels.
struct AlertDelivery: Codable, Hashable, Sendable {
    enum Outcome: String, Codable, Sendable {
        case open
        case delivered
        case abandoned
    }

    struct Leg: Codable, Hashable, Sendable {
        let channel: AlertChannel
        var outcome: Outcome
    }

    let notice: AlertNotice
    var legs: [Leg]

    /// Whether it reached somebody.
    var isHeard: Bool { legs.contains { $0.outcome == .delivered && $0.channel.tellsPeople } }
    /// Whether nothing is left to do.
    var isDone: Bool { legs.allSatisfy { $0.outcome != .open } }
}

/// Everything that must be remembered of a key; absent while there is nothing.
struct AlertKeyState: Codable, Hashable, Sendable {
    /// Samples, or a condition, that may become an episode.
    struct Trial: Codable, Hashable, Sendable {
        var count: Int
        var start: Int64
        var since: Timestamp
        var isLate: Bool
    }

    /// A run of better samples.
    struct Calm: Codable, Hashable, Sendable {
        var count: Int
        var start: Int64
        /// The time of the first of them.
        var since: Timestamp?
    }

    /// Which sample was judged last, of those that changed anything.
    struct Mark: Codable, Hashable, Sendable {
        var moment: Timestamp
        var value: Double
    }

    let key: AlertKey
    var name: String
    /// The server of a device whose values are missing.
    var serverID: ServerID?
    var reason: MissingReason?
    /// What is wrong with the hub, a clause.
    var detail: String?
    /// Whether the condition holds; of missing values, connections and the hub only.
    var isOn = false
    var trial: Trial?
    /// Whether the last sample jumped so far that another one must confirm it.
    var isDoubtful = false
    /// How much speaks against the probe.
    var doubt = 0
    /// The open episode.
    var episode: AlertEpisode?
    /// The run of samples inside the limits.
    var calm: Calm?
    /// The run of samples that are no longer critical.
    var eased: Calm?
    /// An episode that is over, of which that is still to be told.
    var closed: AlertEpisode?
    /// An episode that came and went in old readings, which is still to be told.
    var past: AlertEpisode?
    var outbox: [AlertDelivery] = []
    /// How often it got better lately, and when last: a condition that flaps must stay calm for longer.
    var turns = 0
    var lastTurn: Int64 = 0
    var episodeCount: UInt64 = 0
    var mark: Mark?

    init(key: AlertKey, name: String) {
        self.key = key
        self.name = name
    }

    /// Whether it can be forgotten.
    var isBlank: Bool {
        trial == nil && episode == nil && closed == nil && past == nil && outbox.isEmpty && turns == 0 && doubt == 0
            && !isOn && !isDoubtful
    }
}

/// What a store keeps of one key, as JSON; at most some 8 kB.
public struct AlertRecord: Codable, Hashable, Sendable {
    /// The key; a store holds one record of each at most.
    public var key: AlertKey { line.key }
    var line: AlertKeyState
    var anchor: SteadyClock.Anchor

    /// The most records of an engine.
    public static let countMax = 4096
}
