/// What is true of one quantity: a row of the table of quantities.
///
/// All values are in the unit of the quantity.
public struct QuantityFacts: Sendable {
    /// A text in each language of ``TextLanguage``.
    public struct Words: Hashable, Sendable {
        /// In English.
        public var english: String
        /// In French.
        public var french: String

        init(_ english: String, _ french: String) {
            self.english = english
            self.french = french
        }
    }

    /// The key in JSON, in files and on the command line; it never changes.
    public let key: String
    /// What people type in place of the key, in lower case.
    public let aliases: [String]
    /// The number that represents it in files; it never changes.
    public let number: Int64
    /// The name, and the one at the beginning of a clause.
    public let name: Words
    /// The name inside a sentence, in French after `de`.
    public let nameInSentence: Words
    /// Whether the name is feminine in French.
    public let isFeminine: Bool
    /// The label below a ring.
    public let gaugeLabel: String
    /// The name in a narrow list.
    public let compactName: String
    /// The name for narrow spaces; empty where the unit identifies it.
    public let shortName: String
    /// The unit in which values are stored.
    public let unit: SourceUnit
    /// Whether the unit stands behind the value even where there is little room.
    public let alwaysHasUnit: Bool
    /// The digits after the decimal point that every screen shows.
    public let decimals: Int
    /// The values that a person may enter, as a limit or as a reference.
    ///
    /// Source: the ranges that pool probes can report, widened to shock chlorination (40 mg/L).
    public let plausibleRange: ClosedRange<Double>
    /// The values that a probe in water can report; anything else is a fault, see ``ProbeFault``.
    public let possibleRange: ClosedRange<Double>
    /// The range of most pools: a value outside of it is unlikely, though it may be possible.
    public let usualRange: ClosedRange<Double>
    /// The default limits of a private chlorinated pool, for users who have not chosen others.
    ///
    /// They are consistent with the presets: what a `LimitsPreset` for private chlorinated pools calls normal is
    /// never critical here, and the least ORP of any preset, up to 750 mV, does not raise a warning.
    public let limits: Limits
    /// How far a value must return inside a limit before its alert ends: about the noise of a probe between two samples,
    /// and less than half of each normal range.
    public let hysteresis: Double
    /// The change between two samples above which a third one must confirm the second: water does not change that fast,
    /// but a probe out of the water does.
    public let plausibleJump: Double
    /// The least change within an hour that counts as a trend; a smaller one may be noise.
    ///
    /// It is about three times the noise of a usual probe, and a change that water can really make in an hour.
    public let leastChange: Double
    /// The least change within an hour that counts as fast: more than sun, heater and the usual doses cause.
    public let fastChange: Double
    /// What is accepted as a calibration.
    public let calibrationBounds: CalibrationBounds
    /// The methods of calibration that are suitable, the usual one first.
    ///
    /// A slope through zero requires a quantity whose zero means "none".
    public let calibrationMethods: [Calibration.Method]
    /// The days after which a probe is calibrated again, by how it was calibrated.
    public let calibrationDays: CalibrationDays
    /// Whether it is a measurement that advice and forecasts are made from.
    public let isAdvised: Bool
    /// How far the newest value may be from the median of the last ones, for advice.
    public let adviceTolerance: Double
    /// How far two devices may be apart in the same water, for advice.
    public let adviceAgreement: Double
    /// How it drifts between doses; nil if it does not.
    public let drift: Drift?
    /// Home Assistant's class of the sensor; nil if it has none.
    public let deviceClass: String?
}

extension QuantityFacts {
    /// The days between two calibrations.
    ///
    /// Source for pH: the TPS manual, one point each week and two points each month. Pool probes are usually compared
    /// every 2 to 4 weeks, which chlorine (14 days) and ORP (28 days) follow; a year for temperature is our choice.
    public struct CalibrationDays: Hashable, Sendable {
        /// After a comparison of one point.
        public var point: Int
        /// After a comparison of two or more points.
        public var line: Int
        /// After numbers that a person has typed.
        public var manual: Int

        init(point: Int, line: Int, manual: Int) {
            self.point = point
            self.line = line
            self.manual = manual
        }

        init(_ days: Int) { self.init(point: days, line: days, manual: days) }

        /// The days after a method.
        public func after(_ method: Calibration.Method) -> Int {
            switch method {
            case .zeroPoint, .scale: point
            case .twoPoint, .regression: line
            case .manual: manual
            }
        }
    }

    /// The drift of a quantity between doses.
    public struct Drift: Hashable, Sendable {
        /// Whether a share of what is there goes in each hour, and not the same amount.
        public var isLogarithmic: Bool
        /// The least jump between two hours that can be a dose, on the scale of the drift.
        public var jumpMin: Double
    }
}

