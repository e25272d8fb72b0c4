import TestSupport
import Testing

@testable import PoolModel
@testable import WaterChemistry

/// Forecasts of water that follows a rule: the numbers are known.
@Suite struct ForecastTests {
    // V12
    @Test func `the time until pH leaves its range follows the drift since the last dose`() throws {
        // The last dose was 24 hours before the end, after the value 7.57; since then 7.10, 7.11, …, and the newest
        // value is 7.10 + 23 × 0.01 = 7.33 at 23.5 h. The limit 7.45 is 12 hours later.
        let limits = Limits(criticalLow: 6.5, low: 6.8, high: 7.45, criticalHigh: 8)
        let forecast = Forecast(month(.ph) { sawtooth($0) }, limits: limits)
        let exit = try #require(forecast.exit, "\(forecast)")

        #expect(exit.since == hour(696.5))
        #expect(exit.deviation == .high)
        let moment = try #require(exit.at)
        #expect(abs(moment.milliseconds(since: hour(719.5 + 12))) < 60_000)
        #expect(exit.earliest == exit.at && exit.latest == exit.at)
        #expect(exit.reach == hour(719.5 + 24))
        #expect((exit.changePerDay - 0.24).magnitude < 1e-9)
        let score = try #require(forecast.score)
        #expect(score.originCount > 80 && score.isGood)
        #expect(score.error < 1e-9)
    }

    @Test func `chlorine decays by a share of what is there`() throws {
        // 3 mg/L after each dose, 2 % less an hour; the newest value is 3 × 0.98²³ = 1.885. It is 1.5 after
        // ln(1.885 ÷ 1.5) ÷ −ln 0.98 = 11.31 hours.
        let limits = Limits(criticalLow: 0.5, low: 1.5, high: 3.5, criticalHigh: 5)
        let series = month(.chlorine) { number in
            (0..<(number + 24) % 48).reduce(3) { value, _ in value * 0.98 }
        }
        let exit = try #require(Forecast(series, limits: limits).exit)
        let moment = try #require(exit.at)
        #expect(abs(moment.milliseconds(since: hour(719.5 + 11.31))) < 60_000)
        #expect(exit.deviation == .low)
    }

    @Test func `a value that stays within its range for the reach of the forecast has no time of leaving`() throws {
        let limits = Limits(criticalLow: 6, low: 6.8, high: 7.8, criticalHigh: 8)
        let forecast = Forecast(month(.ph) { sawtooth($0) }, limits: limits)
        let exit = try #require(forecast.exit)
        #expect(exit.at == nil && exit.earliest == nil && exit.latest == nil && exit.deviation == nil)
    }

    @Test func `the band holds the errors of this pool's own past`() throws {
        let limits = Limits(criticalLow: 6.5, low: 6.8, high: 7.45, criticalHigh: 8)
        func exit(noise: Double) throws -> RangeExit {
            var chance = Chance(3)
            return try #require(
                Forecast(month(.ph) { sawtooth($0, noise: noise * chance.bell()) }, limits: limits).exit)
        }
        func width(_ exit: RangeExit) throws -> Int64 {
            try #require(exit.latest).milliseconds(since: try #require(exit.earliest))
        }
        let (calm, noisy) = (try exit(noise: 0.004), try exit(noise: 0.012))
        for exit in [calm, noisy] {
            let (earliest, at, latest) = (exit.earliest, try #require(exit.at), exit.latest)
            #expect(try #require(earliest) <= at)
            #expect(try #require(latest) >= at)
        }
        #expect(try width(noisy) > width(calm))
        // Twelve hours, and not off by more than a few.
        #expect(abs(try #require(calm.at).milliseconds(since: hour(719.5 + 12))) < 3 * 3_600_000)
    }

    @Test func `a logged dose begins a new segment, also if no value shows it`() throws {
        let series = month(.ph) { sawtooth($0) }
        let dose = hour(714.2)
        #expect(Forecast(series, doses: [dose]).refusal == .tooRecent(since: hour(714.5), hours: 8))
        // After the newest value.
        #expect(Forecast(series, doses: [hour(719.8)]).refusal == .tooRecent(since: hour(719.8), hours: 8))
        // In the future, as a clock that was set back leaves it.
        #expect(Forecast(series, doses: [hour(900)]).exit != nil)
        // Long ago, in any order.
        #expect(Forecast(series, doses: [hour(600), hour(400), hour(30)]).exit != nil)
    }

