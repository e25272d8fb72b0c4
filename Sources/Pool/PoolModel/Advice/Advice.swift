/// What to add to a pool, and how long to filter it: a suggestion with everything that it was computed from.
///
/// It is given only when somebody asks for it. It is never an alert, and nothing is dosed by it.
public struct Advice: Codable, Hashable, Sendable {
    /// A measured value that the advice uses.
    public struct Input: Codable, Hashable, Sendable {
        /// The quantity that was measured.
        public var quantity: Quantity
        /// The corrected value, in the quantity's unit.
        public var value: Double
        /// The name of the device.
        public var device: String
        /// When it was measured; nil if unknown.
        public var measuredAt: Timestamp?
        /// Its age in seconds; nil if unknown.
        public var ageSeconds: Int?
        /// When the calibration was made that corrects it; nil without one.
        public var calibratedAt: Timestamp?
        /// The trend of the last hour; nil if unknown.
        public var trend: Trend?
        /// The least value of its range, in the quantity's unit.
        public var low: Double
        /// The greatest value of its range, in the quantity's unit.
        public var high: Double

        /// Creates an input.
        public init(
            _ quantity: Quantity, value: Double, device: String, measuredAt: Timestamp?, ageSeconds: Int?,
            calibratedAt: Timestamp?, trend: Trend?, low: Double, high: Double
        ) {
            self.quantity = quantity
            self.value = value
            self.device = device
            self.measuredAt = measuredAt
            self.ageSeconds = ageSeconds
            self.calibratedAt = calibratedAt
            self.trend = trend
            self.low = low
            self.high = high
        }
    }

    /// What to do about one quantity.
    public struct Step: Codable, Hashable, Sendable {
        /// The quantity: pH, or chlorine.
        public var quantity: Quantity
        /// The name of the device whose value is used; nil if no device of the pool measures the quantity.
        public var device: String?
        /// What to do.
        public var outcome: Outcome

        /// Creates a step.
        public init(_ quantity: Quantity, by device: String? = nil, _ outcome: Outcome) {
            self.quantity = quantity
            self.device = device
            self.outcome = outcome
        }
    }

    /// What to do, or why nothing.
    public enum Outcome: Codable, Hashable, Sendable {
        /// Add one of these, then measure again.
        case dose(Portions)
        /// Add nothing, for this reason.
        case nothing(AdviceReason)
        /// Wait until this time, for this reason; nil if no time is known.
        case wait(AdviceReason, until: Timestamp?)
        /// There is no advice, for this reason.
        case refused(AdviceReason)
    }

    /// A dose, as one of several products.
    public struct Portions: Codable, Hashable, Sendable {
        /// The value to reach in the end: the middle of the range, in the quantity's unit.
        public var target: Double
        /// The change that half of the computed amount makes, in the quantity's unit; of pH about.
        public var change: Double
        /// The amounts of the products, of which one is added.
        public var choices: [Portion]
        /// How strongly the pool responded to earlier doses, observed ÷ predicted, by which the amounts were divided;
        /// nil if there are too few.
        public var responseFactor: Double?

        /// Creates a dose.
        public init(target: Double, change: Double, choices: [Portion], responseFactor: Double?) {
            self.target = target
            self.change = change
            self.choices = choices
            self.responseFactor = responseFactor
        }
    }

    /// An amount of one product.
    public struct Portion: Codable, Hashable, Sendable {
        /// What to add.
        public var product: DoseProduct
        /// The strength in percent for which the amounts are computed.
        public var strengthPercent: Double
        /// The amount; the lower end if the total alkalinity is unknown.
        public var least: Double
        /// The amount; the upper end if the total alkalinity is unknown.
        public var greatest: Double
        /// The unit of the amounts.
        public var unit: Dose.Unit

        /// Creates an amount.
        public init(
            _ product: DoseProduct, strengthPercent: Double, least: Double, greatest: Double, unit: Dose.Unit
        ) {
            self.product = product
            self.strengthPercent = strengthPercent
            self.least = least
            self.greatest = greatest
            self.unit = unit
        }
    }

    /// How long to filter.
    public enum Filtration: Codable, Hashable, Sendable {
        /// So many hours a day: half the temperature in °C, 8…24.
        case hours(Double)
        /// There is no advice, for this reason.
        case refused(AdviceReason)
    }

    /// The pool that the advice is for.
    public var poolID: PoolID
    /// The name of the pool.
    public var pool: String
    /// The volume of its water in cubic metres; nil if unknown.
    public var volume: Double?
    /// When the advice was computed.
    public var at: Timestamp
    /// The measured values that the advice uses.
    public var inputs: [Input]
    /// The numbers that a person typed for it.
    public var numbers: AdviceNumbers
    /// pH first, then chlorine; at most one of them is a dose.
    public var steps: [Step]
    /// How long to filter.
    public var filtration: Filtration
    /// What the numbers rely on, for people to read.
    public var assumptions: [AdviceAssumption]

    /// Creates advice.
    public init(
        poolID: PoolID, pool: String, volume: Double?, at: Timestamp, inputs: [Input], numbers: AdviceNumbers,
        steps: [Step], filtration: Filtration, assumptions: [AdviceAssumption]
    ) {
        self.poolID = poolID
        self.pool = pool
        self.volume = volume
        self.at = at
        self.inputs = inputs
        self.numbers = numbers
        self.steps = steps
        self.filtration = filtration
        self.assumptions = assumptions
    }

    /// The greatest age of a value that is used, in seconds: two hours.
    public static let ageSecondsMax = 7200
    /// The greatest age of another device's value that may contradict, in seconds: a day.
    public static let daySeconds = 86_400
    /// The least number of measurements within the last day.
    public static let measurementCountMin = 5
    /// The greatest step of chlorine for which there is advice, in mg/L.
    public static let chlorineStepMax = 10.0
    /// The greatest step of pH for which there is advice.
    public static let phStepMax = 1.0
    /// The least time between two doses for the same quantity, in hours.
    public static let lockHoursMin = 12.0
    /// The time of one turnover if it is unknown, in hours.
    public static let usualTurnoverHours = 6.0
    /// The hours of filtration that are possible.
    public static let filtrationRange = 8.0...24
}
