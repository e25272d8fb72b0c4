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
    /// The numbers in English, such as `28 origins, 1.04 × as now`.
    public var description: String { words(in: .english) }

    /// The numbers.
    func words(in language: TextLanguage) -> String {
        let origins = language.pick(
            "\(originCount) \(originCount == 1 ? "origin" : "origins")",
            "\(originCount) \(originCount < 2 ? "essai" : "essais")")
        guard originCount > 0 else { return origins }
        guard let ratio else {
            return language.pick("\(origins), as now without error", "\(origins), sans erreur non plus")
        }
        let times = language.number(ratio, decimals: 2)
        return language.pick("\(origins), \(times) × as now", "\(origins), erreur \(times) ×")
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

    /// The reason in words.
    public func sentence(in language: TextLanguage) -> String {
        switch self {
        case .never:
            language.pick(
                "it is never forecast: no method was better than \"as it is now\"",
                "elle n'est jamais prévue : aucune méthode ne fait mieux que « comme maintenant »")
        case .noValues:
            language.pick(
                "there is no value of the last \(Forecast.pastDays) days",
                "il n'y a aucune valeur des \(Forecast.pastDays) derniers jours")
        case .stale(let seconds):
            language.pick(
                "the newest value is \(seconds / 60) min old, and a forecast needs one of the last two hours",
                "la dernière valeur date de \(seconds / 60) min, et une prévision en demande une des deux dernières heures"
            )
        case .unpredictable(let score):
            language.pick(
                "this pool is not predictable enough: \(score); at least \(ForecastScore.originCountMin) origins and at "
                    + "most \(language.number(ForecastScore.ratioMax, decimals: 2)) × as now are needed",
                "ce bassin n'est pas assez prévisible : \(score.words(in: language)) ; il faut au moins "
                    + "\(ForecastScore.originCountMin) essais et au plus "
                    + "\(language.number(ForecastScore.ratioMax, decimals: 2)) × l'erreur de « comme maintenant »")
        case .tooRecent(_, let hours):
            language.pick(
                "there are fewer than \(hours) hours of values since the last dose, jump or gap",
                "il y a moins de \(hours) heures de valeurs depuis le dernier ajout, saut ou trou")
        case .outside(let deviation):
            language.pick(
                "it is \(deviation == .low ? "below" : "above") its range already",
                "elle est déjà \(deviation == .low ? "en dessous" : "au-dessus") de sa plage")
        case .noValueOfYesterday:
            language.pick(
                "the value at the same time of yesterday is missing", "la valeur d'hier à la même heure manque")
        }
    }
}
