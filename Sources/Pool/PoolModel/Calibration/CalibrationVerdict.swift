/// What a finished calibration says about the probe; no verdict refuses the calibration.
@nonexhaustive
public enum CalibrationVerdict: Hashable, Sendable {
    /// The condition of a pH electrode, by its slope.
    ///
    /// Source: the Corning manual's grades for pH electrodes.
    public enum SlopeGrade: String, CaseIterable, Sendable {
        /// 95…105 % of the ideal slope.
        case good
        /// 90 % up to 95 %: clean the electrode.
        case clean
        /// 85 % up to 90 %: full maintenance.
        case maintain
        /// Below 85 % or above 105 %: accepted only with force.
        case reject

        /// The grade for a slope in percent of the ideal one; a slope on a boundary gets the better grade.
        public init(percent: Double) {
            // A measurement in whole percent must not depend on the last bit of a division.
            let rounded = (percent * 1e9).rounded() / 1e9
            self =
                switch rounded {
                case 95...105: .good
                case 90..<95: .clean
                case 85..<90: .maintain
                default: .reject
                }
        }
    }

    /// The deviation of a redox probe.
    public enum RedoxGrade: String, CaseIterable, Sendable {
        /// Within ±25 mV, the usual spread of probes: better not corrected.
        case normal
        /// More than 25 and at most 60 mV.
        case watch
        /// More than 60 mV: clean or replace the probe.
        case replace
    }

    /// The slope of a pH electrode, in percent of the ideal one.
    case electrodeSlope(percent: Double, SlopeGrade)
    /// The potential of a pH electrode at pH 7, in millivolts at 25 °C; good within ±30 mV.
    case electrodeOffset(millivolts: Double, isGood: Bool)
    /// The correction of a redox probe, in millivolts.
    case redoxOffset(millivolts: Double, RedoxGrade)
    /// The references are closer together than recommended, so the slope is weak.
    case weak(Quantity, span: Double, recommended: Double)
    /// A redox probe got a slope; it should be compared at one point only.
    case redoxSlope
    /// The points are far from the regression line; with the explained share and the largest residual.
    case poorFit(Quantity, rSquared: Double, worstResidual: Double)

    /// Whether nothing needs to be done.
    public var isGood: Bool {
        switch self {
        case .electrodeSlope(_, let grade): grade == .good
        case .electrodeOffset(_, let isGood): isGood
        case .redoxOffset(_, let grade): grade == .normal
        case .weak, .redoxSlope, .poorFit: false
        }
    }

    /// One sentence for a person.
    public func sentence(in language: TextLanguage) -> String {
        switch self {
        case .electrodeSlope(let percent, let grade): Self.slope(language.number(percent, decimals: 1), grade, language)
        case .electrodeOffset(let millivolts, let isGood):
            language.pick(
                "In pH 7 the electrode is \(language.number(millivolts, decimals: 0)) mV off: "
                    + (isGood ? "good." : "more than 30 mV, clean it or replace it."),
                "À pH 7, l'électrode s'écarte de \(language.number(millivolts, decimals: 0)) mV : "
                    + (isGood ? "bon." : "plus de 30 mV, nettoyez-la ou remplacez-la."))
        case .redoxOffset(let millivolts, let grade):
            Self.redox(language.number(millivolts, decimals: 0), grade, language)
        case .weak(let quantity, let span, let recommended):
            language.pick(
                "WEAK: the references span \(language.difference(span, of: quantity)), at least "
                    + "\(language.difference(recommended, of: quantity)) is better.",
                "FAIBLE : les références couvrent \(language.difference(span, of: quantity)), "
                    + "\(language.difference(recommended, of: quantity)) au moins vaudrait mieux.")
        case .redoxSlope:
            language.pick(
                "A redox probe is usually compared at one point: a slope adds error more often than it removes any.",
                "Le potentiel redox se compare d'ordinaire en un seul point : une pente ajoute de l'erreur plus souvent "
                    + "qu'elle n'en retire.")
        case .poorFit(let quantity, let rSquared, let worst):
            language.pick(
                "The line fits poorly (R² \(language.number(rSquared, decimals: 4)), worst residual "
                    + "\(language.difference(worst, of: quantity))): look for the comparison that is wrong.",
                "La droite s'ajuste mal (R² \(language.number(rSquared, decimals: 4)), pire résidu "
                    + "\(language.difference(worst, of: quantity))) : cherchez la comparaison fautive.")
        }
    }

    private static func slope(_ percent: String, _ grade: SlopeGrade, _ language: TextLanguage) -> String {
        let advice =
            switch grade {
            case .good: language.pick("good", "bonne")
            case .clean: language.pick("clean the electrode", "nettoyez l'électrode")
            case .maintain: language.pick("give it full maintenance", "entretien complet nécessaire")
            case .reject: language.pick("the electrode is not fit for use", "l'électrode n'est plus utilisable")
            }
        return language.pick(
            "The electrode has \(percent) % of the ideal slope: \(advice).",
            "L'électrode a \(percent) % de la pente idéale : \(advice).")
    }

    private static func redox(_ millivolts: String, _ grade: RedoxGrade, _ language: TextLanguage) -> String {
        let advice =
            switch grade {
            case .normal:
                language.pick("within the ±25 mV in which probes differ", "dans les ±25 mV où les sondes diffèrent")
            case .watch: language.pick("compare it again soon", "comparez de nouveau bientôt")
            case .replace: language.pick("clean the probe or replace it", "nettoyez la sonde ou remplacez-la")
            }
        return language.pick(
            "The correction is \(millivolts) mV: \(advice).", "Correction de \(millivolts) mV : \(advice).")
    }
}
