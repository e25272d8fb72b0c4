import PoolModel

extension DoseProduct {
    /// The free chlorine that a gram or a millilitre of it brings, in grams; nil if it brings none.
    func chlorine(strengthPercent: Double) -> Double? { quantity == .chlorine ? strengthPercent / 100 : nil }

    /// The acid in a gram or a millilitre of it, in equivalents; nil if it is no acid.
    func acid(strengthPercent: Double) -> Double? {
        let share = strengthPercent / 100
        return switch self {
        // One hydrogen ion of a molecule of 120.06 g.
        case .sodiumBisulfate: share / 120.06
        // The densities of the acids rise about linearly with the strength; the lines are off by 3 % at most.
        case .hydrochloricAcid: (1 + 0.00495 * strengthPercent) * share / 36.46
        // Two hydrogen ions of a molecule of 98.08 g.
        case .sulfuricAcid: 2 * (1 + 0.0068 * strengthPercent) * share / 98.08
        case .calciumHypochlorite, .dichlor, .trichlor, .sodiumHypochlorite, .sodiumCarbonate, .other: nil
        }
    }

    /// The sodium carbonate in a gram of it, in mol; nil if it is another product.
    func sodiumCarbonate(strengthPercent: Double) -> Double? {
        self == .sodiumCarbonate ? strengthPercent / 100 / 105.99 : nil
    }
}
