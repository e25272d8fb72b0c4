/// Where the time of the samples is.
public struct TimeSource: Hashable, Sendable {
    /// How a time is written.
    public enum Form: String, Codable, CaseIterable, Sendable {
        /// ISO 8601 with a zone, or a number of seconds, milliseconds or microseconds, told apart by its size.
        case automatic
        /// ISO 8601; without a zone it is UTC, unless ``TimeSource/zone`` names another.
        case iso8601
        /// Seconds since 1970, possibly with a fraction.
        case seconds
        /// Milliseconds since 1970.
        case milliseconds
        /// Microseconds since 1970.
        case microseconds
    }

    /// The topic or filter, with `~` as in ``ValueSource/topic``; nil for the payload of the value itself.
    ///
    /// From a topic of its own the time belongs to the values that came up to 5 s before or come up to 5 s after it: to
    /// one of each source. A value for which none comes has the time of its receipt.
    public var topic: String?
    /// The place in the payload.
    public var path: ValuePath
    /// How it is written.
    public var form: Form
    /// The zone of times that are written without one: ``ownZone``, or a name such as `Europe/Paris`; nil for none.
    ///
    /// A name that no zone has is as good as none.
    public var zone: String?

    /// The name of the zone of the machine that the hub runs on.
    public static let ownZone = LocalClock.ownName

    /// Creates a source without checking it.
    public init(topic: String? = nil, path: ValuePath, form: Form = .automatic, zone: String? = nil) {
        self.topic = topic
        self.path = path
        self.form = form
        self.zone = zone
    }
}
