import PoolSamples
import Testing

@testable import PoolModel

/// Every notice in every language.
@Suite struct NoticeLanguageTests {
    /// Notices of every key, kind and severity, with values everywhere around the limits, and with all that a notice may
    /// lack.
    private static let notices: [AlertNotice] = keys.flatMap { key in
        AlertNotice.Kind.allCases.flatMap { kind in
            AlertSeverity.allCases.flatMap { severity in
                details(of: key).map { detail in
                    var notice = AlertNotice(
                        id: "1", episodeID: AlertEpisodeID(high: 1, low: 2), key: key, kind: kind, severity: severity,
                        name: "Pool-Äöß", since: noon, at: noon.advanced(byMilliseconds: 3_900_000), repeats: 0)
                    detail(&notice)
                    notice.text = ""
                    return notice
                }
            }
        }
    }

    private static let keys: [AlertKey] =
        Quantity.allCases.flatMap { quantity in
            [
                .value(lagoon.id, quantity, .low), .value(lagoon.id, quantity, .high), .missing(lagoon.id, quantity),
                .fault(lagoon.id, quantity),
            ]
        } + [.missing(lagoon.id, nil), .fault(lagoon.id, nil), .connection(home.id), .hub(.storage), .test]

    private static func details(of key: AlertKey) -> [(inout AlertNotice) -> Void] {
        guard let quantity = key.quantity, let side = key.side else {
            let faults = ProbeFault.allCases.map { fault in
                { (notice: inout AlertNotice) in notice.detail = fault.record(of: 14) }
            }
            return [
                { _ in }, { $0.reason = .silent }, { $0.reason = .unavailable }, { $0.reason = .refused },
                { $0.detail = "full" },
            ] + faults
        }
        let limits = quantity.facts.limits
        let sign = side == .high ? 1.0 : -1
        let normal = side == .high ? limits.high : limits.low
        let band = quantity.facts.hysteresis
        let values = [
            side == .high ? limits.criticalHigh + 1 : limits.criticalLow - 1, normal + sign * 1.25 * band,
            normal + sign * band / 1e6, normal - sign * band / 2, normal - sign * band, normal - sign * 2 * band,
            side == .high ? limits.low - band : limits.high + band,
        ]
        let known = values.map { value in
            { (notice: inout AlertNotice) in
                notice.value = value
                notice.limit =
                    notice.severity == .warning ? normal : side == .high ? limits.criticalHigh : limits.criticalLow
                notice.normal = normal
                notice.release = normal - sign * band
                notice.opposite = side == .high ? limits.low : limits.high
            }
        }
        let before = { (notice: inout AlertNotice) in
            known[3](&notice)
            (notice.normal, notice.release, notice.opposite) = (nil, nil, nil)
        }
        let past = { (notice: inout AlertNotice) in
            known[0](&notice)
            notice.until = noon.advanced(byMilliseconds: 600_000)
        }
        let sudden = { (notice: inout AlertNotice) in
            known[0](&notice)
            notice.until = noon
        }
        return known + [{ _ in }, before, past, sudden]
    }

    private static let facts = Set(notices.flatMap { $0.parts.map(\.fact) })

    @Test func `every language says the same facts, in the same order`() {
        #expect(Self.notices.count > 500)
        for notice in Self.notices {
            for language in TextLanguage.allCases {
                var rest = language.sentence(notice.parts)[...]
                for part in notice.parts {
                    let words = language.words(for: part.fact)
                    guard !words.isEmpty, let place = rest.firstRange(of: words) else {
                        Issue.record("\(language.rawValue) says nothing of \(part.fact): \(rest)")
                        break
                    }
                    rest = rest[place.upperBound...]
                }
                #expect(rest.count <= 1, "words of no part: \(rest)")
            }
        }
    }

    @Test func `no language says two facts with the same words`() {
        for language in TextLanguage.allCases {
            let texts = Dictionary(grouping: Self.facts) { language.words(for: $0) }
            for (text, facts) in texts where facts.count > 1 {
                // Two numbers may look the same after rounding; all else must differ.
                let kinds = Set(facts.map { "\($0)".prefix { $0 != "(" } })
                #expect(kinds.count == 1 && Set(facts.map { Self.sides(in: $0) }).count == 1, "\(text): \(facts)")
            }
        }
    }

