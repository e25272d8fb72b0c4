public import PoolModel

/// A period of time with one problem, from its confirmation to its recovery.
struct AlertEpisode: Codable, Hashable, Sendable {
    /// A snooze by a person.
    struct Snooze: Codable, Hashable, Sendable {
        /// Its end, in milliseconds of the engine's clock.
        var until: Int64
        /// The severity at its start; a higher severity is notified anyway.
        var severity: AlertSeverity
    }

    let id: AlertEpisodeID
    var severity: AlertSeverity
    /// When it began, by the wall clock.
    let since: Timestamp
    /// Whether it is based only on old readings.
    var isLate: Bool
    var value: Double?
    var limit: Double?
    /// The severity of the last notice that was created; nil before the first.
    var lastNotified: AlertSeverity?
    /// The severity of the last notice that reached somebody.
    var lastDelivered: AlertSeverity?
    /// When that notice was delivered, by the engine's clock; the cooldown starts then.
    var lastDeliveredAt: Int64?
    var repeats = 0
    var notices = 0
    var isAcknowledged = false
    var snooze: Snooze?
    /// No new attempt before this time of the engine's clock, after one that reached nobody.
    var pausedUntil: Int64?
    /// The worst of the old readings, while it is based only on these.
    var worst: AlertPeak?
    /// When it ended according to the old readings, if it began and ended in them.
    var until: Timestamp?

    /// The members as they are stored.
    private enum CodingKeys: String, CodingKey {
        case id
        case severity
        case since
        case isLate
        case value
        case limit
        case lastNotified = "said"
        case lastDelivered = "heard"
        case lastDeliveredAt = "heardAt"
        case repeats
        case notices
        case isAcknowledged
        case snooze
        case pausedUntil
        case worst
        case until
    }
}

/// The worst value with its severity and limit.
struct AlertPeak: Codable, Hashable, Sendable {
    var severity: AlertSeverity
    var value: Double
    var limit: Double
}

/// A notice with the state of its delivery over each channel.
struct AlertDelivery: Codable, Hashable, Sendable {
    enum Outcome: String, Codable, Sendable {
        case open
        case delivered
        case abandoned
    }

    struct ChannelDelivery: Codable, Hashable, Sendable {
        let channel: AlertChannel
        var outcome: Outcome
    }

    let notice: AlertNotice
    var channelDeliveries: [ChannelDelivery]

    /// The members as they are stored.
    private enum CodingKeys: String, CodingKey {
        case notice
        case channelDeliveries = "legs"
    }

    /// Whether it reached somebody.
    var isDelivered: Bool { channelDeliveries.contains { $0.outcome == .delivered && $0.channel.notifiesPeople } }
    /// Whether no delivery is open.
    var isDone: Bool { channelDeliveries.allSatisfy { $0.outcome != .open } }
}

/// Everything that must be remembered about a key; absent if there is nothing.
struct AlertKeyState: Codable, Hashable, Sendable {
    /// Samples, or a condition, that may become an episode.
    struct Candidate: Codable, Hashable, Sendable {
        var count: Int
        var start: Int64
        var since: Timestamp
        var isLate: Bool
    }

    /// A series of consecutive better samples.
    struct Recovery: Codable, Hashable, Sendable {
        var count: Int
        var start: Int64
        /// The time of the first sample.
        var since: Timestamp?
    }

    /// The last judged sample, of those that changed anything.
    struct Mark: Codable, Hashable, Sendable {
        var moment: Timestamp
        var value: Double
    }

    let key: AlertKey
    var name: String
    /// The server of a device whose values are missing.
    var serverID: ServerID?
    var reason: MissingReason?
    /// The hub's problem, as a clause.
    var detail: String?
    /// Whether the condition holds; used only for missing values, connections and the hub.
    var isOn = false
    var candidate: Candidate?
    /// Whether the last sample changed so much that another one must confirm it.
    var isDoubtful = false
    /// The weight of impossible values of the probe.
    var faultScore = 0
    /// The open episode.
    var episode: AlertEpisode?
    /// The series of samples inside the limits.
    var recovery: Recovery?
    /// The series of samples that are no longer critical.
    var deescalation: Recovery?
    /// An ended episode whose end is not notified yet.
    var closed: AlertEpisode?
    /// An episode that began and ended in old readings and is not notified yet.
    var past: AlertEpisode?
    var outbox: [AlertDelivery] = []
    /// The number of recent recoveries, and the time of the last; a flapping condition must recover for longer.
    var turns = 0
    var lastTurn: Int64 = 0
    var episodeCount: UInt64 = 0
    var mark: Mark?

    /// The members as they are stored.
    private enum CodingKeys: String, CodingKey {
        case key
        case name
        case serverID
        case reason
        case detail
        case isOn
        case candidate = "trial"
        case isDoubtful
        case faultScore = "doubt"
        case episode
        case recovery = "calm"
        case deescalation = "eased"
        case closed
        case past
        case outbox
        case turns
        case lastTurn
        case episodeCount
        case mark
    }

    init(key: AlertKey, name: String) {
        self.key = key
        self.name = name
    }

    /// Whether it can be removed.
    var isBlank: Bool {
        candidate == nil && episode == nil && closed == nil && past == nil && outbox.isEmpty && turns == 0
            && faultScore == 0
            && !isOn && !isDoubtful
    }
}

/// What a store keeps for one key, as JSON; at most about 8 kB.
public struct AlertRecord: Codable, Hashable, Sendable {
    /// The key; a store contains at most one record for each key.
    public var key: AlertKey { line.key }
    var line: AlertKeyState
    var anchor: EngineClock.Anchor

    /// The most records of an engine.
    public static let countMax = 4096
}
