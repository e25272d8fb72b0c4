/// The time on both clocks of a machine at the same moment.
public struct Moment: Hashable, Sendable {
    /// The monotonic clock; all deadlines are on it.
    public var monotonic: Instant
    /// The wall clock in milliseconds since 1970 in UTC; it may jump, so it does not determine an order by itself.
    public var wallMilliseconds: Int64

    /// Creates a moment.
    public init(monotonic: Instant, wallMilliseconds: Int64) {
        self.monotonic = monotonic
        self.wallMilliseconds = wallMilliseconds
    }
}
