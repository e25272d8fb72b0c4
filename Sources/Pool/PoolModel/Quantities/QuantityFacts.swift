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
    /// The first version of the records between hub and watches that has its limits, see
    /// ``ConfigurationEntry/versions``.
    public let firstVersion: UInt32
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
    /// Whether lists, forms and exports name it for every device; what is not usual stands only where a device measures
    /// it, or where somebody has given it limits.
    public let isUsual: Bool
    /// Whether it describes the water; the others, such as a battery, describe the device.
    public let isOfWater: Bool
    /// Whether a device that measures it is certainly about a pool: anything may have a temperature or a battery.
    public let tellsPool: Bool
    /// Whether the rings of the watch faces show it as long as it is within its limits.
    public let isOnFaces: Bool
    /// The units in which devices send it; the first one is the one in which values are stored.
    public let units: [Unit]
    /// The other ways in which people may see values.
    let displayUnits: [DisplayUnit]
    /// Whether the unit stands behind the value even where there is little room.
    public let alwaysHasUnit: Bool
    /// The digits after the decimal point that every screen shows.
    public let decimals: Int
    /// The values that a person may enter, as a limit or as a reference.
    ///
    /// Source: the ranges that pool probes can report, widened to shock chlorination (40 mg/L).
    public let plausibleRange: ClosedRange<Double>
    /// The values that a probe in water can report; anything else is a fault, see ``ProbeFault``.
    ///
    /// What lies between the ends of both ranges is noise: see ``Quantity/takenIn(_:)``.
    public let possibleRange: ClosedRange<Double>
    /// The range of most pools: a value outside of it is unlikely, though it may be possible.
    public let usualRange: ClosedRange<Double>
    /// What a probe reports that measures nothing, inside the possible range or outside of it.
    let faults: [Fault]
    /// The default limits of a private chlorinated pool, for users who have not chosen others.
    ///
    /// They are consistent with the presets: what a `LimitsPreset` for private chlorinated pools calls normal is
    /// never critical here, and the least redox potential of any preset, up to 750 mV, does not raise a warning.
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
    /// The sides on which a critical value is a danger to people in the water.
    let dangerousSides: Set<Limits.Deviation>
    /// What a person does about a value that is too low.
    let actionIfLow: NoticePart.Action
    /// What a person does about a value that is too high.
    let actionIfHigh: NoticePart.Action
    /// What is accepted as a calibration.
    public let calibrationBounds: CalibrationBounds
    /// The methods of calibration that are suitable, the usual one first.
    ///
    /// A slope through zero requires a quantity whose zero means "none".
    public let calibrationMethods: [Calibration.Method]
    /// How a person compares its probe with references.
    package let calibrationGuide: CalibrationGuide
    /// The electrode that measures it, whose condition a calibration tells; nil for another probe.
    package let electrode: Electrode.Kind?
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
    /// Whether the class says by itself that a sensor measures it: any voltage has the class of a redox potential.
    public let isNamedByDeviceClass: Bool
    /// How detection finds it.
    public let words: DetectionWords
    /// Which numbers detection does not take for it.
    package let doubt: Doubt
    /// What people need to know of the water before they can swim, and it tells; nil for nothing.
    let need: Need?
    /// The least value of water that cannot be without any disinfectant; nil if no value tells that.
    let disinfectedMin: Double?
}

extension QuantityFacts {
    /// The unit in which values are stored.
    public var unit: SourceUnit { units[0].unit }

    /// What a person does about a value on one side of its limits.
    func action(_ side: Limits.Deviation) -> NoticePart.Action { side == .low ? actionIfLow : actionIfHigh }
}

extension QuantityFacts {
    /// The days between two calibrations.
    ///
    /// Source for pH: the TPS manual, one point each week and two points each month. Pool probes are usually compared
    /// every 2 to 4 weeks, which chlorine (14 days) and the redox potential (28 days) follow; a year for temperature is our choice.
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

    /// Values by which a fault of the probe is known.
    struct Fault: Hashable, Sendable {
        let fault: ProbeFault
        let values: ClosedRange<Double>

