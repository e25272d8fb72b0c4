/// Where it is said whether a device is there.
public struct AvailabilitySource: Hashable, Sendable {
    /// The topic, with `~` as in ``ValueSource/topic``.
    public var topic: String
    /// The place in the payload; in an object the whole of it stands for its `state`, its `status`, or its `name`.
    public var path: ValuePath
    /// The words for "there"; compared without case and blanks around them.
    ///
    /// A word such as `>0`, `>=10`, `<5` or `<=5` stands for all numbers of which this holds; other numbers then mean
    /// "not there" if ``offline`` is empty.
    /// None: any word that is not in ``offline``.
    public var online: [String]
    /// The words for "not there"; any word in neither list changes nothing and is counted.
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

    /// The words for "there" that are in use.
    public static let usualOnline = ["online", "1", "true", "ok", "connected", "ready", "sleeping"]
    /// The words for "not there" that are in use.
    public static let usualOffline = [
        "offline", "0", "false", "problem", "connection lost", "lost", "disconnected", "init", "alert", "error",
    ]
}
