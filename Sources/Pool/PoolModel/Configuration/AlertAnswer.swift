/// A person's answer to an alert, on the hub or on a watch: an acknowledgement or a snooze.
///
/// It is an entry of the configuration, so it can be given without a link, and reaches every device once. The hub
/// removes it when the alert is over.
public struct AlertAnswer: Codable, Hashable, Sendable {
    /// What the alert is about.
    public var key: AlertKey
    /// The episode that was answered; an answer to an earlier episode does not apply to a later one.
    public var episodeID: AlertEpisodeID
    /// Whether the alert was acknowledged; it is not repeated then.
    public var isAcknowledged: Bool
    /// Until when it is snoozed, by the hub's clock; nil if it is not.
    public var snoozedUntil: Timestamp?

    /// Creates an answer.
    public init(key: AlertKey, episodeID: AlertEpisodeID, isAcknowledged: Bool, snoozedUntil: Timestamp? = nil) {
        self.key = key
        self.episodeID = episodeID
        self.isAcknowledged = isAcknowledged
        self.snoozedUntil = snoozedUntil
    }

    /// The record of the answers to alerts with a key.
    ///
    /// It is derived from the key's text, so that two people who answer the same alert write to the same entry.
    static func record(of key: AlertKey) -> ConfigurationEntry.Record {
        let text = Array(key.text.utf8)
        return ConfigurationEntry.Record(high: ReadingKey.hash(of: text), low: ReadingKey.hash(of: text + [0x2E]))
    }

    /// The answer as an entry.
    var entry: ConfigurationEntry { EntryGroup.alertAnswer.entry(of: Self.record(of: key), fields: self) }

    /// The change that stores this answer.
    public var change: ConfigurationChange { .upsert(entry) }

    /// The change that removes the answer to alerts with a key.
    public static func removal(of key: AlertKey) -> ConfigurationChange {
        let group = EntryGroup.alertAnswer
        return .delete(ConfigurationEntry.Key(kind: group.kind, record: record(of: key), group: group.group))
    }
}
