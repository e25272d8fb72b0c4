/// What the numbers of advice rely on.
public enum AdviceAssumption: Codable, Hashable, Sendable {
    /// Filtration follows the temperature.
    case filtration
    /// Half of the computed amount is given.
    case half
    /// The usual strengths.
    case strengths
    /// One product at a time.
    case oneProduct
    /// How many times as computed the pool responded to the last doses.
    case response(Double)
    /// The turnover is unknown.
    case turnover
    /// What uses chlorine up meanwhile is not counted.
    case consumption
    /// What dichlor and trichlor leave.
    case stabilizer
    /// There is no usable pH.
    case noPH
    /// The water exchanges no carbon dioxide.
    case closedWater
    /// The total alkalinity is unknown.
    case alkalinity
    /// The water temperature is unknown.
    case temperature
    /// The cyanuric acid is unknown.
    case cyanuricAcid
    /// The borates are unknown.
    case borates
}

extension AdviceAssumption: CustomStringConvertible {
    /// The assumption in English.
    public var description: String { sentence(in: .english) }

    /// The assumption in one sentence.
    public func sentence(in language: TextLanguage) -> String {
        switch self {
        case .filtration:
            language.pick(
                "Filtration is half of the water temperature in hours a day, 8 to 24.",
                "La filtration est la moitié de la température de l'eau en heures par jour, de 8 à 24.")
        case .half:
            language.pick(
                "Half of the computed amount is given, to the middle of the range: add it, let it act, then measure again.",
                "La moitié de la quantité calculée est donnée, vers le milieu de la plage : ajoutez-la, laissez agir, puis "
                    + "mesurez de nouveau.")
        case .strengths:
            language.pick(
                "Strengths are those of the trade where none is given: read the label, and follow it.",
                "Les teneurs sont celles du commerce si aucune n'est indiquée : lisez l'étiquette, et suivez-la.")
        case .oneProduct:
            language.pick(
                "Add one product only, and never mix two.",
                "N'ajoutez qu'un seul produit, et n'en mélangez jamais deux.")
        case .response(let factor):
            language.pick(
                "This pool responded \(language.number(factor, decimals: 2)) times as computed to the last doses; the amounts "
                    + "are divided by it.",
                "Ce bassin a répondu \(language.number(factor, decimals: 2)) fois comme calculé aux derniers ajouts ; les "
                    + "quantités sont divisées par ce nombre.")
        case .turnover:
            language.pick(
                "The turnover is unknown and taken as 6 hours for mixing.",
                "La durée de recyclage est inconnue, et prise à 6 heures pour le mélange.")
        case .consumption:
            language.pick(
                "What sun and bathers use up meanwhile is not counted.",
                "Ce que le soleil et les baigneurs consomment entre-temps n'est pas compté.")
        case .stabilizer:
            language.pick(
                "Dichlor leaves 0.9, trichlor 0.6 mg/L of cyanuric acid with each mg/L of chlorine.",
                "Avec chaque mg/L de chlore, le dichlore laisse 0,9 et le trichlore 0,6 mg/L d'acide cyanurique.")
        case .noPH:
            language.pick(
                "There is no usable pH: test it before adding chlorine.",
                "Il n'y a pas de pH utilisable : mesurez-le avant d'ajouter du chlore.")
        case .closedWater:
            language.pick(
                "The water neither gains nor loses carbon dioxide while the dose is mixed in; constants of Plummer and "
                    + "Busenberg (1982), without ionic strength.",
                "L'eau ne gagne ni ne perd de dioxyde de carbone pendant le mélange ; constantes de Plummer et Busenberg "
                    + "(1982), sans force ionique.")
        case .alkalinity:
            language.pick(
                "The total alkalinity is unknown: the amounts are those for 60 and for 150 mg/L; measure it and give it.",
                "L'alcalinité totale est inconnue : les quantités sont celles pour 60 et pour 150 mg/L ; mesurez-la et "
                    + "indiquez-la.")
        case .temperature:
            language.pick(
                "The water temperature is unknown and taken as 25 °C.",
                "La température de l'eau est inconnue, et prise à 25 °C.")
        case .cyanuricAcid:
            language.pick(
                "Cyanuric acid was not given and is taken as none.",
                "L'acide cyanurique n'est pas indiqué, et pris comme nul.")
        case .borates:
            language.pick(
                "Borates were not given and are taken as none.", "Les borates ne sont pas indiqués, et pris comme nuls."
            )
        }
    }
}
