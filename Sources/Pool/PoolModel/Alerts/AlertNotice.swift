/// A message to people: what happened, how far which limit is exceeded, since when, and what to do.
public struct AlertNotice: Codable, Hashable, Sendable, Identifiable {
    /// Why the message is sent.
    public enum Kind: String, CaseIterable, Codable, Sendable {
        /// The alert began.
        case raised
        /// The alert got worse: from warning to critical.
        case escalated
        /// The alert continues, and nobody has acknowledged it.
        case repeated
        /// The alert is over.
        case recovered
        /// The alert was found in old readings: they end while it lasts, or it began and ended in them, see
        /// ``AlertNotice/until``.
        case late
        /// Somebody pressed the test button.
        case test

        /// Whether a complication must change its colour.
        package var changesBand: Bool { self != .repeated && self != .test }
    }

    /// The same for every delivery of this message on every channel, so that phone and watches show it once; at most
    /// 64 bytes.
    public var id: String
    /// The episode, from its beginning to its recovery.
    public var episodeID: AlertEpisodeID
    /// What the alert is about.
    public var key: AlertKey
    /// Why the message is sent.
    public var kind: Kind
    /// The severity; of a recovery, the severity before.
    public var severity: AlertSeverity
    /// The name of the device or server.
    public var name: String
    /// The newest value, nil unless the alert is about one.
    public var value: Double?
    /// The limit that was exceeded, nil unless the alert is about a value.
    public var limit: Double?
    /// The end of the normal range on the alert's side; nil unless the alert is about a value, and in notices of before.
    public var normal: Double?
    /// The value at which the alert may end; nil unless the alert is about a value, and in notices of before.
    public var release: Double?
    /// The end of the normal range on the other side; nil unless the alert is about a value, and in notices of before.
    public var opposite: Double?
    /// Why nothing comes; nil unless that is known.
    public var reason: MissingReason?
    /// The hub's problem, a clause in English; nil unless the alert is about the hub.
    public var detail: String?
    /// When the alert began, by the wall clock: the time of the first sample outside.
    public var since: Timestamp
    /// When the alert ended, if it began and ended in old readings; nil otherwise.
    public var until: Timestamp?
    /// When this message was created.
    public var at: Timestamp
    /// How many times the alert was notified before.
    public var repeats: Int
    /// The message in one English sentence, with value and limit.
    public var text: String

    /// Creates a notice; without a text it gets its sentence in English.
    package init(
        id: String, episodeID: AlertEpisodeID, key: AlertKey, kind: Kind, severity: AlertSeverity, name: String,
        value: Double? = nil, limit: Double? = nil, normal: Double? = nil, release: Double? = nil,
        opposite: Double? = nil, reason: MissingReason? = nil, detail: String? = nil, since: Timestamp,
        until: Timestamp? = nil, at: Timestamp, repeats: Int, text: String = ""
    ) {
        self.id = id
        self.episodeID = episodeID
        self.key = key
        self.kind = kind
        self.severity = severity
        self.name = name
        self.value = value
        self.limit = limit
        self.normal = normal
        self.release = release
        self.opposite = opposite
        self.reason = reason
        self.detail = detail
        self.since = since
        self.until = until
        self.at = at
        self.repeats = repeats
        self.text = text
        if text.isEmpty { self.text = sentence(in: .english) }
    }

    /// How far the value exceeds the limit, positive outside; nil unless the alert is about a value.
    public var beyond: Double? {
        guard let value, let limit, let side = key.side else { return nil }
        let distance = side == .high ? value - limit : limit - value
        // Digits after the sixth come from rounding in the subtraction.
        return (distance * 1_000_000).rounded() / 1_000_000
    }
}
