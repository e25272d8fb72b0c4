/// The last hour of one device, for computing trends: the mean of each quantity in each minute.
///
/// It stores raw values, so that the calibration is applied when a trend is computed. The order of the readings does
/// not matter, but each may be recorded only once. Memory is limited whatever the device sends.
public struct TrendMemory: Hashable, Sendable {
    /// The time span of a trend, in milliseconds: an hour.
    public static let spanMilliseconds: Int64 = 3_600_000
    /// The readings of one such span count as one value.
    private static let minuteMilliseconds: Int64 = 60_000
    /// The least number of minutes with readings for a trend: without any one of them, three are left.
    private static let minuteCountMin = 4
    /// The time that readings must span before a quantity can be called steady, in milliseconds.
    private static let steadyMilliseconds: Int64 = spanMilliseconds / 2

    /// The readings of one minute.
    private struct Minute: Hashable {
        var first: Timestamp
        var last: Timestamp
        var sum: Double
        var count: Int

        var number: Int64 { TrendMemory.number(of: first) }
    }

    /// The minutes that have readings, oldest first; none is an hour older than the newest.
    private var minutes: QuantityMap<[Minute]> = [:]

    /// Creates an empty memory.
    public init() {}

    /// The number of stored minutes of all quantities; 240 at most.
    var minuteCount: Int { minutes.pairs.reduce(0) { $0 + $1.value.count } }

    /// Records the raw values of a reading, in any order of time; values that are not finite are left out.
    ///
    /// - Parameters:
    ///   - values: The raw values.
    ///   - moment: The sample time, never later than the receipt.
    public mutating func record(_ values: QuantityMap<Double>, at moment: Timestamp) {
        let number = Self.number(of: moment)
        for (quantity, value) in values.pairs where value.isFinite {
            var kept = minutes[quantity] ?? []
            let place = kept.lastIndex { $0.number <= number }
            if let place, kept[place].number == number {
                kept[place].first = min(kept[place].first, moment)
                kept[place].last = max(kept[place].last, moment)
                kept[place].sum += value
                kept[place].count += 1
            } else {
                let minute = Minute(first: moment, last: moment, sum: value, count: 1)
                kept.insert(minute, at: place.map { $0 + 1 } ?? 0)
            }
            if let newest = kept.last?.number {
                kept.removeFirst(kept.firstIndex { Self.isWithinHour($0.number, before: newest) } ?? 0)
            }
            minutes[quantity] = kept
        }
    }

    /// Removes the readings of a deleted time span, including every minute that it touches.
    public mutating func forget(from first: Timestamp, through last: Timestamp) {
        for (quantity, kept) in minutes.pairs {
            minutes[quantity] = kept.filter { $0.last < first || $0.first > last }
        }
    }

    /// Removes readings that are later than the newest value of a quantity: the clock was set back, or the value's
    /// time is unknown now.
    public mutating func forget(_ quantity: Quantity, after newest: Timestamp) {
        guard let kept = minutes[quantity], let last = kept.last, last.first > newest else { return }
        minutes[quantity] = kept.filter { $0.first <= newest }
    }

    /// The trend of a quantity over the hour that ends with its newest value; nil if there are too few readings.
    ///
    /// It is the change of a straight line through the means of the minutes, between the first and the last of them.
    /// The line is computed once without each of the minutes, and the smallest change counts, so that no single
    /// minute, and no single reading, determines a trend. A change that is smaller than ``QuantityFacts/leastChange`` is
    /// ``Trend/steady`` if the readings span half an hour; otherwise the trend is unknown.
    ///
    /// Only readings with the same calibration as the newest value count, because a new calibration changes the
    /// numbers but not the water.
    ///
    /// - Parameters:
    ///   - quantity: The quantity.
    ///   - newest: When the newest value was measured.
    ///   - calibrations: The calibrations of the quantity.
    /// - Returns: The trend.
    public func trend(of quantity: Quantity, endingAt newest: Timestamp, calibrations: CalibrationSeries) -> Trend? {
        let calibration = calibrations.calibration(at: newest)
        let begin = calibration?.validFrom ?? Timestamp(milliseconds: .min)
        let known = (minutes[quantity] ?? []).filter { minute in
            minute.first >= begin && minute.first <= newest
                && Self.isWithinHour(minute.number, before: Self.number(of: newest))
        }
        guard known.count >= Self.minuteCountMin, let first = known.first, let last = known.last else { return nil }
        let points = known.map { minute in
            // In hours before the newest value. The middle of the readings is used, because all readings of a minute
            // may be at its end.
            let middle = (minute.first.milliseconds(since: newest) + minute.last.milliseconds(since: newest)) / 2
            let mean = minute.sum / Double(minute.count)
            return (
                time: Double(middle) / Double(Self.spanMilliseconds), value: calibration?.corrected(mean) ?? mean
            )
        }
        let change = Self.leastSlope(points) * (points[points.count - 1].time - points[0].time)
        switch change.magnitude {
        case quantity.facts.fastChange...: return change < 0 ? .falling : .rising
        case quantity.facts.leastChange...: return change < 0 ? .easing : .climbing
        default: return last.last.milliseconds(since: first.first) >= Self.steadyMilliseconds ? .steady : nil
        }
    }

    /// The flattest of the lines through all points but one; 0 if the lines do not agree on the direction.
    private static func leastSlope(_ points: [(time: Double, value: Double)]) -> Double {
        // Values far from zero lose less precision if they are relative to one of them.
        let base = points[0].value
        var sums = (time: 0.0, value: 0.0, square: 0.0, product: 0.0)
        for point in points {
            sums.time += point.time
            sums.value += point.value - base
            sums.square += point.time * point.time
            sums.product += point.time * (point.value - base)
        }
        let count = Double(points.count - 1)
        let slopes = points.map { point in
            let (time, value) = (sums.time - point.time, sums.value - (point.value - base))
            let square = sums.square - point.time * point.time
            let product = sums.product - point.time * (point.value - base)
            return (count * product - time * value) / (count * square - time * time)
        }
        guard let least = slopes.min(), let greatest = slopes.max() else { return 0 }
        // A sum of extreme values may not be a number; then there is no trend.
        return least > 0 ? least : greatest < 0 ? greatest : 0
    }

    private static func number(of moment: Timestamp) -> Int64 {
        moment.milliseconds.flooredDivision(by: minuteMilliseconds)
    }

    /// Whether a minute is that of the newest value, or one of the 59 before it.
    private static func isWithinHour(_ number: Int64, before newest: Int64) -> Bool {
        number <= newest && number > newest - spanMilliseconds / minuteMilliseconds
    }
}