        init(_ fault: ProbeFault, _ values: ClosedRange<Double>) {
            self.fault = fault
            self.values = values
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
    /// A unit of a quantity: `standard = (value − zero) × multiplier ÷ divisor`.
    public struct Unit: Hashable, Sendable {
        /// The unit.
        public let unit: SourceUnit
        /// The value in this unit that is 0 in the standard one.
        let zero: Double
        let multiplier: Double
        let divisor: Double

        init(_ unit: SourceUnit, zero: Double = 0, multiplier: Double = 1, divisor: Double = 1) {
            self.unit = unit
            self.zero = zero
            self.multiplier = multiplier
            self.divisor = divisor
        }

        /// A value in this unit, in the unit in which the quantity is stored.
        public func standardValue(_ value: Double) -> Double { (value - zero) * multiplier / divisor }

        /// A value in the unit in which the quantity is stored, in this unit.
        public func value(_ standardValue: Double) -> Double { standardValue * divisor / multiplier + zero }

        /// A difference of two values in the unit in which the quantity is stored, in this unit.
        func valueOfDifference(_ difference: Double) -> Double { difference * divisor / multiplier }
    }

    /// A way in which people may see values.
    struct DisplayUnit: Hashable, Sendable {
        /// The word for it in the settings, in lower case.
        let word: String
        let unit: SourceUnit
        /// How it stands behind a value.
        let symbol: String
        let decimals: Int

        init(word: String, unit: SourceUnit, symbol: String? = nil, decimals: Int) {
            self.word = word
            self.unit = unit
            self.symbol = symbol ?? unit.symbol
            self.decimals = decimals
        }
    }

    /// The unit of a number that came without one.
    public func unit(ofBare number: Double) -> SourceUnit {
        guard words.infersUnit, !possibleRange.contains(number), let guessed = words.guessedUnits.first,
            let row = units.first(where: { $0.unit == guessed }), usualRange.contains(row.standardValue(number))
        else { return unit }
        return guessed
    }

    /// The words by which devices and people name a quantity, in all languages that detection knows.
    ///
    /// All are in lower case and without accents. English, German, Dutch, French, Spanish, Italian, Portuguese, Polish,
    /// Czech, Swedish and Danish, and some of Finnish, Norwegian, Turkish, Russian, Japanese and Chinese.
    public struct DetectionWords: Sendable {
        /// The words that name it.
        public let names: Set<String>
        /// Names that come as several words, as `RedOx` does.
        package var splitNames: [[String]] = []
        /// Names that are too short to name it, unless another quantity is next to them.
        public let shortNames: [String]
        /// The words that name it and its unit at once.
        public let withUnit: [String: SourceUnit]
        /// Words next to which a name is not this quantity of the water.
        public let traps: Set<String>
        /// The units that an unlikely number without a unit may have, the likeliest first.
        public let guessedUnits: [SourceUnit]
        /// Whether a number without a unit that cannot be right in the standard one has the first of the guessed ones: no
        /// pool has 3200 grams of salt in a litre.
        public let infersUnit: Bool
        /// The keys in flat messages; in lower case.
        public let flatKeys: [String]
    }

    /// The numbers that only a person may take for a quantity, whatever their names say.
    package struct Doubt: Hashable, Sendable {
        /// The values that water has.
        package let credible: ClosedRange<Double>
        /// The values among these that rather say that there is no value.
        package var nothing: ClosedRange<Double>?
        /// Whether it has none of the values by which devices say that they have none, as 99.9.
        package var hasNoFaults = false
        /// Whether a small whole number is rather the code of a state.
        package var hasNoCodes = false
        /// Whether a whole number is rather a state or an amount, next to a word of something else, such as `dosing`.
        package var hasNoWholesBesideOthers = false
        /// How far the number of a calibration liquid may be from the one in its name, as `ph7` of 6.98; nil without
        /// such liquids.
        package var liquidTolerance: Double?
    }

    /// What people need to know of the water before they can swim.
    enum Need: CaseIterable {
        case acidity
        case disinfection
    }

    /// The table, in the order of the gauges on every face.
    static let table: [QuantityFacts] = [temperature, ph, chlorine, orp, salinity, conductivity, battery]

    /// Words for units that are neither those of chlorine nor of pH: a raw voltage, a percentage of a device.
    static let otherUnits: Set<String> = voltages.union(percents).union(["ma", "ohm"])

    /// Words for voltages, as units.
    static let voltages: Set<String> = ["mv", "millivolt", "millivolts", "v", "volt", "volts"]

    /// Words for percentages, as units.
    static let percents: Set<String> = [
        "percent", "percentage", "pct", "prozent", "procent", "pourcentage", "porcentaje", "percentuale",
        "percentagem", "procento",
    ]
}
