/// Why nothing is added, or why there is no advice.
public enum AdviceReason: Codable, Hashable, Sendable {
    /// The value is in its range.
    case inRange(low: Double, high: Double)
    /// Chlorine is above its range; the share of the water that would have to be replaced to reach it.
    case tooMuchChlorine(share: Double, cubicMetres: Double?)
    /// A product for the same quantity was added too recently.
    case locked(DoseProduct, at: Timestamp)
    /// Another product was added, and the water has not yet been moved once since.
    case mixing(DoseProduct, at: Timestamp)
    /// The pH is brought into its range first.
    case phFirst
    /// No device of the pool measures the quantity.
    case notMeasured(Quantity)
    /// The value is too old; its age in seconds, nil if unknown.
    case stale(Quantity, seconds: Int?)
    /// The newest value is one that water, or a working probe, cannot have.
    case quarantined(Quantity)
    /// There are too few measurements within the last day.
    case tooFew(Quantity, count: Int)
    /// The newest value differs too much from those before it.
    case unsettled(Quantity, newest: Double, median: Double)
    /// Two devices of the pool disagree: the one whose value is the newest, and another one.
    case disagreement(Quantity, device: String, value: Double, other: String, otherValue: Double, otherSeconds: Int)
    /// The volume of the pool is unknown.
    case noVolume
    /// The step is greater than there is advice for.
    case stepTooGreat(Quantity, step: Double, max: Double)
    /// An input is outside the range of the formulas; which one, and the range.
    case outsideFormula(FormulaInput, value: Double, low: Double, high: Double)

    /// An input of the formulas.
    public enum FormulaInput: Codable, Hashable, Sendable {
        /// The pH that was measured.
        case ph
        /// The pH in the middle of its range.
        case targetPH
        /// The total alkalinity, most of which cyanuric acid and borates hold.
        case alkalinity
    }
}

extension AdviceReason: CustomStringConvertible {
    /// The reason in English.
    public var description: String { sentence(in: .english) }