    @Test func `the temperature in six hours is that of yesterday`() throws {
        // V12: warm by day and cool by night, and a little warmer each day.
        func celsius(_ number: Int) -> Double {
            26 + 2 * Transcendental.cosine(turns: Double(number % 24 - 15) / 24) + 0.002 * Double(number)
        }
        let forecast = Forecast(month(.temperature) { celsius($0) })
        let value = try #require(forecast.forecastValue, "\(forecast)")
        #expect(value.at == hour(719.5 + 6))
        #expect((value.value - celsius(719 + 6 - 24)).magnitude < 1e-9)
        // Yesterday was always 24 × 0.002 = 0.048 °C cooler.
        #expect((value.least - value.value - 0.048).magnitude < 1e-6)
        #expect((value.greatest - value.value - 0.048).magnitude < 1e-6)
        #expect(try #require(forecast.score?.ratio) < 0.1)

        let gap = Forecast(month(.temperature) { (700...702).contains($0) ? nil : celsius($0) })
        #expect(gap.refusal == .noValueOfYesterday)
    }

    @Test func `ORP is never forecast`() {
        let forecast = Forecast(month(.orp) { 650 + Double($0 % 48) })
        #expect(forecast.refusal == .never && forecast.score == nil)
        #expect("\(ForecastRefusal.never)".contains("assuming no change"))
    }
}

/// When there is no forecast, and the reason that is given.
@Suite struct ForecastRefusalTests {
    @Test func `a value outside its range has left it already`() {
        let limits = Limits(criticalLow: 6.5, low: 6.8, high: 7.2, criticalHigh: 8)
        #expect(Forecast(month(.ph) { sawtooth($0) }, limits: limits).refusal == .outside(.high))
        let low = Limits(criticalLow: 6.5, low: 7.4, high: 7.6, criticalHigh: 8)
        #expect(Forecast(month(.ph) { sawtooth($0) }, limits: low).refusal == .outside(.low))
    }

    @Test(arguments: [(7200, true), (7260, false)])
    func `the newest value is at most two hours old`(age: Int64, isForecast: Bool) {
        let series = month(.ph) { sawtooth($0) }
        let forecast = Forecast(series, at: hour(719.5).advanced(byMilliseconds: 1000 * age))
        #expect((forecast.exit != nil) == isForecast)
        if !isForecast { #expect(forecast.refusal == .stale(seconds: Int(age))) }
    }

    @Test func `eight hours of values are needed since the last dose`() {
        let series = month(.ph) { sawtooth($0) }
        #expect(Forecast(series, doses: [hour(711)]).exit != nil)
        #expect(Forecast(series, doses: [hour(712)]).refusal == .tooRecent(since: hour(712.5), hours: 8))
    }

    @Test func `the refusal of a poor forecast carries its numbers`() throws {
        // A month of pH that wanders: each hour a small step up or down.
        var chance = Chance(1)
        var value = 7.3
        let forecast = Forecast(
            month(.ph) { _ in
                value += 0.01 * chance.bell()
                return value
            })
        guard case .unpredictable(let score)? = forecast.refusal else {
            Issue.record("\(forecast)")
            return
        }
        #expect(score == forecast.score)
        #expect(score.originCount > 80)
        #expect(try #require(score.ratio) > 1)
        let words = "\(ForecastRefusal.unpredictable(ForecastScore(originCount: 28, error: 0.052, errorOfNow: 0.05)))"
        #expect(words == "There is no forecast: here, past forecasts were hardly closer than assuming no change.")
        for score in [ForecastScore(originCount: 1, error: 0, errorOfNow: 0), score] {
            #expect("\(score)" == "past forecasts were no closer than assuming no change")
        }
        #expect(
            "\(ForecastScore(originCount: 40, error: 0.024, errorOfNow: 0.1))"
                == "past forecasts were 76 % closer than assuming no change")
    }

    @Test(arguments: [(30, 0.9, true), (29, 0.9, false), (30, 0.9001, false), (1000, 0.1, true)])
    func `thirty origins and nine tenths of the error are the limit`(origins: Int, error: Double, isGood: Bool) {
        #expect(ForecastScore(originCount: origins, error: error, errorOfNow: 1).isGood == isGood)
    }

