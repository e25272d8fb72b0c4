import PoolModel
import WaterChemistry

/// A forecast that the product does not use: the trend of two days, damped, with the profile of the day.
///
/// It is what a general "predictive analysis" does; the comparison shows where it loses.
struct TrendAndProfile {
    /// The days from which it learns the profile of the day.
    static let dayCount = 14
    /// The hours from which it learns the trend.
    private static let trendHours = 48
    /// The share of the trend that is left after each hour.
    private static let damping = 0.95

    private let profile: [Double]
    private let level: Double
    private let slope: Double
    private let origin: Int

    /// Learns from the hours up to an index.
    ///
    /// - Parameters:
    ///   - values: The values of consecutive hours.
    ///   - origin: The index of the newest one that is known; at least ``dayCount`` days.
    init(_ values: [Double], origin: Int) {
        self.origin = origin
        let first = origin + 1 - 24 * Self.dayCount
        var deviations = [[Double]](repeating: [], count: 24)
        for day in 0..<Self.dayCount {
            let hours = first + 24 * day..<first + 24 * (day + 1)
            let middle = HourlyCourse.median(Array(values[hours]))
            for hour in hours { deviations[hour % 24].append(values[hour] - middle) }
        }
        let profile = deviations.map(HourlyCourse.median)
        self.profile = profile
        let recent = (origin + 1 - Self.trendHours...origin).map { hour in
            (time: Double(hour), value: values[hour] - profile[hour % 24])
        }
        slope = DriftModel.slope(recent)
        level = values[origin] - profile[origin % 24]
    }

    /// The value so many hours ahead.
    func value(after lead: Int) -> Double {
        var reach = 0.0
        var step = 1.0
        for _ in 0..<lead {
            step *= Self.damping
            reach += step
        }
        return level + slope * reach + profile[(origin + lead) % 24]
    }
}
