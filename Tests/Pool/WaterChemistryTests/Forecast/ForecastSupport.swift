@testable import PoolModel
@testable import WaterChemistry

/// 2026-06-01T00:00:00Z.
let firstOfJune = Timestamp(milliseconds: 1_780_272_000_000)
/// The end of the month after it, from which is forecast.
let monthLater = hour(720)

func hour(_ number: Double) -> Timestamp { firstOfJune.advanced(byMilliseconds: Int64(number * 3_600_000)) }

/// A series with one value for each hour of a month from ``firstOfJune`` on; nil for none.
func month(_ quantity: Quantity, hours: Int = 720, _ value: (Int) -> Double?) -> TimeSeries {
    let points = (0..<hours).compactMap { number -> TimeSeries.Point? in
        value(number).map { TimeSeries.Point(start: hour(Double(number) + 0.5), least: $0, greatest: $0, mean: $0) }
    }
    return TimeSeries(quantity: quantity, first: firstOfJune, last: monthLater, points: points)
}

/// A pool whose pH rises by 0.01 an hour for two days and is then set back; the last time 24 hours before the end.
func sawtooth(_ number: Int, noise: Double = 0) -> Double { 7.1 + 0.01 * Double((number + 24) % 48) + noise }

/// Random numbers from a seed.
struct Chance {
    private var generator: SplitMix64

    init(_ seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func bell() -> Double { generator.normal() }
    mutating func unit() -> Double { generator.unit() }
}

extension Forecast {
    /// A forecast at the end of the month, with limits around all usual values.
    init(_ series: TimeSeries, limits: Limits? = nil, doses: [Timestamp] = [], at now: Timestamp = monthLater) {
        self.init(
            of: series, limits: limits ?? series.quantity.facts.limits, doses: doses, at: now)
    }

    var exit: RangeExit? {
        if case .leaving(let exit) = result { exit } else { nil }
    }

    var forecastValue: ForecastValue? {
        if case .value(let value) = result { value } else { nil }
    }

    var refusal: ForecastRefusal? {
        if case .refused(let refusal) = result { refusal } else { nil }
    }
}
