/// How current a value is.
public enum Freshness: Equatable, Codable, Sendable {
    /// Sampled within three expected intervals.
    case live
    /// Sampled within twenty expected intervals, but not within three.
    case stale
    /// Sampled longer ago than that.
    case offline
    /// Replayed by a broker without a time: the last known value, of unknown age.
    ///
    /// Never shown as OK.
    case lastKnown
    /// No value was ever received.
    case never

    /// The freshness of a value of this age, for a device that is expected to report at this interval.
    ///
    /// A negative age (the device's clock is ahead) counts as zero.
    /// - Parameters:
    ///   - ageSeconds: The age of the sample in seconds by the hub's clock.
    ///   - expectedIntervalSeconds: The device's expected interval in seconds; at least 1.
    public init(ageSeconds: Int, expectedIntervalSeconds: Int) {
        let interval = max(1, expectedIntervalSeconds)
        if ageSeconds <= 3 * interval {
            self = .live
        } else if ageSeconds <= 20 * interval {
            self = .stale
        } else {
            self = .offline
        }
    }
}
