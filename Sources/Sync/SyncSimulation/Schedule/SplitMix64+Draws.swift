package import SyncCore

extension SplitMix64 {
    /// Whether something of this probability happens.
    package mutating func chance(_ probability: Double) -> Bool {
        unit() < probability
    }

    /// A number from 0 up to but not including `bound`, which is above 0.
    package mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    /// One of some things, of which there is at least one.
    package mutating func pick<Elements: RandomAccessCollection<Element>, Element>(_ elements: Elements) -> Element {
        elements[elements.index(elements.startIndex, offsetBy: below(elements.count))]
    }

    /// A duration from zero to `longest`.
    package mutating func duration(upTo longest: Duration) -> Duration {
        .nanoseconds(Int64(unit() * Double(longest.wholeNanoseconds)))
    }

    /// A duration from zero to `longest`, most of them much shorter.
    package mutating func shortDuration(upTo longest: Duration) -> Duration {
        let share = unit()
        return .nanoseconds(Int64(share * share * share * Double(longest.wholeNanoseconds)))
    }

    /// The longest wait, some ninety years: a later event never happens, and its nanoseconds might have no number.
    private static let nanosecondsMax = 3e18

    /// The time to the next of some events that come at random at this rate per minute, nil if they never come.
    package mutating func wait(ratePerMinute rate: Double) -> Duration? {
        let draw = unit()
        guard rate > 0 else { return nil }
        // Uniform around the mean: the runs are short, and an exponential tail would leave too many without the event.
        return .nanoseconds(Int64(min((0.1 + 1.8 * draw) * 60e9 / rate, Self.nanosecondsMax)))
    }
}