    /// What of a fact no rounding changes.
    private static func sides(in fact: NoticePart.Fact) -> String {
        switch fact {
        case .exceeds(let quantity, _, let side, let severity, _): "\(quantity) \(side) \(severity)"
        case .beforeRelease(let quantity, let side, _), .insideLimit(let quantity, let side, _): "\(quantity) \(side)"
        case .crossed(let quantity, _, let side): "\(quantity) \(side)"
        case .action(let action): "\(action)"
        default: ""
        }
    }

    @Test func `every language has the same numbers and names`() {
        for fact in Self.facts {
            let numbers = TextLanguage.allCases.map { Self.numbers(in: $0.words(for: fact)) }
            #expect(Set(numbers).count == 1, "\(fact): \(numbers)")
        }
        for notice in Self.notices where notice.key != .test {
            for language in TextLanguage.allCases {
                #expect(notice.sentence(in: language).hasPrefix("Pool-Äöß"))
            }
        }
    }

    /// The numbers of a text, in order, with a decimal point.
    private static func numbers(in text: String) -> [String] {
        text.matches(of: #/[0-9]+([.,][0-9]+)?/#).map { String($0.0).replacing(",", with: ".") }
    }

    @Test func `what is dangerous is said in every language`() {
        let danger = Self.notices.filter {
            $0.severity == .critical && $0.key.condition == .value && $0.kind != .recovered && $0.until == nil
                && $0.key.isDangerous
        }
        #expect(danger.count > 100)
        for notice in danger {
            #expect(notice.sentence(in: .english).contains("keep people out of the water"))
            #expect(notice.sentence(in: .french).contains("personne ne doit entrer dans l'eau"))
        }
    }

    @Test func `nobody is told to keep out of the water for cold, salt, or the battery of a probe`() {
        let harmless = Self.notices.filter { $0.key.condition == .value && !$0.key.isDangerous }
        #expect(Set(harmless.compactMap(\.key.quantity)) == [.temperature, .salinity, .conductivity, .battery])
        for notice in harmless { #expect(!notice.sentence(in: .english).contains("keep people out")) }
    }

    @Test func `the sentence says what, how far, since when and what to do`() {
        func sentences(_ change: (inout AlertNotice) -> Void) -> [String] {
            var notice = AlertNotice(
                id: "1", episodeID: AlertEpisodeID(high: 1, low: 2), key: .value(lagoon.id, .ph, .high), kind: .raised,
                severity: .warning, name: "Lagoon", value: 7.72, limit: 7.6, normal: 7.6, release: 7.55, opposite: 6.8,
                since: noon, at: noon.advanced(byMilliseconds: 3_900_000), repeats: 0)
            change(&notice)
            notice.text = ""
            return TextLanguage.allCases.map { notice.sentence(in: $0) }
        }
        #expect(
            sentences { _ in } == [
                "Lagoon: pH 7.72, 0.12 above the limit of 7.60, for 1 h 5 min; measure by hand, then lower the pH.",
                "Lagoon : pH 7,72, 0,12 au-dessus de la limite de 7,60, depuis 1 h 5 min ; mesurez à la main, puis baissez le "
                    + "pH.",
            ])
        #expect(
            sentences {
                $0.kind = .repeated
                $0.severity = .critical
                $0.value = 8.001
                $0.limit = 8
            } == [
                "Lagoon: still pH 8.00, less than 0.01 above the critical limit of 8.00, for 1 h 5 min; keep people out of the "
                    + "water; measure by hand, then lower the pH.",
                "Lagoon : toujours pH 8,00, moins de 0,01 au-dessus de la limite critique de 8,00, depuis 1 h 5 min ; personne "
                    + "ne doit entrer dans l'eau ; mesurez à la main, puis baissez le pH.",
            ])
        // Inside the dead band it says what is, and advises nothing that is not needed.
        #expect(
            sentences { $0.value = 7.58 } == [
                "Lagoon: pH 7.58, still above its release at 7.55, for 1 h 5 min.",
                "Lagoon : pH 7,58, encore au-dessus du seuil de fin d'alerte, 7,55, depuis 1 h 5 min.",
            ])
        #expect(
            sentences { $0.value = 7.5 }[0]
                == "Lagoon: pH 7.50, in its range again, not confirmed yet, for 1 h 5 min.")
        // A critical alert below its critical limit is above the other one.
        #expect(
            sentences {
                $0.severity = .critical
                $0.limit = 8
            }[0].hasPrefix("Lagoon: pH 7.72, 0.12 above the limit of 7.60"))
        #expect(
            sentences {
                $0.kind = .recovered
                $0.value = 7.4
            }[0] == "Lagoon: pH is back within its limits at 7.40, after 1 h 5 min.")
        // From one side to the other: nothing is back within its limits.
        #expect(
            sentences {
                $0.kind = .recovered
                $0.value = 6.2
            } == [
                "Lagoon: pH is no longer too high, but at 6.20 it is too low, after 1 h 5 min.",
                "Lagoon : pH n'est plus trop haut, mais trop bas à 6,20, après 1 h 5 min.",
            ])
    }

    @Test(arguments: [
        AlertKey.value(lagoon.id, .ph, .high), .missing(lagoon.id, nil), .fault(lagoon.id, .ph), .connection(home.id),
        .hub(.storage),
    ])
    func `nothing is said to last, or to have lasted, for no time`(key: AlertKey) {
        for kind in [AlertNotice.Kind.raised, .recovered] {
            func sentence(_ milliseconds: Int64) -> String {
                AlertNotice(
                    id: "1", episodeID: AlertEpisodeID(high: 1, low: 2), key: key, kind: kind, severity: .warning,
                    name: "Lagoon", value: 7.7, limit: 7.6, reason: .silent, since: noon,
                    at: noon.advanced(byMilliseconds: milliseconds), repeats: 0
                ).text
            }
            #expect(!sentence(999).contains("0 s") && !sentence(-5).contains("0 s"))
            #expect(sentence(1000).contains("1 s"))
        }
    }

    @Test func `a notice of before is in French, too, with all that it has`() throws {
        let json = #"""
            {"at":3900000,"episodeID":"00000000-0000-0001-0000-000000000002","id":"1","key":"value/KEY/chlorine/low","kind":"raised","limit":0.5,"name":"Lagoon","repeats":0,"severity":"critical","since":0,"text":"An old sentence.","value":0.4}
            """#
        let notice = try CanonicalJSON.decode(
            AlertNotice.self, from: Array(json.replacing("KEY", with: "\(lagoon.id)").utf8))
        #expect(notice.sentence(in: .english) == "An old sentence.")
        #expect(
            notice.sentence(in: .french)
                == "Lagoon : Chlore 0,40 mg/L, 0,10 mg/L en dessous de la limite critique de 0,50 mg/L, depuis 1 h 5 min ; "
                + "personne ne doit entrer dans l'eau ; mesurez à la main, puis ajoutez du chlore.")
    }

    // MARK: - Open alerts

    private func alert(_ value: Double, _ severity: AlertSeverity = .warning) -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 2), key: .value(lagoon.id, .ph, .high), name: "Lagoon",
            severity: severity, since: noon, value: value, limit: severity == .warning ? 7.6 : 8, normal: 7.6,
            release: 7.55, isAcknowledged: false)
    }

    @Test func `a summary says what is, in both languages`() {
        let summaries = [alert(7.7), alert(7.58), alert(7.5), alert(7.7, .critical), alert(7.58, .critical)].map {
            alert in TextLanguage.allCases.map { alert.namedPhrase(in: $0) }
        }
        #expect(
            summaries == [
                ["Lagoon pH 7.70 too high", "Lagoon pH 7,70 trop haut"],
                [
                    "Lagoon pH 7.58, still above its release at 7.55",
                    "Lagoon pH 7,58, encore au-dessus du seuil de fin d'alerte, 7,55",
                ],
                [
                    "Lagoon pH 7.50, in its range again, not confirmed yet",
                    "Lagoon pH 7,50, de nouveau dans sa plage, pas encore confirmé",
                ],
                ["Lagoon pH 7.70 too high", "Lagoon pH 7,70 trop haut"],
                [
                    "Lagoon pH 7.58, still above its release at 7.55",
                    "Lagoon pH 7,58, encore au-dessus du seuil de fin d'alerte, 7,55",
                ],
            ])
        #expect(alert(7.58).isInDeadBand && alert(7.5).isInDeadBand && !alert(7.7, .critical).isInDeadBand)
    }

    @Test func `an alert about an old value tells what was`() {
        var old = alert(8.4, .critical)
        old.measuredAt = noon
        #expect(old.summary == "Lagoon pH was critical: 8.40 too high")
        #expect(old.phrase(in: .english, age: "3 h") == "pH was critical 3 h ago: 8.40 too high")
        #expect(old.phrase(in: .french, age: "3 h") == "pH : critique il y a 3 h, 8,40 trop haut")
    }
}

extension AlertKey {
    /// Whether it is about a value that is a danger to people when it is critical.
    fileprivate var isDangerous: Bool {
        guard let quantity, let side else { return false }
        return [.ph, .chlorine, .orp].contains(quantity) || (quantity, side) == (.temperature, .high)
    }
}
