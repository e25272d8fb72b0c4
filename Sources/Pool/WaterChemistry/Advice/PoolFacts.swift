public import PoolModel

/// What is known of a pool when somebody asks for advice.
public struct PoolFacts: Sendable {
    /// The measurements of one quantity.
    public struct Measurement: Sendable {
        /// The name of the device.
        public var device: String
        /// The newest value as the hub shows it, corrected.
        public var newest: LatestValue
        /// The values of the last day, corrected, oldest first; the last one is the newest.
        public var recent: [Double]
        /// Whether a value came after it that was not plausible, and so was not stored.
        public var isQuarantined: Bool
        /// The calibrations of the quantity.
        public var calibrations: CalibrationSeries
        /// The limits of the quantity.
        public var limits: Limits
        /// How strongly the pool responded to earlier doses, oldest first; see ``DoseResponse``.
        public var responses: [Double]
        /// What the other devices of the pool measured.
        public var others: [Other]

        /// Creates a measurement.
        public init(
            device: String, newest: LatestValue, recent: [Double], isQuarantined: Bool = false,
            calibrations: CalibrationSeries = CalibrationSeries(), limits: Limits, responses: [Double] = [],
            others: [Other] = []
        ) {
            self.device = device
            self.newest = newest
            self.recent = recent
            self.isQuarantined = isQuarantined
            self.calibrations = calibrations
            self.limits = limits
            self.responses = responses
            self.others = others
        }
    }

    /// The newest value of another device for the same quantity.
    public struct Other: Sendable {
        /// The name of the device.
        public var device: String
        /// The value as the hub shows it, corrected.
        public var newest: LatestValue
        /// The limits of the quantity there.
        public var limits: Limits

        /// Creates a value.
        public init(device: String, newest: LatestValue, limits: Limits) {
            self.device = device
            self.newest = newest
            self.limits = limits
        }
    }

    /// The pool.
    public var pool: Pool
    /// What its devices measure.
    public var measurements: QuantityMap<Measurement>
    /// What was typed; checked by `AdviceNumbers.validate()`.
    public var numbers: AdviceNumbers
    /// The logged doses of the pool, in any order.
    public var doses: [Dose]

    /// Creates facts.
    public init(
        pool: Pool, measurements: QuantityMap<Measurement> = [:], numbers: AdviceNumbers = AdviceNumbers(),
        doses: [Dose] = []
    ) {
        self.pool = pool
        self.measurements = measurements
        self.numbers = numbers
        self.doses = doses
    }
}
