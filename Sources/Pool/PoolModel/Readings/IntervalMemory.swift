/// Learns from the readings of a device how often it reports.
///
/// Times are those of the device where it sends some, otherwise those of receipt. The rules:
///
/// - Readings less than a second apart are one: the values of a sample often come one by one.
/// - The interval grows to a longer gap at once if it is the first gap that is known; otherwise when a second gap at
///   least half as long comes within ``gapCountMax`` further ones, since one long gap may be an outage.
/// - It shrinks only after a whole day with at least ``gapCountMin`` gaps, to the longest gap of that day and of the day
///   before it, and only if that is less than half of it: so a pause each night stays known.
/// - It is never less than ``leastSeconds``.
public struct IntervalMemory: Sendable {
    /// The least interval that is learnt, in seconds; that of a device without a given one.
    public static let leastSeconds = Device.defaultIntervalSeconds
    /// The interval with which learning begins, in seconds, unless a longer one was seen: three of them, 15 minutes, are
    /// more than most probes pause.
    public static let firstSeconds = 300
    /// After how many gaps a long one is forgotten.
    public static let gapCountMax = 64
    /// The least number of gaps of a day from which the interval may shrink.
    public static let gapCountMin = 48

    private static let dayMilliseconds: Int64 = 86_400_000

    private var last: Timestamp?
    private var gapCount = 0
    /// A gap longer than the interval that no second one has confirmed, and the number of gaps then.
    private var long: (seconds: Int, at: Int)?
    private var dayStart: Timestamp?
    private var dayGapCount = 0
    private var dayLongest = 0
    private var dayBeforeLongest: Int?

    /// Creates a memory of nothing.
    public init() {}

    /// A reading came.
    ///
    /// - Parameters:
    ///   - moment: Its time.
    ///   - isContinuous: Whether all readings between it and the one before would have been received; false if the hub
    ///     was away meanwhile.
    ///   - interval: The present interval in seconds.
    /// - Returns: The new interval in seconds, in `Device.intervalRange`; nil if it stays.
    public mutating func note(_ moment: Timestamp, isContinuous: Bool, interval: Int) -> Int? {
        guard let before = last else {
            last = moment
            return nil
        }
        let milliseconds = moment.milliseconds(since: before)
        // An earlier sample, or another value of the same one.
        guard milliseconds >= 1000 || milliseconds < -Self.dayMilliseconds else { return nil }
        last = moment
        guard isContinuous, milliseconds > 0 else { return nil }
        let gap = Int(min((milliseconds + 999) / 1000, Int64(Device.intervalRange.upperBound)))
        gapCount += 1
        if let long, gapCount - long.at > Self.gapCountMax { self.long = nil }
        return grown(to: gap, from: interval) ?? shrunk(by: gap, at: moment, from: interval)
    }

    private mutating func grown(to gap: Int, from interval: Int) -> Int? {
        guard gap > interval else { return nil }
        guard gapCount == 1 || long.map({ $0.seconds * 2 >= gap }) == true else {
            long = (gap, gapCount)
            return nil
        }
        long = nil
        // What was measured before says nothing against it.
        startDay(at: last)
        return gap
    }

    private mutating func shrunk(by gap: Int, at moment: Timestamp, from interval: Int) -> Int? {
        guard let start = dayStart else {
            startDay(at: moment)
            return nil
        }
        dayGapCount += 1
        dayLongest = max(dayLongest, gap)
        guard moment.milliseconds(since: start) >= Self.dayMilliseconds else { return nil }
        let longest = max(dayLongest, dayBeforeLongest ?? 0, Self.leastSeconds)
        let isEnough = dayGapCount >= Self.gapCountMin
        dayBeforeLongest = dayLongest
        startDay(at: moment)
        return isEnough && longest * 2 < interval ? longest : nil
    }

    private mutating func startDay(at moment: Timestamp?) {
        dayStart = moment
        dayGapCount = 0
        dayLongest = 0
    }
}