extension QuantityFacts {
    /// The table, in the order of the gauges on every face.
    static let table: [QuantityFacts] = [temperature, ph, chlorine, orp]

    private static let temperature = QuantityFacts(
        key: "temperature", aliases: ["temp"], number: 0,
        name: Words("Temperature", "Température"), nameInSentence: Words("temperature", "température"),
        isFeminine: true,
        gaugeLabel: "TEMP", compactName: "Temp", shortName: "",
        unit: .celsius, alwaysHasUnit: false, decimals: 1,
        plausibleRange: -5...60, possibleRange: -5...60, usualRange: 1...45,
        limits: Limits(criticalLow: 15, low: 20, high: 30, criticalHigh: 35),
        hysteresis: 0.5, plausibleJump: 5, leastChange: 0.2, fastChange: 1,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 25, correctionMax: 10, spanMin: 5, spanRecommended: 15, stableSpan: 0.2),
        calibrationMethods: [.zeroPoint, .twoPoint, .regression, .manual], calibrationDays: CalibrationDays(365),
        isAdvised: true, adviceTolerance: 5, adviceAgreement: 3, drift: nil,
        deviceClass: "temperature")

    // The span of 2 for the calibration is that of a community pH node which grades anything below it "weak".
    private static let ph = QuantityFacts(
        key: "ph", aliases: [], number: 1,
        name: Words("pH", "pH"), nameInSentence: Words("pH", "pH"), isFeminine: false,
        gaugeLabel: "pH", compactName: "pH", shortName: "pH",
        unit: .ph, alwaysHasUnit: false, decimals: 2,
        plausibleRange: 0...14, possibleRange: 1...13, usualRange: 4...10,
        limits: Limits(criticalLow: 6.5, low: 6.8, high: 7.6, criticalHigh: 8.0),
        hysteresis: 0.05, plausibleJump: 0.8, leastChange: 0.05, fastChange: 0.2,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 7, correctionMax: 2, spanMin: 0.5, spanRecommended: 2, stableSpan: 0.02),
        calibrationMethods: [.twoPoint, .zeroPoint, .regression, .manual],
        calibrationDays: CalibrationDays(point: 7, line: 30, manual: 28),
        isAdvised: true, adviceTolerance: 0.3, adviceAgreement: 0.3, drift: Drift(isLogarithmic: false, jumpMin: 0.04),
        deviceClass: "ph")

    private static let chlorine = QuantityFacts(
        key: "chlorine", aliases: ["cl"], number: 2,
        name: Words("Chlorine", "Chlore"), nameInSentence: Words("free chlorine", "chlore libre"), isFeminine: false,
        gaugeLabel: "CHLORINE", compactName: "Cl", shortName: "Cl",
        unit: .milligramsPerLitre, alwaysHasUnit: false, decimals: 2,
        plausibleRange: 0...40, possibleRange: 0...40, usualRange: 0...20,
        limits: Limits(criticalLow: 0.5, low: 1, high: 3, criticalHigh: 5),
        hysteresis: 0.1, plausibleJump: 2, leastChange: 0.1, fastChange: 0.4,
        calibrationBounds: CalibrationBounds(
            slopes: 0.1...10, anchor: 0, correctionMax: 5, spanMin: 0.3, spanRecommended: 1, stableSpan: 0.05),
        calibrationMethods: [.scale, .zeroPoint, .twoPoint, .regression, .manual], calibrationDays: CalibrationDays(14),
        isAdvised: true, adviceTolerance: 1, adviceAgreement: 1, drift: Drift(isLogarithmic: true, jumpMin: 0.06),
        // Home Assistant has no class for it.
        deviceClass: nil)

    private static let orp = QuantityFacts(
        key: "orp", aliases: ["redox"], number: 3,
        name: Words("ORP", "Redox"), nameInSentence: Words("ORP", "potentiel redox"), isFeminine: false,
        gaugeLabel: "ORP", compactName: "ORP", shortName: "ORP",
        unit: .millivolts, alwaysHasUnit: true, decimals: 0,
        plausibleRange: -1500...1500, possibleRange: -500...1200, usualRange: 100...1000,
        limits: Limits(criticalLow: 500, low: 600, high: 800, criticalHigh: 900),
        hysteresis: 15, plausibleJump: 200, leastChange: 10, fastChange: 40,
        calibrationBounds: CalibrationBounds(
            slopes: 0.5...2, anchor: 470, correctionMax: 300, spanMin: 30, spanRecommended: 100, stableSpan: 4),
        calibrationMethods: [.zeroPoint, .twoPoint, .regression, .manual], calibrationDays: CalibrationDays(28),
        isAdvised: false, adviceTolerance: 100, adviceAgreement: 100, drift: nil,
        deviceClass: "voltage")
}
