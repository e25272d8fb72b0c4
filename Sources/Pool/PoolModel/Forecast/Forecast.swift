/// What is forecast of one quantity of a device, or why nothing is.
///
/// A forecast is shown only if it beat "as it is now" on this device's own past; its score is shown beside it. It is
/// never an alert.
public struct Forecast: Hashable, Codable, Sendable {
    /// The result of a forecast.
    public enum Result: Hashable, Codable, Sendable {
        /// When the value leaves its range if nothing is added; for pH and chlorine.
        case leaving(RangeExit)
        /// A value at a later time; for the temperature.
        case value(ForecastValue)
        /// There is no forecast, for this reason.
        case refused(ForecastRefusal)
    }

    /// The quantity that is forecast.
    public var quantity: Quantity
    /// The forecast, or why there is none.
    public var result: Result
    /// How earlier forecasts of this kind did on the last ``pastDays`` days of this device; nil if none was tried.
    public var score: ForecastScore?

    /// Creates a forecast.
    public init(_ quantity: Quantity, _ result: Result, score: ForecastScore? = nil) {
        self.quantity = quantity
        self.result = result
        self.score = score
    }

    /// The past from which a forecast is made, and on which it is scored, in days.
    public static let pastDays = 30
    /// The greatest age of the newest value, in seconds: two hours.
    public static let ageSecondsMax = 7200
}

/// When a value leaves its range if nothing is added.
///
/// The range are the limits of a warning. The band from ``earliest`` to ``latest`` holds 80 of 100 past forecasts of
/// this device: their errors' 10 % and 90 % quantiles.
public struct RangeExit: Hashable, Codable, Sendable {
    /// When the last dose ended, as logged or as seen in the values: the forecast uses the values since then.
    public var since: Timestamp
    /// The expected time; nil if it is later than ``reach``.
    public var at: Timestamp?
    /// The early end of the band; nil if it is later than ``reach``.
    public var earliest: Timestamp?
    /// The late end of the band; nil if it is later than ``reach``.
    public var latest: Timestamp?
    /// The end of the forecast: how far ahead there were enough past forecasts to compare with.
    public var reach: Timestamp
    /// The side on which the value leaves its range; nil if even ``earliest`` is nil.
    public var deviation: Limits.Deviation?
    /// The change within the next day, in the quantity's unit.
    public var changePerDay: Double

    /// Creates an exit from the range.
    public init(
        since: Timestamp, at: Timestamp?, earliest: Timestamp?, latest: Timestamp?, reach: Timestamp,
        deviation: Limits.Deviation?, changePerDay: Double
    ) {
        self.since = since
        self.at = at
        self.earliest = earliest
        self.latest = latest
        self.reach = reach
        self.deviation = deviation
        self.changePerDay = changePerDay
    }
}

/// A forecast value, in the quantity's unit.
public struct ForecastValue: Hashable, Codable, Sendable {
    /// The time that the value is forecast for.
    public var at: Timestamp
    /// The expected value.
    public var value: Double
    /// The lower end of the band that holds 80 of 100 past forecasts.
    public var least: Double
    /// The upper end of the band.
    public var greatest: Double

    /// Creates a value.
    public init(at: Timestamp, value: Double, least: Double, greatest: Double) {
        self.at = at
        self.value = value
        self.least = least
        self.greatest = greatest
    }
}

/// How forecasts did on a device's own past, beside "as it is now".
public struct ForecastScore: Hashable, Codable, Sendable {
    /// The least number of origins of a forecast that is shown.
    public static let originCountMin = 30
    /// The greatest ratio of a forecast that is shown.
    public static let ratioMax = 0.9

    /// The past times from which forecasts were tried: one in six hours, where it was possible.
    public var originCount: Int
    /// The mean absolute error of the forecasts, in the quantity's unit.
    public var error: Double
    /// The mean absolute error of "as it is now" at the same times, in the quantity's unit.
    public var errorOfNow: Double

    /// Creates a score.
    public init(originCount: Int, error: Double, errorOfNow: Double) {
        self.originCount = originCount
        self.error = error
        self.errorOfNow = errorOfNow
    }

