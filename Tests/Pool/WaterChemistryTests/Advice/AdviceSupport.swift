import PoolSamples

@testable import PoolModel
@testable import WaterChemistry

let gardenPool = Pool(id: PoolID(high: 3, low: 1), name: "Garden", volume: 48)

/// Measurements of a pool at noon, each ten minutes old.
func measured(
    _ value: Double, _ limits: Limits, secondsAgo: Int64 = 600, recent: [Double]? = nil, isQuarantined: Bool = false,
    responses: [Double] = [], others: [PoolFacts.Other] = []
) -> PoolFacts.Measurement {
    let moment = noon.advanced(byMilliseconds: -1000 * secondsAgo)
    return PoolFacts.Measurement(
        device: "Lagoon",
        newest: LatestValue(value: value, sampledAt: moment, timeQuality: .device, receivedAt: moment),
        recent: recent ?? Array(repeating: value, count: 5), isQuarantined: isQuarantined, limits: limits,
        responses: responses, others: others)
}

let phLimits = Limits(criticalLow: 6.8, low: 7.2, high: 7.6, criticalHigh: 8)
let chlorineLimits = Limits(criticalLow: 0.5, low: 1, high: 3, criticalHigh: 5)
let celsiusLimits = Limits(criticalLow: 15, low: 20, high: 30, criticalHigh: 35)

/// Facts with a good pH and 25 °C, unless another value is given.
func facts(
    ph: PoolFacts.Measurement? = measured(7.4, phLimits), chlorine: PoolFacts.Measurement? = nil,
    celsius: PoolFacts.Measurement? = measured(25, celsiusLimits), pool: Pool = gardenPool,
    _ numbers: AdviceNumbers = AdviceNumbers(), doses: [Dose] = []
) -> PoolFacts {
    var measurements: QuantityMap<PoolFacts.Measurement> = [:]
    measurements[.ph] = ph
    measurements[.chlorine] = chlorine
    measurements[.temperature] = celsius
    return PoolFacts(pool: pool, measurements: measurements, numbers: numbers, doses: doses)
}

/// A dose so many hours before noon.
func dose(_ product: DoseProduct, hoursAgo: Double, amount: Double = 100, number: UInt64 = 1) -> Dose {
    Dose(
        id: DoseID(high: 4, low: number), poolID: gardenPool.id, product: product, amount: amount,
        unit: product.units[0], at: noon.later(hours: -hoursAgo), author: "me")
}

extension Advice {
    func outcome(_ quantity: Quantity) -> Outcome? { steps.first { $0.quantity == quantity }?.outcome }

    /// The amount of a product in a step; nil if there is none.
    func portion(_ product: DoseProduct) -> Portion? {
        steps.compactMap(\.outcome.portions).flatMap(\.choices).first { $0.product == product }
    }
}

extension Advice.Outcome {
    var reason: AdviceReason? {
        switch self {
        case .nothing(let reason), .wait(let reason, _), .refused(let reason): reason
        case .dose: nil
        }
    }

    var until: Timestamp? {
        if case .wait(_, let moment) = self { moment } else { nil }
    }

    var isRefused: Bool {
        if case .refused = self { true } else { false }
    }
}
