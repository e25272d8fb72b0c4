/// One message to people: what, how far beyond which limit, since when, and what to do.
public struct AlertNotice: Codable, Hashable, Sendable, Identifiable {
    /// Why the message is sent.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// Something began.
        case raised
        /// It got worse.
        case escalated
        /// It still is so, and nobody said that they know.
        case repeated
        /// It is over.
        case recovered
        /// It was found in old readings: they end with it, or it came and went in them, see ``AlertNotice/until``.
        case late
        /// The test button.
        case test

        /// Whether a complication must change its colour.
        package var changesBand: Bool { self != .repeated && self != .test }
    }

    /// The same for every delivery of this message over every channel, so that phone and watches show one; at most 64 bytes.
    public var id: String
    /// The episode, from its beginning to its recovery.
    public var episodeID: AlertEpisodeID
    /// What it is about.
    public var key: AlertKey
    /// Why it is sent.
    public var kind: Kind
    /// How bad it is; of a recovery, how bad it was.
    public var severity: AlertSeverity
    /// The name of the device or server.
    public var name: String
    /// The newest value, nil unless the alert is about one.
    public var value: Double?
    /// The limit that was passed, nil unless the alert is about a value.
    public var limit: Double?
    /// When it began, by the wall clock: the time of the first sample outside.
    public var since: Timestamp
    /// When it was over again, of something that came and went in old readings; nil of everything else.
    public var until: Timestamp?
    /// When this message was made.
    public var at: Timestamp
    /// How often it was told before.
    public var repeats: Int
    /// The message in one sentence, with value and limit (P74).
    public var text: String

    /// Creates a notice.
    package init(
        id: String, episodeID: AlertEpisodeID, key: AlertKey, kind: Kind, severity: AlertSeverity, name: String,
        value: Double? = nil, limit: Double? = nil, since: Timestamp, until: Timestamp? = nil, at: Timestamp,
        repeats: Int, text: String
    ) {
        self.id = id
        self.episodeID = episodeID
        self.key = key
        self.kind = kind
        self.severity = severity
        self.name = name
        self.value = value
        self.limit = limit
        self.since = since
        self.until = until
        self.at = at
        self.repeats = repeats
        self.text = text
    }

    /// How far the value is beyond the limit, positive outside; nil unless the alert is about a value.
    public var beyond: Double? {
        guard let value, let limit, let side = key.side else { return nil }
        let distance = side == .high ? value - limit : limit - value
        // Digits beyond the sixth are noise of the subtraction.
        return (distance * 1_000_000).rounded() / 1_000_000
    }
}
