package import PoolModel

/// The values of a quantity as one median for each hour, in the order of time.
///
/// Medians of hours resist single wrong samples, and make forecasts independent of how often a device reports.
package struct HourlyCourse: Sendable {
    /// The values of one hour.
    package struct Hour: Hashable, Sendable {
        /// The number of the hour since 1970-01-01T00:00:00Z.
        package var number: Int64
        /// The mean of the sample times, in hours since 1970.
        package var time: Double
        /// The median of the values.
        package var value: Double

        /// Creates an hour.
        package init(number: Int64, time: Double, value: Double) {
            self.number = number
            self.time = time
            self.value = value
        }
    }

    /// The hours that have values.
    package let hours: [Hour]
    /// The time of the newest sample, in hours since 1970; nil if there is none.
    package let newestTime: Double?

    private static let hourMilliseconds: Int64 = 3_600_000

    /// Creates a course from the points of a series in a span of time, whatever their order; values that water cannot
    /// have do not count.
    package init(_ series: TimeSeries, from first: Timestamp, through last: Timestamp) {
        let middle = (series.bucketMilliseconds ?? 0) / 2
        var groups: [Int64: [(time: Double, value: Double)]] = [:]
        var newest: Double?
        for point in series.points where point.start > first && point.start <= last {
            guard series.quantity.plausibleRange.contains(point.mean) else { continue }
            let moment = min(point.start.advanced(byMilliseconds: middle), last)
            let time = Double(moment.milliseconds) / Double(Self.hourMilliseconds)
            groups[moment.milliseconds.flooredDivision(by: Self.hourMilliseconds), default: []]
                .append((time, point.mean))
            newest = max(newest ?? time, time)
        }
        newestTime = newest
        hours = groups.sorted { $0.key < $1.key }.map { number, samples in
            Hour(
                number: number, time: samples.reduce(0) { $0 + $1.time } / Double(samples.count),
                value: Self.median(samples.map(\.value)))
        }
    }

    /// The index of an hour; nil if it has no value.
    package func index(of number: Int64) -> Int? {
        var (low, high) = (0, hours.count)
        while low < high {
            let middle = (low + high) / 2
            if hours[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return low < hours.count && hours[low].number == number ? low : nil
    }

    /// The median of numbers; at least one.
    package static func median(_ numbers: [Double]) -> Double { quantile(numbers.sorted(), 0.5) }

    /// A quantile of sorted numbers, linear between its neighbours; at least one number.
    static func quantile(_ sorted: [Double], _ share: Double) -> Double {
        let place = share * Double(sorted.count - 1)
        let low = Int(place)
        let high = min(low + 1, sorted.count - 1)
        return sorted[low] + (sorted[high] - sorted[low]) * (place - Double(low))
    }
}

extension Timestamp {
    /// The time at a number of hours since 1970.
    init(hours: Double) {
        self.init(milliseconds: Int64(min(max(-9e18, (hours * 3_600_000).rounded()), 9e18)))
    }
}