    @Test func `a young pool has too few origins`() {
        // Ten days: 40 origins at most, and fewer for the doses between.
        let forecast = Forecast(month(.ph) { $0 < 500 ? nil : sawtooth($0) })
        guard case .tooFewReadings(let days)? = forecast.refusal, let score = forecast.score else {
            Issue.record("\(forecast)")
            return
        }
        #expect((1..<30).contains(score.originCount))
        #expect(score.ratio.map { $0 < 0.1 } == true)
        // So many days more at the same rate make thirty.
        let perDay = Double(score.originCount) / 9
        #expect((days - 1...days + 1).contains(Int((Double(30 - score.originCount) / perDay).rounded(.up))))
    }

    @Test func `the days that are missing become fewer, and none are missing of a full month`() throws {
        func days(_ first: Int) -> Int? {
            guard case .tooFewReadings(let days)? = Forecast(month(.ph) { $0 < first ? nil : sawtooth($0) }).refusal
            else { return nil }
            return days
        }
        #expect(days(719) == 12 && days(700) == 12)
        let all = [690, 660, 620, 580, 540, 500].map(days)
        #expect(all.allSatisfy { $0 != nil }, "\(all)")
        #expect(try #require(all.last ?? nil) < 12 && days(0) == nil)
    }
}

/// Courses of a pH that no line since the last dose can foresee.
enum UnforeseeableCourse: CaseIterable, Sendable {
    case randomWalk
    case walkWithLongSteps
    case steps
    case noise
    case outliers
    case constant
    case lastDigit
    case waveOfADay
    case waveOfFourDays
    case drawnBack

    /// The next hourly value.
    func next(_ value: Double, _ chance: inout Chance, _ hour: Int) -> Double {
        func step() -> Double { chance.unit() < 0.03 ? 0.15 * (chance.unit() < 0.5 ? 1 : -1) : 0 }
        return switch self {
        case .randomWalk: value + 0.01 * chance.bell()
        case .walkWithLongSteps: value + 0.004 * chance.bell() + step()
        case .steps: value + step()
        case .noise: 7.3 + 0.02 * chance.bell()
        case .outliers: chance.unit() < 0.05 ? 7.3 + chance.bell() : 7.3
        case .constant: 7.3
        case .lastDigit: 7.3 + (0.4 * chance.bell()).rounded() / 100
        case .waveOfADay: 7.3 + 0.1 * Transcendental.cosine(turns: Double(hour) / 24)
        case .waveOfFourDays: 7.3 + 0.1 * Transcendental.cosine(turns: Double(hour) / 100)
        case .drawnBack: 7.3 + 0.95 * (value - 7.3) + 0.01 * chance.bell()
        }
    }
}

/// Series that are made to fool a forecast.
@Suite(.longWork) struct FoolingSeriesTests {
    @Test(arguments: UnforeseeableCourse.allCases, [Quantity.ph, .chlorine])
    func `what nobody can foresee is not forecast`(course: UnforeseeableCourse, quantity: Quantity) {
        // V12
        for seed in 1...3 as ClosedRange<UInt64> {
            var (chance, value) = (Chance(seed), 7.3)
            let series = month(quantity) { hour in
                value = course.next(value, &chance, hour)
                return quantity == .ph ? min(max(6.5, value), 8.2) : min(max(0.05, 1.7 + 3 * (value - 7.3)), 9)
            }
            let forecast = Forecast(series, limits: Limits(criticalLow: 0, low: 0.02, high: 12, criticalHigh: 14))
            #expect(forecast.exit == nil, "\(course), seed \(seed): \(forecast)")
        }
    }

    @Test func `the temperature of a hall that never changes is not forecast`() {
        #expect(Forecast(month(.temperature) { _ in 28.5 }).refusal?.isUnpredictable == true)
    }

    @Test func `a single outlier changes nothing`() throws {
        let clean = try #require(Forecast(month(.ph) { sawtooth($0) }).exit)
        let spoilt = try #require(Forecast(month(.ph) { $0 == 707 ? 9.5 : sawtooth($0) }).exit)
        #expect(spoilt.since == clean.since)
        #expect((spoilt.changePerDay - clean.changePerDay).magnitude < 1e-9)
    }

    @Test(arguments: [8.5, 6.6])
    func `a jump of the newest value, in either direction, is not taken for the drift`(newest: Double) {
        let forecast = Forecast(
            month(.ph) { $0 == 719 ? newest : sawtooth($0) },
            limits: Limits(criticalLow: 6, low: 6.1, high: 8.6, criticalHigh: 9))
        #expect(forecast.refusal == .tooRecent(since: hour(719.5), hours: 8))
    }

