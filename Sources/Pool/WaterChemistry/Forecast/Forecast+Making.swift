public import PoolModel

extension Forecast {
    /// Forecasts a quantity from its own past, or says why not.
    ///
    /// pH and chlorine: when the value leaves its range if nothing is added, by the drift since the last dose.
    /// Temperature: in six hours as it was at the same time of yesterday. Others: nothing. It is a forecast only if the
    /// same method beat "as it is now" on the last 30 days of this device: at least 30 origins, and at most 0.9 of the
    /// error. The result depends on nothing but the arguments.
    ///
    /// - Parameters:
    ///   - series: The corrected values of the last 30 days, best by the quarter hour; their order does not matter.
    ///   - limits: The limits of the quantity, in order; otherwise the program traps.
    ///   - doses: The times of the logged doses that change the quantity, in any order.
    ///   - now: The time by the hub's clock; values and doses after it do not count.
    public init(of series: TimeSeries, limits: Limits, doses: [Timestamp], at now: Timestamp) {
        precondition(limits.isOrdered, "limits out of order: \(limits)")
        let first = now.advanced(byMilliseconds: -Int64(Self.pastDays) * 86_400_000)
        let course = HourlyCourse(series, from: first, through: now)
        let doses = doses.filter { $0 <= now }.map { Double($0.milliseconds) / 3_600_000 }.sorted()
        self.init(series.quantity, .refused(.never))
        guard quantity.facts.isAdvised else { return }
        guard let newest = course.newestTime else {
            result = .refused(.noValues)
            return
        }
        let age = Int((Double(now.milliseconds) / 1000 - newest * 3600).rounded())
        guard age <= Self.ageSecondsMax else {
            result = .refused(.stale(seconds: age))
            return
        }
        let model = DriftModel(quantity)
        let backtest = model.map { ForecastBacktest(course, $0, doses: doses) } ?? ForecastBacktest(ofDayBefore: course)
        let score = backtest.score
        self.score = score
        guard score.isGood else {
            let days = Self.daysMissing(score, course)
            result = .refused(days.map { .tooFewReadings(days: $0) } ?? .unpredictable(score))
            return
        }
        result =
            model.map { Self.leaving(course, $0, backtest, limits, doses) }
            ?? Self.asYesterday(course, backtest)
    }

    /// The origins that a usual day has: fewer than its four, because the hours after a dose have none.
    private static let usualOriginsPerDay = 2.5

    /// About how many more days of readings make enough origins; nil if there are enough, or more days add none because
    /// older ones leave the past.
    private static func daysMissing(_ score: ForecastScore, _ course: HourlyCourse) -> Int? {
        let missing = Double(ForecastScore.originCountMin - score.originCount)
        let days = ((course.hours.last?.time ?? 0) - (course.hours.first?.time ?? 0)) / 24
        guard missing > 0, days < Double(pastDays) - 1 else { return nil }
        // The first day or two have none.
        let perDay = score.originCount < 4 ? usualOriginsPerDay : Double(score.originCount) / max(1, days)
        return min(max(1, Int((missing / min(max(perDay, 1), 4)).rounded(.up))), pastDays)
    }

    private static func asYesterday(_ course: HourlyCourse, _ backtest: ForecastBacktest) -> Result {
        guard let band = backtest.band(ForecastBacktest.temperatureLead) else {
            return .refused(.unpredictable(backtest.score))
        }
        guard let newest = course.hours.last,
            let index = course.index(of: newest.number + Int64(ForecastBacktest.temperatureLead) - 24)
        else { return .refused(.noValueOfYesterday) }
        let value = course.hours[index].value
        return .value(
            ForecastValue(
                at: Timestamp(hours: newest.time + Double(ForecastBacktest.temperatureLead)), value: value,
                least: value + band.lowerBound, greatest: value + band.upperBound))
    }

    private static func leaving(
        _ course: HourlyCourse, _ model: DriftModel, _ backtest: ForecastBacktest, _ limits: Limits, _ doses: [Double]
    ) -> Result {
        let segment = model.segment(of: course.hours[...], doses: doses)
        guard let since = segment.first?.time, let line = model.line(through: segment) else {
            let start = segment.first?.time ?? doses.last ?? 0
            return .refused(.tooRecent(since: Timestamp(hours: start), hours: Int(DriftModel.spanMin)))
        }
        let range = model.scaled(limits.low)...max(model.scaled(limits.low), model.scaled(limits.high))
        guard range.contains(line.level) else {
            return .refused(.outside(line.level < range.lowerBound ? .low : .high))
        }
        // As far ahead as there are enough past forecasts.
        var knots: [(lead: Double, band: ClosedRange<Double>)] = [(0, 0...0)]
        for lead in ForecastBacktest.driftLeads {
            guard let band = backtest.band(lead) else { break }
            knots.append((Double(lead), band))
        }
        guard knots.count > 1 else { return .refused(.unpredictable(backtest.score)) }
        func crossing(_ error: (ClosedRange<Double>) -> Double) -> (lead: Double, side: Limits.Deviation)? {
            let path = knots.map { (lead: $0.lead, value: line.value(after: $0.lead) + error($0.band)) }
            for (from, to) in zip(path, path.dropFirst()) where !range.contains(to.value) {
                let isLow = to.value < range.lowerBound
                let limit = isLow ? range.lowerBound : range.upperBound
                let share = (limit - from.value) / (to.value - from.value)
                return (from.lead + (to.lead - from.lead) * share, isLow ? .low : .high)
            }
            return nil
        }
        let expected = crossing { _ in 0 }
        let ends = [crossing(\.lowerBound), crossing(\.upperBound)]
        let all = ([expected] + ends).compactMap(\.self)
        let first = all.min { $0.lead < $1.lead }
        let last = all.count == 3 ? all.map(\.lead).max() : nil
        func moment(_ lead: Double) -> Timestamp { Timestamp(hours: line.time + lead) }
        let tomorrow = model.value(of: line.value(after: 24))
        return .leaving(
            RangeExit(
                since: Timestamp(hours: since), at: expected.map { moment($0.lead) },
                earliest: first.map { moment($0.lead) }, latest: last.map(moment),
                reach: moment(knots[knots.count - 1].lead), deviation: (expected ?? first)?.side,
                changePerDay: tomorrow - model.value(of: line.level)))
    }
}
