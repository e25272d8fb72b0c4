internal import Synchronization

/// The units in which people see values and type them.
///
/// A choice of display: what is stored, computed, exported, and sent to programs keeps the units of the rows. Each
/// program has one, which it takes at its start from its settings, as a watch and a hub may be read by different people.
public struct DisplayUnits: Hashable, Sendable {
    /// A unit for volumes.
    public enum Volume: String, Hashable, Sendable {
        /// Cubic metres.
        case cubicMetres = "m³"
        /// Gallons of the United States, 3.785411784 litres.
        case gallons = "gal"

        /// How many of it a cubic metre is.
        public var countInCubicMetre: Double { self == .gallons ? 1 / 0.003_785_411_784 : 1 }
    }

    /// The chosen units; of a quantity without one, the unit in which it is stored.
    private var units: QuantityMap<QuantityFacts.DisplayUnit> = [:]
    /// The unit for volumes.
    public private(set) var volume = Volume.cubicMetres

    /// The units in which values are stored, and cubic metres.
    public static let metric = DisplayUnits()

    private init() {}

    /// Reads a choice: `metric`, `us`, or words such as `fahrenheit` and `gal`, separated by commas, where a later one
    /// counts.
    ///
    /// Nil for another word. `us` is `fahrenheit,gal,ppm`.
    public init?(_ text: String) {
        for word in text.split(separator: ",").map({ $0.trimmedOfBlanks.lowercased() }) {
            switch word {
            case "metric": self = .metric
            case "us": for part in ["fahrenheit", "gal", "ppm"] where !choose(part) { return nil }
            default: guard choose(word) else { return nil }
            }
        }
    }

    /// The words of a choice, for people.
    public static let words =
        ["metric", "us", "gal", "m3"] + Quantity.allCases.flatMap { $0.facts.displayUnits.map(\.word) }

    /// Takes a word; false for another word.
    private mutating func choose(_ word: String) -> Bool {
        switch word {
        case "gal", "gallons": volume = .gallons
        case "m3", "m³": volume = .cubicMetres
        default:
            for quantity in Quantity.allCases {
                guard let unit = quantity.facts.displayUnits.first(where: { $0.word == word }) else { continue }
                units[quantity] = unit
                return true
            }
            return false
        }
        return true
    }

    /// How a quantity is shown: the row's own way if no other was chosen.
    func unit(of quantity: Quantity) -> QuantityFacts.DisplayUnit {
        units[quantity]
            ?? QuantityFacts.DisplayUnit(
                word: quantity.rawValue, unit: quantity.facts.unit, decimals: quantity.facts.decimals)
    }
}

extension DisplayUnits {
    /// How values of a quantity are shown: `shown = stored × divisor ÷ multiplier + zero`.
    package struct Conversion: Encodable {
        /// How the unit stands behind a value, empty for pH.
        package var symbol: String
        /// The digits after the decimal point.
        package var decimals: Int
        package var zero: Double
        package var multiplier: Double
        package var divisor: Double
    }

    /// How values of a quantity are shown.
    package func conversion(of quantity: Quantity) -> Conversion {
        let shown = unit(of: quantity)
        let row = quantity.facts.units.first { $0.unit == shown.unit } ?? quantity.facts.units[0]
        return Conversion(
            symbol: shown.symbol, decimals: shown.decimals, zero: row.zero, multiplier: row.multiplier,
            divisor: row.divisor)
    }
}

extension DisplayUnits {
    private static let ofProcess = Mutex(DisplayUnits.metric)

    /// The choice for a task, in place of the program's: for tests.
    @TaskLocal package static var ofTask: DisplayUnits?

    /// The present choice.
    package static var current: DisplayUnits { ofTask ?? ofProcess.withLock { $0 } }

    /// Makes a choice for the whole program.
    package static func choose(_ units: DisplayUnits) { ofProcess.withLock { $0 = units } }

    /// A volume in cubic metres, as people see it, such as `48 m³`.
    package func text(volume cubicMetres: Double, decimals: Int? = nil) -> String {
        let value = cubicMetres * volume.countInCubicMetre
        let text =
            volume == .gallons
            ? NumberFormat.fixed(value, decimals: 0)
            : decimals.map { NumberFormat.fixed(value, decimals: $0) } ?? NumberFormat.shortest(value)
        return "\(text) \(volume.rawValue)"
    }
}

extension Quantity {
    /// How people see it.
    private var shown: QuantityFacts.DisplayUnit { DisplayUnits.current.unit(of: self) }

    /// The unit symbol that people see, empty for pH; what programs read has ``QuantityFacts/unit``.
    public var unit: String { shown.symbol }

    /// The digits after the decimal point that every screen shows.
    public var decimals: Int { shown.decimals }

    /// A value as people see it: in the unit of display.
    package func shownValue(_ value: Double) -> Double {
        facts.units.first { $0.unit == shown.unit }?.value(value) ?? value
    }

    /// A difference of two values as people see it.
    package func shownDifference(_ difference: Double) -> Double {
        facts.units.first { $0.unit == shown.unit }?.valueOfDifference(difference) ?? difference
    }

    /// A number that a person typed without a unit, in the unit in which the quantity is stored.
    package func typedValue(_ number: Double) -> Double { standardValue(number, in: shown.unit) }

    /// A value with the digits that every screen shows, without its unit.
    package func text(_ value: Double) -> String { NumberFormat.fixed(shownValue(value), decimals: decimals) }

    /// A value with as many digits as it needs, four after the point at most, without its unit: for limits as they were
    /// typed.
    package func shortText(_ value: Double) -> String { NumberFormat.shortest(shownValue(value), decimals: 4) }

    /// The unit symbol that people see where only ASCII can be shown.
    package var asciiUnit: String {
        String(unit.replacing("°", with: "").replacing("µ", with: "u").map { $0.isASCII ? $0 : "?" })
    }

    /// A value with its unit, such as `24.5 °C`.
    package func textWithUnit(_ value: Double) -> String { unit.isEmpty ? text(value) : "\(text(value)) \(unit)" }
}
