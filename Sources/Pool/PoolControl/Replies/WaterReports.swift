package import PoolModel

/// Advice in JSON.
package struct AdviceReport: Encodable {
    /// What to do about one quantity.
    struct Step: Encodable {
        var quantity: Quantity
        /// The name of the device whose value is used.
        var device: String?
        /// `dose`, `nothing`, `wait` or `refused`.
        var state: String
        var reason: String?
        var until: Timestamp?
        var dose: Advice.Portions?

        init(_ step: Advice.Step, in language: TextLanguage) {
            quantity = step.quantity
            device = step.device
            switch step.outcome {
            case .dose(let portions):
                state = "dose"
                dose = portions
            case .nothing(let reason):
                state = "nothing"
                self.reason = reason.sentence(in: language)
            case .wait(let reason, let moment):
                state = "wait"
                self.reason = reason.sentence(in: language)
                until = moment
            case .refused(let reason):
                state = "refused"
                self.reason = reason.sentence(in: language)
            }
        }
    }

    var poolID: PoolID
    var pool: String
    var volume: Double?
    var at: Timestamp
    var inputs: [Advice.Input]
    var numbers: AdviceNumbers
    var steps: [Step]
    var filtrationHours: Double?
    var filtrationReason: String?
    var assumptions: [String]

    /// Describes advice, with its reasons and assumptions in the language.
    package init(_ advice: Advice, in language: TextLanguage = .english) {
        poolID = advice.poolID
        pool = advice.pool
        volume = advice.volume
        at = advice.at
        inputs = advice.inputs
        numbers = advice.numbers
        steps = advice.steps.map { Step($0, in: language) }
        switch advice.filtration {
        case .hours(let hours): filtrationHours = hours
        case .refused(let reason): filtrationReason = reason.sentence(in: language)
        }
        assumptions = advice.assumptions.map { $0.sentence(in: language) }
    }
}

/// The forecasts of a device in JSON.
package struct ForecastReport: Encodable {
    /// One quantity.
    struct Row: Encodable {
        struct Score: Encodable {
            var originCount: Int
            var error: Double
            var errorOfNow: Double
            var ratio: Double?
        }

        var quantity: Quantity
        var isForecast: Bool
        var reason: String?
        var score: Score?
        var since: Timestamp?
        var leavesAt: Timestamp?
        var earliest: Timestamp?
        var latest: Timestamp?
        var reach: Timestamp?
        var deviation: Limits.Deviation?
        var changePerDay: Double?
        var at: Timestamp?
        var value: Double?
        var least: Double?
        var greatest: Double?

        init(_ forecast: Forecast, in language: TextLanguage) {
            quantity = forecast.quantity
            score = forecast.score.map {
                Score(originCount: $0.originCount, error: $0.error, errorOfNow: $0.errorOfNow, ratio: $0.ratio)
            }
            switch forecast.result {
            case .leaving(let exit):
                isForecast = true
                since = exit.since
                leavesAt = exit.at
                earliest = exit.earliest
                latest = exit.latest
                reach = exit.reach
                deviation = exit.deviation
                changePerDay = exit.changePerDay
            case .value(let forecast):
                isForecast = true
                at = forecast.at
                value = forecast.value
                least = forecast.least
                greatest = forecast.greatest
            case .refused(let refusal):
                isForecast = false
                reason = refusal.sentence(in: language)
            }
        }
    }

    var device: String
    var forecasts: [Row]

    /// Describes forecasts; why a quantity is not forecast is said in the language.
    package init(device: String, forecasts: [Forecast], in language: TextLanguage = .english) {
        self.device = device
        self.forecasts = forecasts.map { Row($0, in: language) }
    }
}

/// A dose in JSON and in lists, with the name of its pool.
package struct DoseRecord: Encodable {
    package let dose: Dose
    /// The name of the pool; its id if it was removed.
    package let pool: String

    package init(_ dose: Dose, pool: String) {
        self.dose = dose
        self.pool = pool
    }

    private enum Key: String, CodingKey { case pool }

    package func encode(to encoder: any Encoder) throws {
        try dose.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(pool, forKey: .pool)
    }
}
