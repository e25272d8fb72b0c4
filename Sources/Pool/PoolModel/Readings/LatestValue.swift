/// The newest value of one quantity of a device, with its age as far as known.
public struct LatestValue: Hashable, Codable, Sendable {
    /// The value in the quantity's unit.
    public var value: Double
    /// When the sample was taken; nil if unknown: the broker replayed it without a time.
    public var sampledAt: Timestamp?
    /// The source of ``sampledAt``.
    public var timeQuality: TimeQuality
    /// When the message arrived, by the hub's clock.
    public var receivedAt: Timestamp
    /// The trend over the hour that ends with the value, computed by the hub, or nil.
    ///
    /// Only the hub sets it, in the values that it shows, because it needs the readings of that hour (see
    /// ``TrendMemory``).
    public var trend: Trend?

    /// Creates a value without a trend.
    public init(value: Double, sampledAt: Timestamp?, timeQuality: TimeQuality, receivedAt: Timestamp) {
        self.value = value
        self.sampledAt = sampledAt
        self.timeQuality = timeQuality
        self.receivedAt = receivedAt
    }

    /// Whether this is only the last known value, of unknown age.
    public var isLastKnown: Bool { sampledAt == nil }

    /// The time from which the age of the value counts; nil if unknown.
    ///
    /// It is the sample time, but never later than the receipt: a device whose clock is ahead must not make its
    /// values look fresh for longer.
    public var moment: Timestamp? { sampledAt.map { min($0, receivedAt) } }

    /// The freshness of the value, and its age in whole seconds if known.
    ///
    /// A value received after `now` has an unknown age: the hub's clock has been set back since. A difference of up
    /// to three expected intervals, at least 5 s, is tolerated, because the clocks of hub and watch differ a little.
    ///
    /// - Parameters:
    ///   - now: The time by the hub's clock.
    ///   - expectedIntervalSeconds: The device's expected interval in seconds; at least 1.
    /// - Returns: The freshness, and the age, which is nil exactly if the freshness is ``Freshness/lastKnown``.
    public func freshness(
        at now: Timestamp, expectedIntervalSeconds: Int
    ) -> (freshness: Freshness, ageSeconds: Int?) {
        guard let moment else { return (.lastKnown, nil) }
        let tolerance = max(5, 3 * Int64(min(max(1, expectedIntervalSeconds), Device.intervalRange.upperBound)))
        guard receivedAt.milliseconds(since: now) <= 1000 * tolerance else { return (.lastKnown, nil) }
        let age = max(0, Int(now.milliseconds(since: moment) / 1000))
        return (Freshness(ageSeconds: age, expectedIntervalSeconds: expectedIntervalSeconds), age)
    }
}

extension LatestValue {
    /// Reads a value; an unknown trend is left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            value: try container.decode(Double.self, forKey: .value),
            sampledAt: try container.decodeIfPresent(Timestamp.self, forKey: .sampledAt),
            timeQuality: try container.decode(TimeQuality.self, forKey: .timeQuality),
            receivedAt: try container.decode(Timestamp.self, forKey: .receivedAt))
        trend = try container.decodeIfPresent(String.self, forKey: .trend).flatMap { Trend(rawValue: $0) }
    }
}
