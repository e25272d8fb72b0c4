import PoolModel
import WaterChemistry

/// Forecasts simulated pools by several methods, those that lose included.
struct ForecastComparison {
    /// The number of pools in gardens; there is one in a hall, too.
    let gardenCount: Int
    /// The days that are simulated.
    let days: Int

    private static let quarterHour: Int64 = 900_000
    /// The first sample: 2026-06-01T00:00:00Z.
    private static let start = Timestamp(milliseconds: 1_780_272_000_000)
    private static let asNow = "as now"

    private var end: Timestamp { Self.start.advanced(byMilliseconds: Int64(days) * 86_400_000) }

    /// What is compared, in one line.
    var title: String {
        "Forecasts of \(gardenCount + 1) simulated pools with dosers, \(days) days; error ÷ that of the simplest method:"
    }

    /// All lines of the comparison.
    func rows() -> [ForecastRow] {
        let pools = (0...gardenCount).map { number in
            courses(seed: UInt64(number + 1), number < gardenCount ? .garden : .hall)
        }
        return trendRows(pools) + dayBeforeRows(pools) + driftRows(pools)
    }

    /// The hourly values of each quantity of a simulated pool.
    private func courses(seed: UInt64, _ profile: SimulatedPool.Profile) -> QuantityMap<HourlyCourse> {
        var pool = SimulatedPool(seed: seed, profile: profile)
        var points: QuantityMap<[TimeSeries.Point]> = [:]
        for step in 0..<Int64(days) * 96 {
            let moment = Self.start.advanced(byMilliseconds: step * Self.quarterHour)
            for (quantity, value) in pool.sample(at: moment)?.pairs ?? [] {
                points[quantity, default: []].append(
                    TimeSeries.Point(start: moment, least: value, greatest: value, mean: value))
            }
        }
        var courses: QuantityMap<HourlyCourse> = [:]
        for (quantity, points) in points.pairs {
            let series = TimeSeries(quantity: quantity, first: Self.start, last: end, points: points)
            courses[quantity] = HourlyCourse(series, from: Self.start.advanced(byMilliseconds: -1), through: end)
        }
        return courses
    }

    // MARK: - Methods

    private func trendRows(_ pools: [QuantityMap<HourlyCourse>]) -> [ForecastRow] {
        let leads = [6, 24, 48]
        return Quantity.allCases.filter(\.facts.isUsual).flatMap { quantity in
            var errors = leads.map { _ in (trend: [Double](), now: [Double](), dayBefore: [Double]()) }
            for values in pools.compactMap({ $0[quantity]?.consecutiveValues }) {
                let last = values.count - 1 - (leads.max() ?? 0)
                for origin in stride(from: 24 * TrendAndProfile.dayCount, through: last, by: 6) {
                    let forecast = TrendAndProfile(values, origin: origin)
                    for (index, lead) in leads.enumerated() {
                        let truth = values[origin + lead]
                        // The last hour of the same time of day that is known.
                        let before = values[origin + lead - 24 * ((lead + 23) / 24)]
                        errors[index].trend.append((forecast.value(after: lead) - truth).magnitude)
                        errors[index].now.append((values[origin] - truth).magnitude)
                        errors[index].dayBefore.append((before - truth).magnitude)
                    }
                }
            }
            return zip(leads, errors).map { lead, errors in
                let isNow = errors.now.reduce(0, +) <= errors.dayBefore.reduce(0, +)
                return ForecastRow(
                    .trendAndProfile, quantity, hours: lead, errors: errors.trend,
                    others: isNow ? errors.now : errors.dayBefore,
                    other: isNow ? Self.asNow : ForecastRow.Method.dayBefore.rawValue)
            }
        }
    }

    private func dayBeforeRows(_ pools: [QuantityMap<HourlyCourse>]) -> [ForecastRow] {
        Quantity.allCases.filter(\.facts.isUsual).map { quantity in
            let trials = pools.compactMap { $0[quantity] }
                .flatMap { ForecastBacktest(ofDayBefore: $0).origins.flatMap(\.trials) }
            return ForecastRow(
                .dayBefore, quantity, hours: ForecastBacktest.temperatureLead, errors: trials.map(\.error),
                others: trials.map(\.errorOfNow), other: Self.asNow)
        }
    }

    private func driftRows(_ pools: [QuantityMap<HourlyCourse>]) -> [ForecastRow] {
        [Quantity.ph, .chlorine].flatMap { quantity -> [ForecastRow] in
            guard let model = DriftModel(quantity) else { return [] }
            let courses = pools.compactMap { $0[quantity] }
            let tests = courses.map { ForecastBacktest($0, model, doses: []) }
            let trials = tests.flatMap(\.origins).flatMap(\.trials)
            var rows = [ForecastRow(segmentsOf: quantity, lengths: courses.flatMap { segmentLengths($0, model) })]
            rows += ForecastBacktest.driftLeads.map { lead in
                let trials = trials.filter { $0.lead == lead }
                return ForecastRow(
                    .sinceDose, quantity, hours: lead, errors: trials.map(\.error), others: trials.map(\.errorOfNow),
                    other: Self.asNow)
            }
            var isWithin: [Int: [Bool]] = [:]
            var isShown: [Bool] = []
            for test in tests {
                for origin in test.origins where origin.time > startHour + Double(24 * Forecast.pastDays) {
                    // Forecasts of the month before, whose truth was known then.
                    let past = test.between(origin.time - Double(24 * Forecast.pastDays), origin.time - 24)
                    isShown.append(past.score.isGood)
                    for trial in origin.trials {
                        guard let band = past.band(trial.lead) else { continue }
                        isWithin[trial.lead, default: []].append(band.contains(trial.scaledError))
                    }
                }
            }
            rows += ForecastBacktest.driftLeads.map { lead in
                ForecastRow(.band, quantity, hours: lead, share: isWithin[lead] ?? [])
            }
            return rows + [ForecastRow(.shown, quantity, hours: nil, share: isShown)]
        }
    }

    /// The lengths of the segments between doses, in hours; a dose takes some hours, each of which is no segment.
    private func segmentLengths(_ course: HourlyCourse, _ model: DriftModel) -> [Double] {
        let starts = zip(course.hours, model.starts(course.hours[...], doses: [], isOpen: false))
            .filter(\.1).map(\.0.time)
        return zip(starts, starts.dropFirst()).map { $1 - $0 }.filter { $0 > 1.5 }
    }

    private var startHour: Double { Double(Self.start.milliseconds) / 3_600_000 }
}

extension HourlyCourse {
    /// The values of all hours from the first to the last one; those that are missing lie on a line between their
    /// neighbours.
    fileprivate var consecutiveValues: [Double] {
        guard let first = hours.first else { return [] }
        var values = [first.value]
        for (before, hour) in zip(hours, hours.dropFirst()) {
            let count = hour.number - before.number
            for step in 1...count {
                values.append(before.value + (hour.value - before.value) * Double(step) / Double(count))
            }
        }
        return values
    }
}

extension QuantityMap {
    /// The value of a quantity, to be changed in place.
    fileprivate subscript(quantity: Quantity, default value: @autoclosure () -> Value) -> Value {
        get { self[quantity] ?? value() }
        set { self[quantity] = newValue }
    }
}
