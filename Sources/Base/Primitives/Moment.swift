/// What the two clocks of a machine showed at once.
public struct Moment: Hashable, Sendable {
    /// The clock that only goes forward; every deadline is on it.
    public var monotonic: Instant
    /// The wall clock in milliseconds since 1970 in UTC; it may jump, so it orders nothing by itself.
    public var wallMilliseconds: Int64

    /// Creates a moment.
    public init(monotonic: Instant, wallMilliseconds: Int64) {
        self.monotonic = monotonic
        self.wallMilliseconds = wallMilliseconds
    }
}
