/// A moment of a clock that only goes forward, in nanoseconds since an arbitrary start.
///
/// Pure code never reads a clock: what calls it passes the moment in, and a simulation invents it.
public struct Instant: InstantProtocol, Hashable, Sendable {
    /// The nanoseconds since the start of the clock.
    public let nanoseconds: Int64

    /// Creates a moment.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The moment that lies `duration` later; stops at the ends of `Int64` instead of trapping.
    public func advanced(by duration: Duration) -> Instant {
        advanced(byNanoseconds: duration.wholeNanoseconds)
    }

    /// The moment that lies so much later, for where it is asked for often: a `Duration` has 128 bits to divide.
    @inlinable
    package func advanced(byNanoseconds difference: Int64) -> Instant {
        let (sum, overflow) = nanoseconds.addingReportingOverflow(difference)
        guard overflow else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: difference < 0 ? .min : .max)
    }

    /// The time from this moment to `other`; negative if `other` is earlier.
    public func duration(to other: Instant) -> Duration {
        .nanoseconds(other.nanoseconds) - .nanoseconds(nanoseconds)
    }

    /// Whether the left moment is earlier.
    @inlinable
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

extension Duration {
    /// The duration in whole nanoseconds, cut at the ends of `Int64` (292 years).
    package var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        let (sum, overflowed) = product.addingReportingOverflow(attoseconds / 1_000_000_000)
        guard !overflowed else { return seconds < 0 ? .min : .max }
        return sum
    }
}
