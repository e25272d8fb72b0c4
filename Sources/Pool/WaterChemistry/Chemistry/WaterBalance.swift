import PoolModel

/// Measurements of the water for the two saturation indices.
///
/// Hardness and alkalinity are in mg/L as calcium carbonate; all other dissolved substances in mg/L.
public struct WaterBalance: Codable, Hashable, Sendable {
    /// The pH; 6…9.5.
    public var ph: Double
    /// The water temperature in °C; 0…53.
    public var celsius: Double
    /// The calcium hardness; 25…1000.
    public var calciumHardness: Double
    /// The total alkalinity; 25…1000.
    public var totalAlkalinity: Double
    /// The cyanuric acid; 0…300.
    public var cyanuricAcid: Double
    /// The total dissolved solids; in salt pools about the amount of salt; 0…40000.
    public var dissolvedSolids: Double
    /// The borates as boron; 0…100.
    public var borates: Double

    /// Creates a balance without checking it.
    public init(
        ph: Double, celsius: Double, calciumHardness: Double, totalAlkalinity: Double, cyanuricAcid: Double = 0,
        dissolvedSolids: Double = 0, borates: Double = 0
    ) {
        self.ph = ph
        self.celsius = celsius
        self.calciumHardness = calciumHardness
        self.totalAlkalinity = totalAlkalinity
        self.cyanuricAcid = cyanuricAcid
        self.dissolvedSolids = dissolvedSolids
        self.borates = borates
    }

    /// Checks each number against the range of the formulas.
    ///
    /// - Throws: ``WaterBalanceError/outOfRange(_:_:_:)``.
    public func check() throws(WaterBalanceError) {
        let numbers: [(WaterBalanceError.Ingredient, Double, ClosedRange<Double>)] = [
            (.ph, ph, 6...9.5), (.temperature, celsius, 0...53), (.calciumHardness, calciumHardness, 25...1000),
            (.totalAlkalinity, totalAlkalinity, 25...1000), (.cyanuricAcid, cyanuricAcid, 0...300),
            (.dissolvedSolids, dissolvedSolids, 0...40_000), (.borates, borates, 0...100),
        ]
        for (ingredient, value, range) in numbers where !range.contains(value) {
            throw .outOfRange(ingredient, value, range)
        }
    }
}

/// Why a saturation index cannot be computed.
@nonexhaustive
public enum WaterBalanceError: Error, Hashable, Sendable {
    /// One of the numbers of a balance.
    public enum Ingredient: String, CaseIterable, Sendable {
        /// The pH.
        case ph = "pH"
        /// The water temperature in °C.
        case temperature = "water temperature"
        /// The calcium hardness.
        case calciumHardness = "calcium hardness"
        /// The total alkalinity.
        case totalAlkalinity = "total alkalinity"
        /// The cyanuric acid.
        case cyanuricAcid = "cyanuric acid"
        /// The total dissolved solids.
        case dissolvedSolids = "total dissolved solids"
        /// The borates.
        case borates = "borates"
    }

    /// A number is outside the range of the formulas, or not finite.
    case outOfRange(Ingredient, Double, ClosedRange<Double>)
    /// The alkalinity without the part of cyanuric acid and borates is below the range of the formula.
    case carbonateAlkalinityTooLow(Double, minimum: Double)
}

extension WaterBalanceError: CustomStringConvertible {
    /// One sentence for a person: the subject, the value and what to do.
    public var description: String {
        switch self {
        case .outOfRange(let ingredient, let value, let range):
            "The \(ingredient.rawValue) \(value) is not in \(range.lowerBound)…\(range.upperBound), where the formula "
                + "holds: check the value and its unit."
        case .carbonateAlkalinityTooLow(let value, let minimum):
            "The carbonate alkalinity would be \(NumberFormat.fixed(value, decimals: 1)) mg/L, below "
                + "\(NumberFormat.fixed(minimum, decimals: 0)): the formula does not cover that; check the "
                + "total alkalinity and the cyanuric acid."
        }
    }
}
