/// Why a calibration was refused; nothing was computed or changed.
@nonexhaustive
public enum CalibrationError: Error, Hashable, Sendable {
    /// One of the numbers is not finite.
    case notFinite
    /// The number of comparisons does not fit the method.
    case pointCount(Calibration.Method, Int)
    /// The method is not suitable for the quantity.
    case methodUnsuitable(Calibration.Method, Quantity)
    /// A measured or reference value is outside the plausible range.
    case implausible(Quantity, Double)
    /// All comparisons have the same measured value, so no line goes through them.
    case measuredEqual(Quantity, Double)
    /// The references are too close together for a reliable slope; `minimum` is the least span.
    case pointsTooClose(Quantity, span: Double, minimum: Double)
    /// A slope of 0 or less: higher references measured lower, for example because buffers were swapped.
    case slopeNotPositive(Double)
    /// A slope that no probe of the quantity has.
    case slopeOutOfBounds(Quantity, Double, ClosedRange<Double>)
    /// A correction that no probe of the quantity needs, at the value where it is checked.
    case correctionOutOfBounds(Quantity, at: Double, correction: Double, limit: Double)
    /// A pH electrode outside 85…105 % of the ideal slope; accepted only with force.
    case electrodeSpent(percent: Double)
    /// The author's name has more bytes in UTF-8 than ``Calibration/authorByteCountMax``.
    case authorTooLong(byteCount: Int)

    /// Whether the same numbers are accepted with force.
    public var isForcible: Bool {
        if case .electrodeSpent = self { true } else { false }
    }
}

extension CalibrationError: CustomStringConvertible {
    /// One sentence in English: the subject, the value and what to do.
    public var description: String { sentence(in: .english) }

    /// One sentence for a person: the subject, the value and what to do.
    public func sentence(in language: TextLanguage) -> String {
        switch self {
        case .notFinite:
            language.pick(
                "A value is not a finite number: enter it again.",
                "Une valeur n'est pas un nombre fini : saisissez-la de nouveau.")
        case .pointCount(let method, let count): Self.pointCount(method, count, language)
        case .methodUnsuitable(let method, let quantity):
            language.pick(
                "The method \(method.rawValue) does not suit \(language.name(of: quantity)): use \(usual(quantity)).",
                "La méthode \(method.rawValue) ne convient pas (\(language.name(of: quantity))) : "
                    + "choisissez \(usual(quantity)).")
        case .implausible(let quantity, let value): Self.implausible(quantity, value, language)
        case .measuredEqual(let quantity, let value):
            language.pick(
                "Each comparison measured \(language.value(value, of: quantity)): take them in different solutions.",
                "Chaque comparaison a mesuré \(language.value(value, of: quantity)) : "
                    + "utilisez des solutions différentes.")
        case .pointsTooClose(let quantity, let span, let minimum):
            language.pick(
                "The references span only \(language.difference(span, of: quantity)): they must lie at least "
                    + "\(language.difference(minimum, of: quantity)) apart.",
                "Les références ne couvrent que \(language.difference(span, of: quantity)) : il faut au moins "
                    + "\(language.difference(minimum, of: quantity)) entre elles.")
        case .slopeNotPositive(let slope):
            language.pick(
                "The slope would be \(language.number(slope, decimals: 3)): were the solutions swapped? Measure again.",
                "La pente vaudrait \(language.number(slope, decimals: 3)) : les solutions ont-elles été inversées ? "
                    + "Recommencez.")
        case .slopeOutOfBounds(let quantity, let slope, let range):
            Self.slopeOutOfBounds(quantity, slope, range, language)
        case .correctionOutOfBounds(let quantity, let anchor, let correction, let limit):
            Self.correctionOutOfBounds(quantity, anchor, correction, limit, language)
        case .electrodeSpent(let percent):
            language.pick(
                "The electrode has \(language.number(percent, decimals: 1)) % of the ideal slope, outside 85…105 %: "
                    + "clean or replace it and measure fresh buffers, or force the calibration.",
                "L'électrode a \(language.number(percent, decimals: 1)) % de la pente idéale, hors de 85…105 % : "
                    + "nettoyez-la ou remplacez-la et mesurez des tampons neufs, ou forcez l'étalonnage.")
        case .authorTooLong(let count):
            language.pick(
                "The author has \(count) bytes, at most \(Calibration.authorByteCountMax) are possible: shorten it.",
                "L'auteur compte \(count) octets, \(Calibration.authorByteCountMax) au plus sont possibles : abrégez.")
        }
    }

    private func usual(_ quantity: Quantity) -> String {
        quantity.facts.calibrationMethods.map(\.rawValue).joined(separator: ", ")
    }

    private static func pointCount(
        _ method: Calibration.Method, _ count: Int, _ language: TextLanguage
    ) -> String {
        let counts = method.pointCounts
        let range = counts.count == 1 ? "\(counts.lowerBound)" : "\(counts.lowerBound)…\(counts.upperBound)"
        return language.pick(
            "The method \(method.rawValue) takes \(range) comparisons, not \(count): add or remove some.",
            "La méthode \(method.rawValue) demande \(range) comparaisons, pas \(count) : ajoutez-en ou retirez-en.")
    }

    private static func implausible(_ quantity: Quantity, _ value: Double, _ language: TextLanguage) -> String {
        let range = quantity.plausibleRange
        let low = language.number(quantity.shownValue(range.lowerBound), decimals: 0)
        let high = language.number(quantity.shownValue(range.upperBound), decimals: 0)
        return language.pick(
            "\(language.value(value, of: quantity)) is no \(language.name(of: quantity)) of water: give a value from "
                + "\(low) to \(high).",
            "\(language.value(value, of: quantity)) n'est pas plausible (\(language.name(of: quantity))) : donnez une "
                + "valeur de \(low) à \(high).")
    }

    private static func slopeOutOfBounds(
        _ quantity: Quantity, _ slope: Double, _ range: ClosedRange<Double>, _ language: TextLanguage
    ) -> String {
        language.pick(
            "The slope \(language.number(slope, decimals: 3)) for \(language.name(of: quantity)) is not in "
                + "\(range.lowerBound)…\(range.upperBound): check the references, then the probe.",
            "La pente \(language.number(slope, decimals: 3)) (\(language.name(of: quantity))) n'est pas dans "
                + "\(range.lowerBound)…\(range.upperBound) : vérifiez les références, puis la sonde.")
    }

    private static func correctionOutOfBounds(
        _ quantity: Quantity, _ anchor: Double, _ correction: Double, _ limit: Double, _ language: TextLanguage
    ) -> String {
        language.pick(
            "At \(language.value(anchor, of: quantity)) the correction would be "
                + "\(language.difference(correction, of: quantity)), more than \(language.difference(limit, of: quantity)): "
                + "check the references, then the probe.",
            "À \(language.value(anchor, of: quantity)), la correction serait de "
                + "\(language.difference(correction, of: quantity)), plus que \(language.difference(limit, of: quantity)) : "
                + "vérifiez les références, puis la sonde.")
    }
}