    /// The error in relation to "as it is now"; nil if that made no error.
    public var ratio: Double? { errorOfNow > 0 ? error / errorOfNow : nil }

    /// Whether forecasts of this score are shown.
    public var isGood: Bool {
        guard let ratio else { return false }
        return originCount >= Self.originCountMin && ratio <= Self.ratioMax
    }
}

extension ForecastScore: CustomStringConvertible {
    /// How good past forecasts were in English, such as `past forecasts were 76 % closer than assuming no change`.
    public var description: String { words(in: .english) }

    /// How good past forecasts were, in words; the numbers are in JSON.
    public func words(in language: TextLanguage) -> String {
        guard let ratio, ratio < 1 else {
            return language.pick(
                "past forecasts were no closer than assuming no change",
                "les prévisions passées n'étaient pas plus proches que sans changement supposé")
        }
        let percent = language.number(100 * (1 - ratio), decimals: 0)
        return language.pick(
            "past forecasts were \(percent) % closer than assuming no change",
            "les prévisions passées étaient \(percent) % plus proches que sans changement supposé")
    }
}

/// Why there is no forecast.
public enum ForecastRefusal: Hashable, Codable, Sendable {
    /// The quantity is never forecast: no model beat "as it is now".
    case never
    /// There is no value within the last ``Forecast/pastDays`` days.
    case noValues
    /// The newest value is too old; its age in seconds.
    case stale(seconds: Int)
    /// The forecasts of the past were not good enough.
    case unpredictable(ForecastScore)
    /// There are too few readings to try forecasts on the past; about how many more days of them are needed.
    case tooFewReadings(days: Int)
    /// The last dose, or a jump or gap of the values, is too recent: when it was, and for how many hours there must be
    /// values since then.
    case tooRecent(since: Timestamp, hours: Int)
    /// The value is outside its range already.
    case outside(Limits.Deviation)
    /// The value of a day ago, on which the forecast relies, is missing.
    case noValueOfYesterday
}

extension ForecastRefusal: CustomStringConvertible {
    /// The reason in English.
    public var description: String { sentence(in: .english) }

    /// The reason in a sentence.
    public func sentence(in language: TextLanguage) -> String {
        switch self {
        case .never:
            language.pick(
                "There is no forecast: no method was better than assuming no change.",
                "Pas de prévision : aucune méthode ne fait mieux que sans changement supposé.")
        case .noValues:
            language.pick(
                "Forecasts need readings, and there are none of the last \(Forecast.pastDays) days.",
                "Les prévisions demandent des mesures, et il n'y en a aucune des \(Forecast.pastDays) derniers jours.")
        case .stale(let seconds):
            language.pick(
                "Forecasts need a value of the last two hours; the newest one is \(seconds / 60) min old.",
                "Les prévisions demandent une valeur des deux dernières heures ; la dernière date de \(seconds / 60) min."
            )
        case .tooFewReadings(let days):
            language.pick(
                "Forecasts need about \(days) more \(days == 1 ? "day" : "days") of readings.",
                "Les prévisions demandent encore environ \(days) \(days < 2 ? "jour" : "jours") de mesures.")
        case .unpredictable:
            language.pick(
                "There is no forecast: here, past forecasts were hardly closer than assuming no change.",
                "Pas de prévision : ici, les prévisions passées n'étaient guère plus proches que sans changement supposé."
            )
        case .tooRecent(_, let hours):
            language.pick(
                "Forecasts need \(hours) hours of readings since the last dose, jump or gap.",
                "Les prévisions demandent \(hours) heures de mesures depuis le dernier ajout, saut ou trou.")
        case .outside(let deviation):
            deviation == .low
                ? language.pick(
                    "There is no forecast: the value is below its range already.",
                    "Pas de prévision : la valeur est déjà en dessous de sa plage.")
                : language.pick(
                    "There is no forecast: the value is above its range already.",
                    "Pas de prévision : la valeur est déjà au-dessus de sa plage.")
        case .noValueOfYesterday:
            language.pick(
                "Forecasts need the value of the same time of yesterday, and it is missing.",
                "Les prévisions demandent la valeur d'hier à la même heure, et elle manque.")
        }
    }
}
