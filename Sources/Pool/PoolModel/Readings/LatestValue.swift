/// The newest value of one quantity of a device, with what is known of its age.
public struct LatestValue: Hashable, Codable, Sendable {
    /// The value in the quantity's unit.
    public var value: Double
    /// When the sample was taken, nil when nobody knows: the broker replayed it without a time (X18).
    public var sampledAt: Timestamp?
    /// Where ``sampledAt`` comes from.
    public var timeQuality: TimeQuality
    /// When the message arrived, by the hub's clock.
    public var receivedAt: Timestamp
    /// The direction over the hour that ends with the value, as the hub found it; nil if it told none.
    ///
    /// Only the hub sets it, on what it shows; nobody who has not seen the hour can (see ``TrendMemory``).
    public var trend: Trend?

    /// Creates a value without a trend.
    public init(value: Double, sampledAt: Timestamp?, timeQuality: TimeQuality, receivedAt: Timestamp) {
        self.value = value
        self.sampledAt = sampledAt
        self.timeQuality = timeQuality
        self.receivedAt = receivedAt
    }

    /// Whether this is only the last value known, of unknown age.
    public var isLastKnown: Bool { sampledAt == nil }

    /// The moment from which the value ages, nil when nobody knows it.
    ///
    /// It is the sample time, but never later than the receipt: a device whose clock runs ahead must not make its
    /// values look fresh for longer.
    public var moment: Timestamp? { sampledAt.map { min($0, receivedAt) } }

    /// How far the value can be trusted to be today's, and its age in whole seconds where that is known.
    ///
    /// A value received after `now` is of an age that nobody knows: the hub's clock has been set back since. Three
    /// expected intervals, at least 5 s, are allowed for, because the clocks of hub and watch differ a little.
    /// - Parameters:
    ///   - now: The moment by the hub's clock.
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
    /// Reads a value; a trend that this version has no word for is left out.
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
