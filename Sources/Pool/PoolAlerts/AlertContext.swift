import PoolModel

/// What every key depends on while an input is processed: the time, the settings and the channels.
struct AlertContext: Sendable {
    /// The present settings.
    var settings: AlertSettings
    /// The known permissions of the channels.
    var authorizations: [AlertChannel: AlertAuthorization]
    /// The time of the input.
    var moment: AlertTime
    /// The time of the input on the engine's clock, in milliseconds.
    var now: Int64

    /// The channels that are enabled and permitted.
    var openChannels: [AlertChannel] { channels(.granted) }

    /// The enabled channels whose permission is unknown.
    var unknownChannels: [AlertChannel] { channels(.unknown) }

    /// How long the quiet hours last, in milliseconds; nil if they are not in effect.
    var quietMilliseconds: Int64? { settings.quietHours?.millisecondsLeft(at: moment) }

    /// How far a value must return inside a limit.
    func hysteresis(of sample: AlertSample) -> Double {
        let quantity = sample.quantity
        let wanted =
            sample.hysteresis ?? settings.hysteresis[quantity] ?? quantity.facts.hysteresis
        return wanted.isFinite ? max(0, wanted) : 0
    }

    /// The identifier of an episode.
    ///
    /// It is derived from the key, both clocks and a count, so it is unique even after records were lost.
    func episodeID(_ key: AlertKey, _ count: UInt64) -> AlertEpisodeID {
        let hash = ReadingKey.hash(of: Array("\(key.text) \(moment.bootID) \(moment.uptimeMilliseconds)".utf8))
        return AlertEpisodeID(high: hash, low: UInt64(bitPattern: moment.wall.milliseconds) << 12 | count & 0xFFF)
    }

    private func channels(_ authorization: AlertAuthorization) -> [AlertChannel] {
        settings.channels.enabled.filter { (authorizations[$0] ?? $0.initialAuthorization) == authorization }
    }
}

/// What a key depends on besides its own state.
struct AlertSurroundings {
    /// Whether the hub's own problem, or a lost connection, explains why nothing arrives.
    var isExplained: Bool
    /// Whether the hub itself ends its connections, because it cannot store what arrives on them.
    var isExplainedByHub: Bool
    /// Whether it is unknown at the moment if the condition still holds.
    var isUnknown: Bool
    /// The newest sample of the key's quantity.
    var sample: AlertSample?
}
