import PoolModel
import Testing

@testable import WaterChemistry

/// Forecasts of simulated pools with dosers beside the simplest one, "as it is now".
///
/// V12: the errors are tried from each sixth hour of 45 days; the numbers are the same on every machine.
@Suite struct DriftOnSimulatedPoolTests {
    private static let days = 45

    /// The hourly values of a pool in a garden, and of one in a hall.
    private func courses(_ quantity: Quantity) -> [HourlyCourse] {
        [(UInt64(1), SimulatedPool.Profile.garden), (2, .hall)].map { seed, profile in
            var pool = SimulatedPool(seed: seed, profile: profile)
            let points = (0..<Self.days * 96).compactMap { step -> TimeSeries.Point? in
                let moment = hour(Double(step) / 4)
                return pool.sample(at: moment)?[quantity].map {
                    TimeSeries.Point(start: moment, least: $0, greatest: $0, mean: $0)
                }
            }
            let end = hour(Double(Self.days * 24))
            let series = TimeSeries(quantity: quantity, first: firstOfJune, last: end, points: points)
            return HourlyCourse(series, from: firstOfJune.advanced(byMilliseconds: -1), through: end)
        }
    }

    /// The error over that of "as it is now"; no number without trials.
    private func ratio(_ trials: [ForecastBacktest.Trial]) -> Double {
        trials.map(\.error).reduce(0, +) / trials.map(\.errorOfNow).reduce(0, +)
    }

    @Test func `the drift since the last dose beats as it is now`() throws {
        for (quantity, leads, range) in [
            (Quantity.ph, [3, 6, 12, 24], 0.05...0.5), (.chlorine, [3, 6, 12], 0.01...0.6),
        ] {
            let model = try #require(DriftModel(quantity))
            let trials = courses(quantity)
                .flatMap { ForecastBacktest($0, model, doses: []).origins.flatMap(\.trials) }
            for lead in leads {
                let here = trials.filter { $0.lead == lead }
                #expect(range.contains(ratio(here)), "\(quantity) +\(lead) h: \(ratio(here))")
            }
        }
    }

    @Test func `as a day before beats as it is now for the temperature, and loses for pH`() {
        func ratioOfDayBefore(_ quantity: Quantity) -> Double {
            ratio(courses(quantity).flatMap { ForecastBacktest(ofDayBefore: $0).origins.flatMap(\.trials) })
        }
        #expect((0.2...0.6).contains(ratioOfDayBefore(.temperature)))
        #expect(ratioOfDayBefore(.ph) > 1.2)
    }
}
