/// Whether water dissolves calcium carbonate or deposits it: below 0 it dissolves, above 0 it deposits.
public struct SaturationIndex: Hashable, Sendable {
    /// The meaning of an index.
    public enum Verdict: String, CaseIterable, Codable, Sendable {
        /// Below −0.5: the water attacks plaster, grout and metal.
        case corrosive
        /// −0.5…+0.5.
        case balanced
        /// Above +0.5: the water leaves scale.
        case scaling
    }

    /// The index.
    public var value: Double
    /// The alkalinity used in the formula, in mg/L as calcium carbonate: without the part of cyanuric acid and
    /// borates.
    public var carbonateAlkalinity: Double
    /// The assumptions of the number, one sentence each.
    public var assumptions: [String]

    /// The meaning; −0.5 and +0.5 are balanced.
    public var verdict: Verdict { value < -0.5 ? .corrosive : value > 0.5 ? .scaling : .balanced }

    /// Whether it is in the narrower range of ANSI/APSP-11, −0.3…+0.5.
    public var isWithinStandard: Bool { (-0.3...0.5).contains(value) }
}

extension WaterBalance {
    /// The saturation index of the industry: pH + TF + CF + AF − 12.1.
    ///
    /// Source: the factor tables of the pool trade. Between the rows, the temperature factor is interpolated
    /// linearly, the other two in the logarithm of the concentration.
    ///
    /// - Returns: The index with its assumptions.
    /// - Throws: ``WaterBalanceError`` if a number is outside the tables.
    public func saturationIndex() throws(WaterBalanceError) -> SaturationIndex {
        try check()
        // At pH 7.5, a third of the cyanuric acid's weight counts as alkalinity without contributing to the balance.
        let alkalinity = totalAlkalinity - 0.33 * cyanuricAcid
        guard alkalinity >= 25 else { throw .carbonateAlkalinityTooLow(alkalinity, minimum: 25) }
        let isSalty = dissolvedSolids > 1000
        let value =
            ph + SaturationFactor.temperature(celsius: celsius) + SaturationFactor.calcium(calciumHardness)
            + SaturationFactor.alkalinity(alkalinity) - (isSalty ? 12.2 : 12.1)
        return SaturationIndex(
            value: value, carbonateAlkalinity: alkalinity,
            assumptions: [
                "Industry form with factor tables, read between the rows; good to about 0.1.",
                "Carbonate alkalinity is taken as total alkalinity − 0.33 × cyanuric acid, which holds near pH 7.5.",
                isSalty
                    ? "More than 1000 mg/L are dissolved, so 12.2 is subtracted instead of 12.1."
                    : "At most 1000 mg/L are dissolved, so 12.1 is subtracted.",
            ] + (borates > 0 ? ["Borates are not taken into account in this form."] : []))
    }

    /// The calcite saturation index, which depends on ionic strength, cyanuric acid and borates at the water's pH.
    ///
    /// Source: the form that open pool controllers use. Dissolved solids beyond those of the calcium count as sodium
    /// chloride.
    ///
    /// - Returns: The index with its assumptions.
    /// - Throws: ``WaterBalanceError`` if a number is out of range, or no carbonate alkalinity is left.
    public func calciteSaturationIndex() throws(WaterBalanceError) -> SaturationIndex {
        try check()
        let bound = Chemistry.boundAlkalinity(ph: ph, cyanuricAcid: cyanuricAcid, borates: borates)
        let alkalinity = totalAlkalinity - bound.cyanurate - bound.borate
        guard alkalinity >= 1 else { throw .carbonateAlkalinityTooLow(alkalinity, minimum: 1) }
        let extraSalt = max(0, dissolvedSolids - 1.1678 * calciumHardness)
        let ionicStrength = (1.5 * calciumHardness + totalAlkalinity) / 50_045 + extraSalt / 58_440
        let root = ionicStrength.squareRoot()
        let value =
            ph - 6.9395 + Transcendental.log10(calciumHardness) + Transcendental.log10(alkalinity)
            - 2.56 * root / (1 + 1.65 * root) - 1412.5 / (celsius + 273.15)
        var assumptions = [
            "Carbonate alkalinity is total alkalinity without what cyanuric acid and borates hold at this pH.",
            "Dissolved solids beyond 1.1678 × calcium hardness count as sodium chloride.",
        ]
        if dissolvedSolids == 0 {
            assumptions.append("No dissolved solids were given: real water has some, and its index is lower.")
        }
        return SaturationIndex(value: value, carbonateAlkalinity: alkalinity, assumptions: assumptions)
    }
}
