/// The source of the sample time.
public struct TimeSource: Hashable, Sendable {
    /// The form of a time.
    public enum Form: String, Codable, CaseIterable, Sendable {
        /// ISO 8601 with a zone, or a number of seconds, milliseconds or microseconds, distinguished by its size.
        case automatic
        /// ISO 8601; without a zone it is UTC, unless ``TimeSource/zone`` is set.
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
    /// A time from a separate topic belongs to the values that arrive up to 5 s before or after it: to one value of
    /// each source. A value without such a time has the time of its receipt.
    public var topic: String?
    /// The place in the payload.
    public var path: ValuePath
    /// The form of the time.
    public var form: Form
    /// The zone of times that have none: ``ownZone``, or a name such as `Europe/Paris`; nil for none.
    ///
    /// An unknown name has the same effect as nil.
    public var zone: String?

    /// The name for the zone of the hub's machine.
    public static let ownZone = LocalClock.ownName

    /// Creates a source without checking it.
    public init(topic: String? = nil, path: ValuePath, form: Form = .automatic, zone: String? = nil) {
        self.topic = topic
        self.path = path
        self.form = form
        self.zone = zone
    }
}
