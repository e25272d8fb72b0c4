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
    /// The volume of the pool is unknown.
    case noVolume
    /// The step is greater than there is advice for.
    case stepTooGreat(Quantity, step: Double, max: Double)
    /// A value is outside the range of the formulas; which one, and the range.
    case outsideFormula(String, value: Double, low: Double, high: Double)
}

extension AdviceReason: CustomStringConvertible {
    /// The reason in words, with what to do about it.
    public var description: String {
        let english = GuideLanguage.english
        func number(_ value: Double, _ quantity: Quantity) -> String {
            english.number(value, decimals: quantity.decimals)
        }
        switch self {
        case .inRange(let low, let high):
            return
                "it is in its range, \(english.number(low, decimals: 2))…\(english.number(high, decimals: 2)): add nothing"
        case .tooMuchChlorine(let share, let cubicMetres):
            let water = cubicMetres.map { " (\(english.number($0, decimals: 1)) m³)" } ?? ""
            return "it is above its range: add nothing and let the sun use it up; replacing "
                + "\(english.number(100 * share, decimals: 0)) % of the water\(water) would do it at once"
        case .locked(let product, let moment):
            return "\(product.name) was added at \(moment.iso8601): let it act, then measure again"
        case .mixing(let product, let moment):
            return "\(product.name) was added at \(moment.iso8601): let the pump mix it in first, never two at once"
        case .phFirst: return "the pH comes first; measure again before adding chlorine"
        case .notMeasured(let quantity): return "no device of this pool measures \(quantity.name)"
        case .stale(let quantity, let seconds):
            let age = seconds.map { "\($0 / 60) min old" } ?? "of unknown age"
            return "the \(quantity.name) is \(age), and advice needs a value of the last two hours"
        case .quarantined(let quantity):
            return "the newest \(quantity.name) was not plausible: look after the probe first"
        case .tooFew(let quantity, let count):
            return
                "\(count) \(count == 1 ? "measurement" : "measurements") of \(quantity.name) within a day are too few: "
                + "\(Advice.measurementCountMin) are needed"
        case .unsettled(let quantity, let newest, let median):
            return "the newest \(quantity.name), \(number(newest, quantity)), is far from the median of the last "
                + "\(Advice.measurementCountMin), \(number(median, quantity)): wait until they agree"
        case .noVolume: return "the volume of the pool is unknown: give it with `poolsensors pool edit NAME --volume`"
        case .stepTooGreat(let quantity, let step, let max):
            let unit = quantity.unit.isEmpty ? "" : " \(quantity.unit)"
            return
                "a step of \(number(step, quantity))\(unit) is more than the \(number(max, quantity))\(unit) for which there "
                + "is advice: check the value by another method, and ask a professional"
        case .outsideFormula(let name, let value, let low, let high):
            return "the \(name) \(english.number(value, decimals: 2)) is not in \(english.number(low, decimals: 1))…"
                + "\(english.number(high, decimals: 1)), where the formula holds"
        }
    }
}
