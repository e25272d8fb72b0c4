package import PoolModel

/// Past forecasts of a device from rolling origins, each made from the values before it only.
package struct ForecastBacktest: Sendable {
    /// What one past forecast was worth, so many hours ahead.
    package struct Trial: Hashable, Sendable {
        /// The hours ahead.
        package var lead: Int
        /// The true value minus the forecast one, on the scale of the model.
        package var scaledError: Double
        /// The absolute error, in the quantity's unit.
        package var error: Double
        /// The absolute error of "as it is now".
        package var errorOfNow: Double
    }

    /// A time from which forecasts were tried.
    package struct Origin: Hashable, Sendable {
        /// The time, in hours since 1970.
        package var time: Double
        /// The forecasts whose truth is known.
        package var trials: [Trial]
    }

    /// The hours from one origin to the next.
    package static let originInterval: Int64 = 6
    /// The hours ahead for which a drift is scored.
    package static let driftLeads = [3, 6, 12, 24]
    /// The hours ahead for which a temperature is forecast.
    package static let temperatureLead = 6
    /// The least number of past forecasts from which a band is read.
    private static let trialCountMin = 10

    /// The origins in the order of time.
    package let origins: [Origin]

    private init(origins: [Origin]) {
        self.origins = origins
    }

    /// Tries the drift since the last dose; what happens after the next dose is no trial.
    package init(_ course: HourlyCourse, _ model: DriftModel, doses: [Double]) {
        let hours = course.hours
        let starts = model.starts(hours[...], doses: doses, isOpen: false)
        var end = hours.count
        var ends = [Int](repeating: 0, count: hours.count)
        for index in hours.indices.reversed() {
            ends[index] = end
            if starts[index] { end = index }
        }
        origins = Self.trials(of: course, leads: Self.driftLeads) { origin in
            let known = doses.filter { $0 < hours[origin].time }
            let segment = model.segment(of: Self.past(of: origin, in: hours), doses: known)
            guard let line = model.line(through: segment) else { return nil }
            return { target in
                guard target < ends[origin] else { return nil }
                let scaled = line.value(after: hours[target].time - line.time)
                return (model.value(of: scaled), model.scaled(hours[target].value) - scaled)
            }
        }
    }

    /// Tries "as it was a day before".
    package init(ofDayBefore course: HourlyCourse, leads: [Int] = [temperatureLead]) {
        origins = Self.trials(of: course, leads: leads) { _ in
            { target in
                guard let before = course.index(of: course.hours[target].number - 24) else { return nil }
                let value = course.hours[before].value
                return (value, course.hours[target].value - value)
            }
        }
    }

    /// The forecasts from each origin.
    ///
    /// - Parameters:
    ///   - course: The hours.
    ///   - leads: The hours ahead.
    ///   - forecast: Forecasts from the origin with an index; its result gives, for the index of a later hour, the value
    ///     and the scaled error, or nil.
    /// - Returns: The origins that have a trial.
    private static func trials(
        of course: HourlyCourse, leads: [Int],
        forecast: (Int) -> ((Int) -> (value: Double, scaledError: Double)?)?
    ) -> [Origin] {
        let hours = course.hours
        return hours.indices.compactMap { origin in
            guard hours[origin].number.isMultiple(of: originInterval), let forecast = forecast(origin) else {
                return nil
            }
            let trials = leads.compactMap { lead -> Trial? in
                guard let target = course.index(of: hours[origin].number + Int64(lead)),
                    let (value, scaledError) = forecast(target)
                else { return nil }
                let truth = hours[target].value
                return Trial(
                    lead: lead, scaledError: scaledError, error: (truth - value).magnitude,
                    errorOfNow: (truth - hours[origin].value).magnitude)
            }
            return trials.isEmpty ? nil : Origin(time: hours[origin].time, trials: trials)
        }
    }

    /// The hours of the month that ends with an origin.
    private static func past(
        of origin: Int, in hours: [HourlyCourse.Hour]
    ) -> ArraySlice<HourlyCourse.Hour> {
        let first = hours[origin].number - Int64(24 * Forecast.pastDays)
        var start = origin
        while start > 0, hours[start - 1].number > first { start -= 1 }
        return hours[start...origin]
    }

    /// The part whose origins are in a span of time, in hours since 1970.
    package func between(_ first: Double, _ last: Double) -> ForecastBacktest {
        ForecastBacktest(origins: origins.filter { $0.time > first && $0.time <= last })
    }

    /// The score of all trials.
    package var score: ForecastScore {
        let trials = origins.flatMap(\.trials)
        let count = Double(max(1, trials.count))
        return ForecastScore(
            originCount: origins.count, error: trials.reduce(0) { $0 + $1.error } / count,
            errorOfNow: trials.reduce(0) { $0 + $1.errorOfNow } / count)
    }

    /// The band of the errors so many hours ahead: their 10 % and 90 % quantiles on the scale of the model; nil if
    /// there are too few.
    package func band(_ lead: Int) -> ClosedRange<Double>? {
        let errors = origins.flatMap(\.trials).filter { $0.lead == lead }.map(\.scaledError).sorted()
        guard errors.count >= Self.trialCountMin else { return nil }
        return HourlyCourse.quantile(errors, 0.1)...HourlyCourse.quantile(errors, 0.9)
    }
}