    @Test func `nothing is forecast across a gap`() {
        // Six hours between two values may be, seven may not.
        let short = month(.ph) { (710...714).contains($0) ? nil : sawtooth($0) }
        let long = month(.ph) { (710...715).contains($0) ? nil : sawtooth($0) }
        #expect(Forecast(short).exit != nil)
        #expect(Forecast(long).refusal == .tooRecent(since: hour(716.5), hours: 8))
    }

    @Test func `a sawtooth of a few hours has no segment that is long enough`() {
        let forecast = Forecast(month(.ph) { 7.1 + 0.06 * Double($0 % 6) })
        #expect(forecast.refusal?.isUnpredictable == true)
        #expect(forecast.score?.originCount == 0)
    }

    @Test func `one point, none, and values that water cannot have`() {
        #expect(Forecast(month(.ph) { _ in nil }).refusal == .noValues)
        #expect(Forecast(month(.ph) { $0 == 719 ? 7.2 : nil }).refusal == .tooFewReadings(days: 12))
        for value in [Double.nan, .infinity, -.infinity, 1e308, -3] {
            #expect(Forecast(month(.ph) { _ in value }).refusal == .noValues)
            let clean = Forecast(month(.ph) { $0 == 700 ? nil : sawtooth($0) })
            #expect(Forecast(month(.ph) { $0 == 700 ? value : sawtooth($0) }) == clean)
        }
    }

    @Test func `the order of the points does not matter, and the same points give the same forecast`() {
        var series = month(.ph) { sawtooth($0) }
        let forecast = Forecast(series)
        #expect(Forecast(series) == forecast)
        series.points.reverse()
        #expect(Forecast(series) == forecast)
        series.points.swapAt(3, 600)
        #expect(Forecast(series) == forecast)
    }

    @Test(arguments: [Int64.min, 0, Int64.max])
    func `a clock at the end of time traps nothing`(now: Int64) {
        for quantity in Quantity.allCases {
            let point = TimeSeries.Point(start: Timestamp(milliseconds: now), least: 7, greatest: 7, mean: 7)
            let series = TimeSeries(
                quantity: quantity, first: point.start, last: point.start, bucketMilliseconds: 900_000,
                points: [point, point])
            let forecast = Forecast(series, doses: [point.start], at: point.start)
            #expect(forecast.exit == nil && forecast.forecastValue == nil)
        }
    }

    @Test func `values of the future and of more than a month ago do not count`() {
        let series = month(.ph) { sawtooth($0) }
        var more = series
        more.points.append(TimeSeries.Point(start: hour(721), least: 9, greatest: 9, mean: 9))
        more.points.append(TimeSeries.Point(start: hour(-1), least: 9, greatest: 9, mean: 9))
        #expect(Forecast(more) == Forecast(series))
    }

    @Test func `an origin knows nothing of what came after it`() throws {
        // The forecasts from the first half of the month are the same, whatever the second half was; only where the
        // next dose is, so where a trial ends, may be seen in hindsight.
        func trials(_ value: @escaping (Int) -> Double) throws -> [String: Double] {
            let course = HourlyCourse(month(.ph) { value($0) }, from: firstOfJune, through: monthLater)
            let backtest = ForecastBacktest(course, try #require(DriftModel(.ph)), doses: [])
            let origins = backtest.between(0, Double(hour(300).milliseconds) / 3_600_000).origins
            return Dictionary(
                uniqueKeysWithValues: origins.flatMap { origin in
                    origin.trials.map { ("\(origin.time) +\($0.lead)", $0.scaledError) }
                })
        }
        let first = try trials { sawtooth($0, noise: 0.001 * Double($0 % 7)) }
        let second = try trials {
            $0 < 330 ? sawtooth($0, noise: 0.001 * Double($0 % 7)) : 7.9 - 0.003 * Double($0 % 100)
        }
        let common = Set(first.keys).intersection(second.keys)
        #expect(common.count > 60)
        for key in common { #expect(first[key] == second[key], "\(key)") }
    }
}

extension ForecastRefusal {
    /// Whether the past was not good enough.
    fileprivate var isUnpredictable: Bool {
        if case .unpredictable = self { true } else { false }
    }
}
