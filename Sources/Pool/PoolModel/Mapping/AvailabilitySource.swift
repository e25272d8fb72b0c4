/// The source of a device's availability.
public struct AvailabilitySource: Hashable, Sendable {
    /// The topic, with `~` as in ``ValueSource/topic``.
    public var topic: String
    /// The place in the payload; if an object is there, its `state`, its `status`, or its `name` is used.
    public var path: ValuePath
    /// The words for "available"; compared without case and surrounding blanks.
    ///
    /// A word such as `>0`, `>=10`, `<5` or `<=5` stands for all numbers that satisfy it. An empty list stands for all
    /// words that are not in ``offline``.
    public var online: [String]
    /// The words for "unavailable"; an empty list stands for all words that are not in ``online``.
    ///
    /// If both lists have words, a word in neither changes nothing and is counted.
    public var offline: [String]

    /// Creates a source without checking it.
    public init(
        topic: String, path: ValuePath = .whole, online: [String] = AvailabilitySource.usualOnline,
        offline: [String] = AvailabilitySource.usualOffline
    ) {
        self.topic = topic
        self.path = path
        self.online = online
        self.offline = offline
    }

    /// The words for "available" that are in common use.
    public static let usualOnline = ["online", "1", "true", "ok", "connected", "ready", "sleeping"]
    /// The words for "unavailable" that are in common use.
    public static let usualOffline = [
        "offline", "0", "false", "problem", "connection lost", "lost", "disconnected", "init", "alert", "error",
    ]
}
