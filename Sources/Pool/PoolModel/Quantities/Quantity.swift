/// A water quantity that a pool device measures.
///
/// What is true of a quantity stands in its row of the table (``facts``), which everything reads: names, units, limits,
/// calibration and more. A new quantity is a new row; a constant here is only needed by code that is about one quantity.
///
/// In JSON it is the text of its key.
public struct Quantity: Hashable, Sendable {
    /// The position of its row.
    let index: Int

    /// The water temperature, in degrees Celsius.
    public static let temperature = Quantity("temperature")
    /// The acidity, without a unit; 0…14.
    public static let ph = Quantity("ph")
    /// The free chlorine, in milligrams per litre (the same as ppm).
    public static let chlorine = Quantity("chlorine")
    /// The oxidation-reduction potential, in millivolts.
    public static let orp = Quantity("orp")

    /// The salt, in grams per litre.
    public static let salinity = Quantity("salinity")
    /// The conductivity, in microsiemens per centimetre.
    public static let conductivity = Quantity("conductivity")
    /// The charge of the device's battery, in percent.
    public static let battery = Quantity("battery")

    private init(index: Int) { self.index = index }

    private init(_ key: String) {
        guard let quantity = Quantity(rawValue: key) else { preconditionFailure("no row has the key \(key)") }
        self = quantity
    }

    /// Its row.
    public var facts: QuantityFacts { QuantityFacts.table[index] }

    /// The full name, for use in a sentence.
    public var name: String { facts.name.english }

    /// The unit with a symbol, in any of its spellings; nil if it is not a unit of this quantity.
    public func unit(_ symbol: some StringProtocol) -> SourceUnit? {
        SourceUnit(symbol: symbol).flatMap { has($0) ? $0 : nil }
    }

    /// Whether devices may send it in a unit.
    public func has(_ unit: SourceUnit) -> Bool { facts.units.contains { $0.unit == unit } }

    /// A value in one of its units, in the unit in which it is stored.
    ///
    /// - Precondition: ``has(_:)`` is true of the unit.
    public func standardValue(_ value: Double, in unit: SourceUnit) -> Double {
        guard let row = facts.units.first(where: { $0.unit == unit }) else {
            preconditionFailure("\(unit.rawValue) is no unit of \(rawValue)")
        }
        return row.standardValue(value)
    }

    /// The values that a person may enter, as a limit or as a reference; what a probe can report is narrower, see
    /// ``ProbeFault``.
    public var plausibleRange: ClosedRange<Double> { facts.plausibleRange }

    /// The value for a number that a probe reports, both in the quantity's unit.
    ///
    /// Where water has nothing to measure, noise may take the number a little below 0, which then is 0. Any other number
    /// stays, also that of a fault.
    ///
    /// - Parameter number: What the probe reports.
    /// - Returns: The value to take in.
    public func takenIn(_ number: Double) -> Double {
        let end = plausibleRange.lowerBound
        return number < end && facts.possibleRange.contains(number) ? end : number
    }
}

extension Quantity: CaseIterable {
    /// All quantities, in the order of the table.
    public static let allCases: [Quantity] = QuantityFacts.table.indices.map { Quantity(index: $0) }
}

extension Quantity {
    /// The quantities that a list names: the usual ones, and of the others those that are measured or have limits.
    ///
    /// - Parameter isKnown: Whether there is something to say of a quantity.
    /// - Returns: The quantities, in the order of the table.
    package static func listed(where isKnown: (Quantity) -> Bool) -> [Quantity] {
        allCases.filter { $0.facts.isUsual || isKnown($0) }
    }
}

extension Quantity: RawRepresentable, Codable {
    private static let indices = Dictionary(
        uniqueKeysWithValues: QuantityFacts.table.enumerated().map { ($0.element.key, $0.offset) })

    /// The key in JSON, in files and on the command line.
    public var rawValue: String { facts.key }

    /// The quantity with a key; nil if there is none.
    public init?(rawValue: String) {
        guard let index = Self.indices[rawValue] else { return nil }
        self.init(index: index)
    }
}
