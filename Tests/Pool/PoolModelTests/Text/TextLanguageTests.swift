import PoolModel
import Testing

/// Reasons and assumptions in both languages.
@Suite struct TextLanguageTests {
    private static let noon = Timestamp(milliseconds: 43_200_000)

    private static let reasons: [AdviceReason] =
        [
            .inRange(low: 7.2, high: 7.6), .tooMuchChlorine(share: 0.25, cubicMetres: 12),
            .tooMuchChlorine(share: 0.25, cubicMetres: nil), .phFirst, .notMeasured(.chlorine),
            .stale(.ph, seconds: 9000), .stale(.orp, seconds: nil), .quarantined(.temperature), .tooFew(.ph, count: 1),
            .tooFew(.ph, count: 3), .unsettled(.chlorine, newest: 3, median: 1), .noVolume,
            .disagreement(
                .chlorine, device: "Lagoon", value: 1.7, other: "Spa", otherValue: 0.4, otherSeconds: 11_000),
            .stepTooGreat(.chlorine, step: 12.5, max: 10), .outsideFormula(.ph, value: 5.5, low: 6, high: 9.5),
            .outsideFormula(.targetPH, value: 5.5, low: 6, high: 9.5),
            .outsideFormula(.alkalinity, value: 60, low: 60, high: 1000),
        ] + DoseProduct.allCases.flatMap { [.locked($0, at: noon), .mixing($0, at: noon)] }

    private static let refusals: [ForecastRefusal] = [
        .never, .noValues, .stale(seconds: 9000), .tooRecent(since: noon, hours: 8), .outside(.low), .outside(.high),
        .noValueOfYesterday, .tooFewReadings(days: 12), .tooFewReadings(days: 1),
        .unpredictable(ForecastScore(originCount: 0, error: 0, errorOfNow: 0)),
        .unpredictable(ForecastScore(originCount: 1, error: 0.1, errorOfNow: 0)),
        .unpredictable(ForecastScore(originCount: 28, error: 0.052, errorOfNow: 0.05)),
    ]

    private static let assumptions: [AdviceAssumption] = [
        .filtration, .half, .strengths, .oneProduct, .response(0.8), .turnover, .consumption, .stabilizer, .noPH,
        .closedWater, .alkalinity, .temperature, .cyanuricAcid, .borates,
    ]

    private static let texts: [(english: String, french: String)] =
        reasons.map { ($0.sentence(in: .english), $0.sentence(in: .french)) }
        + refusals.map { ($0.sentence(in: .english), $0.sentence(in: .french)) }
        + assumptions.map { ($0.sentence(in: .english), $0.sentence(in: .french)) }

    @Test func `V12, V21 no word of one language stands in a text of the other one`() {
        let words = { (text: String) in Set(text.lowercased().split { !$0.isLetter }.map(String.init)) }
        let english: Set = [
            "the", "is", "it", "of", "and", "are", "no", "than", "was", "added", "not", "as", "unknown",
        ]
        let french: Set = [
            "le", "la", "les", "est", "et", "de", "du", "il", "elle", "pas", "un", "une", "à", "en", "inconnu",
        ]
        for text in Self.texts {
            #expect(!words(text.english).isDisjoint(with: english) && words(text.english).isDisjoint(with: french))
            #expect(!words(text.french).isDisjoint(with: french) && words(text.french).isDisjoint(with: english))
        }
    }

    @Test func `both languages have the same numbers`() {
        let numbers = { (text: String) in
            text.matches(of: #/[0-9]+([.,][0-9]+)?/#).map { String($0.0).replacing(",", with: ".") }.sorted()
        }
        for text in Self.texts {
            #expect(numbers(text.english) == numbers(text.french), "\(text)")
        }
    }

    @Test func `a forecast that needs more readings says how many, without statistics`() {
        #expect("\(ForecastRefusal.tooFewReadings(days: 12))" == "Forecasts need about 12 more days of readings.")
        for refusal in Self.refusals {
            for language in TextLanguage.allCases {
                let words = refusal.sentence(in: language)
                #expect(words.hasSuffix(".") && !words.contains("×") && !words.contains("origin"), "\(words)")
            }
        }
    }

    @Test func `numbers have the sign of the language, and no text has a time, whose zone nobody knows`() {
        #expect("\(AdviceReason.inRange(low: 7.2, high: 7.6))" == "it is in its range, 7.20…7.60: add nothing")
        #expect(Self.reasons[0].sentence(in: .french) == "la valeur est dans sa plage, 7,20…7,60 : n'ajoutez rien")
        for text in Self.texts {
            #expect(!text.french.contains(#/\d\.\d/#) && !text.english.contains(#/\d,\d/#), "\(text)")
            #expect(!text.english.contains("1970") && !text.french.contains("1970"), "\(text)")
        }
    }
}
