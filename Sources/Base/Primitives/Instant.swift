/// A time on a monotonic clock, in nanoseconds since an arbitrary start.
///
/// Pure code never reads a clock: its caller passes the time, and a simulation makes it up.
public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The nanoseconds since the start of the clock.
    public let nanoseconds: Int64

    /// Creates an instant.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant that is `duration` later; clamped to the range of `Int64` instead of trapping.
    public func advanced(by duration: Duration) -> Instant {
        advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// The instant that is this much later.
    ///
    /// It is faster for frequent use, because a `Duration` has 128 bits to divide.
    @inlinable
    package func advanced(byNanoseconds difference: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(difference)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: difference < 0 ? .min : .max)
    }

    /// The time from this instant to `other`; negative if `other` is earlier.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Whether the left instant is earlier.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, clamped to the range of `Int64` (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !overflowed else { return seconds < 0 ? .min : .max }
        return sum
    }
}