    /// The reason in words, with what to do about it.
    public func sentence(in language: TextLanguage) -> String {
        func number(_ value: Double, _ quantity: Quantity) -> String {
            language.number(quantity.shownValue(value), decimals: quantity.decimals)
        }
        switch self {
        case .inRange(let low, let high):
            let range = "\(language.number(low, decimals: 2))…\(language.number(high, decimals: 2))"
            return language.pick(
                "it is in its range, \(range): add nothing", "la valeur est dans sa plage, \(range) : n'ajoutez rien")
        case .tooMuchChlorine(let share, let cubicMetres):
            let percent = language.number(100 * share, decimals: 0)
            let water = cubicMetres.map { " (\(language.volume($0)))" } ?? ""
            return language.pick(
                "it is above its range: add nothing and let the sun use it up; replacing \(percent) % of the water"
                    + "\(water) would do it at once",
                "la valeur est au-dessus de sa plage : n'ajoutez rien et laissez faire le soleil ; remplacer "
                    + "\(percent) % de l'eau\(water) suffirait aussitôt")
        case .locked(let product, _):
            return language.pick(
                "\(product.name(in: language)) was added a short time ago: let it act, then measure again",
                "ajout récent (\(product.name(in: language))) : laissez agir, puis mesurez de nouveau")
        case .mixing(let product, _):
            return language.pick(
                "\(product.name(in: language)) was added a short time ago: let the pump mix it in first, never two at once",
                "ajout récent (\(product.name(in: language))) : laissez d'abord la pompe le mélanger, jamais deux à la fois"
            )
        case .phFirst:
            return language.pick(
                "the pH comes first; measure again before adding chlorine",
                "le pH d'abord ; mesurez de nouveau avant d'ajouter du chlore")
        case .notMeasured(let quantity):
            return language.pick(
                "no device of this pool measures \(quantity.name)",
                "aucun appareil de ce bassin ne donne de mesure de \(language.name(of: quantity))")
        case .stale(let quantity, let seconds):
            let minutes = seconds.map { "\($0 / 60) min" }
            return language.pick(
                "the \(quantity.name) is \(minutes.map { "\($0) old" } ?? "of unknown age"), "
                    + "and advice needs a value of the last two hours",
                "la mesure de \(language.name(of: quantity)) \(minutes.map { "date de \($0)" } ?? "est d'âge inconnu"), "
                    + "et un conseil demande une valeur des deux dernières heures")
        case .quarantined(let quantity):
            return language.pick(
                "the newest \(quantity.name) was not plausible: look after the probe first",
                "la dernière mesure de \(language.name(of: quantity)) n'était pas plausible : vérifiez d'abord la sonde"
            )
        case .tooFew(let quantity, let count):
            return language.pick(
                "\(count) \(count == 1 ? "measurement" : "measurements") of \(quantity.name) within a day are too few: "
                    + "\(Advice.measurementCountMin) are needed",
                "mesures de \(language.name(of: quantity)) en un jour : \(count), il en faut "
                    + "\(Advice.measurementCountMin)")
        case .unsettled(let quantity, let newest, let median):
            return language.pick(
                "the newest \(quantity.name), \(number(newest, quantity)), is far from the median of the last "
                    + "\(Advice.measurementCountMin), \(number(median, quantity)): wait until they agree",
                "la dernière mesure de \(language.name(of: quantity)), \(number(newest, quantity)), est loin de la médiane "
                    + "des \(Advice.measurementCountMin) dernières, \(number(median, quantity)) : attendez qu'elles "
                    + "concordent")
        case .disagreement(let quantity, let device, let value, let other, let otherValue, let seconds):
            let (first, second) = (language.shown(value, quantity), language.shown(otherValue, quantity))
            let age = language.duration(Int64(seconds) * 1000)
            return language.pick(
                "the devices of this pool disagree: \(device) says \(first), \(other) said \(second) \(age) ago; measure by "
                    + "hand, then look after the one that is wrong",
                "les appareils de ce bassin ne concordent pas : \(device) donne \(first), \(other) donnait \(second) il y a "
                    + "\(age) ; mesurez à la main, puis vérifiez celui qui a tort")
        case .noVolume:
            return language.pick(
                "the volume of the pool is unknown: give it with `poolsensors pool edit NAME --volume`",
                "le volume du bassin est inconnu : indiquez-le avec `poolsensors pool edit NAME --volume`")
        case .stepTooGreat(let quantity, let step, let max):
            let unit = quantity.unit.isEmpty ? "" : " \(quantity.unit)"
            let (step, max) = (
                "\(language.number(step, decimals: quantity.decimals))\(unit)",
                "\(language.number(max, decimals: quantity.decimals))\(unit)"
            )
            return language.pick(
                "a step of \(step) is more than the \(max) for which there is advice: check the value by another method, "
                    + "and ask a professional",
                "un écart de \(step) dépasse la limite des conseils, \(max) : vérifiez la valeur par une autre méthode, et "
                    + "demandez à un professionnel")
        case .outsideFormula(let input, let value, let low, let high):
            let name =
                switch input {
                case .ph: language.pick("the pH", "le pH")
                case .targetPH: language.pick("the pH in the middle of its range", "le pH au milieu de sa plage")
                case .alkalinity:
                    language.pick(
                        "the total alkalinity, most of it held by cyanuric acid and borates,",
                        "l'alcalinité totale, que l'acide cyanurique et les borates retiennent pour l'essentiel,")
                }
            let range = "\(language.number(low, decimals: 1))…\(language.number(high, decimals: 1))"
            return language.pick(
                "\(name) \(language.number(value, decimals: 2)) is not in \(range), where the formula holds",
                "\(name) \(language.number(value, decimals: 2)) n'est pas dans \(range), où la formule est valable")
        }
    }
}
