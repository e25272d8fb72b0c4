import PoolSamples
import Primitives
import TestSupport
import Testing

@testable import PoolModel

/// What a household reads first, situation by situation.
@Suite(.longWork) struct PoolAssessmentTests {
    private typealias Scene = AssessmentScene
    private typealias Probe = AssessmentScene.Probe

    /// A situation, and its sentence in both languages.
    private struct Row {
        var situation: String
        var scene: AssessmentScene
        var english: String
        var french: String

        init(_ situation: String, _ scene: AssessmentScene, _ english: String, _ french: String) {
            self.situation = situation
            self.scene = scene
            self.english = english
            self.french = french
        }
    }

    private static let second = Probe(id: spa.id, name: "Deck")
    private static let strict = Limits(criticalLow: 600, low: 650, high: 800, criticalHigh: 900)

    private static let good: [Row] = [
        Row("all is good", .scene(), "You can swim.", "Vous pouvez vous baigner."),
        Row(
            "ORP in place of chlorine", .water([.chlorine: nil, .orp: 720]), "You can swim.",
            "Vous pouvez vous baigner."),
        Row("no temperature at all", .water([.temperature: nil]), "You can swim.", "Vous pouvez vous baigner."),
        Row(
            "a device without a pool", .scene { ($0.pool, $0.care) = (nil, nil) }, "You can swim.",
            "Vous pouvez vous baigner."),
        Row(
            "pH and chlorine by two devices",
            .scene {
                $0.probes = [
                    Probe().with([.chlorine: nil]), Self.second.with([.ph: nil, .temperature: nil]),
                ]
            }, "You can swim.", "Vous pouvez vous baigner."),
        Row(
            "two devices that agree",
            .scene { $0.probes.append(Self.second.with([.ph: 7.4, .chlorine: 1.8])) }, "You can swim.",
            "Vous pouvez vous baigner."),
        Row(
            "cold water", .water([.temperature: 18]), "You can swim; the water is cold, 18.0 °C.",
            "Vous pouvez vous baigner ; l'eau est froide, 18,0 °C."),
        Row(
            "warm water", .water([.temperature: 31.2]), "You can swim; the water is warm, 31.2 °C.",
            "Vous pouvez vous baigner ; l'eau est chaude, 31,2 °C."),
        Row(
            "salt and a battery, both old",
            .scene { $0.probes[0] = $0.probes[0].with([.salinity: 3.2, .battery: 80], age: 90_000) }, "You can swim.",
            "Vous pouvez vous baigner."),
        Row(
            "a battery that is nearly empty", .water([.battery: 8]), "You can swim; battery 8 % is too low.",
            "Vous pouvez vous baigner ; batterie 8 % : trop basse."),
        Row(
            "chlorine was added 13 h ago", .scene { $0.dose(.dichlor, hoursAgo: 13) }, "You can swim.",
            "Vous pouvez vous baigner."),
        Row(
            "a slow probe, one hour old",
            .scene {
                $0.probes[0] = $0.probes[0].aged(3600)
                $0.probes[0].interval = 3600
            }, "You can swim.",
            "Vous pouvez vous baigner."),
        Row(
            "a test alert is open", .scene { $0.alert(.test, .critical) }, "You can swim.", "Vous pouvez vous baigner."),
    ]

    private static let dangerous: [Row] = [
        Row(
            "hardly any chlorine", .water([.chlorine: 0.2]), "Do not swim: chlorine 0.20 mg/L.",
            "Ne vous baignez pas : chlore 0,20 mg/L."),
        Row(
            "shock chlorination", .water([.chlorine: 9]), "Do not swim: chlorine 9.00 mg/L.",
            "Ne vous baignez pas : chlore 9,00 mg/L."),
        Row(
            "acid water", .water([.ph: 6.2]), "Do not swim: pH 6.20.", "Ne vous baignez pas : pH 6,20."),
        Row(
            "two values at once", .water([.ph: 8.4, .chlorine: 0.1]),
            "Do not swim: pH 8.40, chlorine 0.10 mg/L.", "Ne vous baignez pas : pH 8,40, chlore 0,10 mg/L."),
        Row(
            "low ORP beside good chlorine", .water([.orp: 420]), "Do not swim: ORP 420 mV.",
            "Ne vous baignez pas : redox 420 mV."),
        Row(
            "hot water", .water([.temperature: 37]), "Do not swim: temperature 37.0 °C.",
            "Ne vous baignez pas : température 37,0 °C."),
        Row(
            "one of two devices says so",
            .scene { $0.probes.append(Self.second.with([.chlorine: 0.3])) }, "Do not swim: chlorine 0.30 mg/L.",
            "Ne vous baignez pas : chlore 0,30 mg/L."),
        Row(
            "a critical value, and a dose that could help",
            .scene {
                $0 = .water([.chlorine: 0.2])
                $0.advise(.dichlor, 150)
            },
            "Do not swim: chlorine 0.20 mg/L.", "Ne vous baignez pas : chlore 0,20 mg/L."),
        Row(
            "back inside, but the critical alert goes on",
            .scene {
                $0 = .water([.chlorine: 1.05])
                $0.alert(.value(lagoon.id, .chlorine, .low), .critical)
            },
            "Do not swim yet: chlorine 1.05 mg/L, not steady yet.",
            "Ne vous baignez pas encore : chlore 1,05 mg/L, pas encore stable."),
        Row(
            "a critical value, and no link any more",
            .scene {
                $0 = .water([.chlorine: 0.2])
                $0.link = .lost(seconds: 50)
            },
            "Do not swim: chlorine 0.20 mg/L.", "Ne vous baignez pas : chlore 0,20 mg/L."),
        Row(
            "it was critical when the probe fell silent", .water([.ph: 8.6], age: 10_900),
            "Do not swim: pH was 8.60 3 h ago.", "Ne vous baignez pas : pH 8,60 il y a 3 h."),
        Row(
            "a critical value of unknown age", .water([.chlorine: 0.1], age: nil),
            "Do not swim: last known chlorine 0.10 mg/L.",
            "Ne vous baignez pas : dernière mesure connue, chlore 0,10 mg/L."),
        Row(
            "more critical alerts than are listed",
            .scene { scene in
                for index in 0..<32 { scene.alert(.missing(DeviceID(high: 5, low: UInt64(index)), nil), .critical) }
                scene.alerts = scene.alerts.map { alert in
                    var alert = alert
                    alert.since = noon.advanced(byMilliseconds: 1000)
                    return alert
                }
                scene.alert(.missing(lagoon.id, .orp), .critical)
            }, "Do not swim: look at the alerts.", "Ne vous baignez pas : consultez les alertes."),
    ]

    private static let toDo: [Row] = [
        Row(
            "pH a little high, with advice",
            .scene {
                $0 = .water([.ph: 7.8])
                $0.advise(.sodiumBisulfate, 712, 1200)
            },
            "Add 710 g of pH minus to Garden, then measure.", "Ajoutez 710 g de pH moins dans Garden, puis mesurez."),
        Row(
            "pH a little low, with advice",
            .scene {
                $0 = .water([.ph: 6.7])
                $0.advise(.sodiumCarbonate, 95)
            },
            "Add 95 g of pH plus to Garden, then measure.", "Ajoutez 95 g de pH plus dans Garden, puis mesurez."),
        Row(
            "an acid by volume",
            .scene {
                $0 = .water([.ph: 7.8])
                $0.advise(.hydrochloricAcid, 1290)
            },
            "Add 1.2 L of hydrochloric acid to Garden, then measure.",
            "Ajoutez 1,2 L d'acide chlorhydrique dans Garden, puis mesurez."),
        Row(
            "chlorine a little low, with advice",
            .scene {
                $0 = .water([.chlorine: 0.8])
                $0.advise(.calciumHypochlorite, 84)
            },
            "Add 84 g of calcium hypochlorite to Garden, then measure.",
            "Ajoutez 84 g d'hypochlorite de calcium dans Garden, puis mesurez."),
        Row(
            "the advice is for a quantity that is good again",
            .scene {
                $0 = .water([.chlorine: 0.8])
                $0.advise(.sodiumBisulfate, 700)
            },
            "Chlorine 0.80 mg/L is too low.", "Chlore 0,80 mg/L : trop bas."),
        Row("pH a little high, no advice", .water([.ph: 7.8]), "pH 7.80 is too high.", "pH 7,80 : trop haut."),
        Row(
            "pH and chlorine out of their ranges, no advice", .water([.ph: 7.8, .chlorine: 0.8]),
            "pH 7.80 is too high, chlorine 0.80 mg/L is too low.", "pH 7,80 : trop haut, chlore 0,80 mg/L : trop bas."),
        Row(
            "chlorine a little high", .water([.chlorine: 3.4]), "Chlorine 3.40 mg/L is too high.",
            "Chlore 3,40 mg/L : trop haut."),
        Row("ORP a little low", .water([.orp: 580]), "ORP 580 mV is too low.", "Redox 580 mV : trop bas."),
        Row(
            "very cold water", .water([.temperature: 11]), "The water is cold, 11.0 °C.",
            "L'eau est froide, 11,0 °C."),
        Row(
            "a dose acts on a value that is still outside",
            .scene {
                $0 = .water([.ph: 7.8])
                $0.dose(.sodiumBisulfate, hoursAgo: 7)
                $0.advise(.sodiumBisulfate, 700)
            },
            "Wait 5 h, then measure: pH minus was added.", "Attendez 5 h, puis mesurez : ajout récent (pH moins)."),
        Row(
            "chlorine was just added", .scene { $0.dose(.sodiumHypochlorite, hoursAgo: 0) },
            "Wait 12 h before you swim: sodium hypochlorite was added.",
            "Attendez 12 h avant de vous baigner : ajout récent (hypochlorite de sodium)."),
        Row(
            "pH minus acts for another half hour", .scene { $0.dose(.sodiumBisulfate, hoursAgo: 11.5) },
            "Wait 30 min before you swim: pH minus was added.",
            "Attendez 30 min avant de vous baigner : ajout récent (pH moins)."),
        Row(
            "an unknown product was added 2 h ago", .scene { $0.dose(.other, hoursAgo: 2) },
            "Wait 4 h before you swim: another product was added.",
            "Attendez 4 h avant de vous baigner : ajout récent (autre produit)."),
        Row(
            "back inside, but the warning goes on",
            .scene {
                $0 = .water([.ph: 7.58])
                $0.alert(.value(lagoon.id, .ph, .high))
            },
            "pH 7.58 is only just back in its range.", "pH 7,58 : tout juste de retour dans sa plage."),
    ]

    private static let doubtful: [Row] = [
        Row(
            "a faulty pH probe", .scene { $0.alert(.fault(lagoon.id, .ph)) },
            "The pH probe gives impossible values: check it.",
            "La sonde de pH donne des valeurs impossibles : vérifiez-la."),
        Row(
            "a faulty thermometer", .scene { $0.alert(.fault(lagoon.id, .temperature)) },
            "The temperature probe gives impossible values: check it.",
            "La sonde de température donne des valeurs impossibles : vérifiez-la."),
        Row(
            "payloads that make no sense", .scene { $0.alert(.fault(lagoon.id, nil)) },
            "The probe's messages cannot be read.", "Les messages de la sonde sont illisibles."),
        Row(
            "an impossible value, and no alert yet", .scene { $0.care?.doubts[.chlorine] = .faulty },
            "The chlorine probe gives impossible values: check it.",
            "La sonde de chlore donne des valeurs impossibles : vérifiez-la."),
        Row(
            "two devices disagree on pH",
            .scene {
                $0.probes.append(Self.second.with([.ph: 7.0]))
                $0.probes[0] = Probe().with([.ph: 7.5])
            },
            "The probes disagree on pH: measure by hand.",
            "Les sondes ne concordent pas (pH) : mesurez à la main."),
        Row(
            "two devices disagree by a little, on both sides of a limit",
            .scene {
                $0.probes = [Probe().with([.ph: 7.55]), Self.second.with([.ph: 7.65])]
                $0.advise(.sodiumBisulfate, 700)
            }, "The probes disagree on pH: measure by hand.",
            "Les sondes ne concordent pas (pH) : mesurez à la main."),
        Row(
            "the advice has found a contradiction of yesterday",
            .scene { $0.care?.doubts[.chlorine] = .disagreement },
            "The probes disagree on chlorine: measure by hand.",
            "Les sondes ne concordent pas (chlore) : mesurez à la main."),
        Row(
            "the newest chlorine is far from those before", .scene { $0.care?.doubts[.chlorine] = .unsettled },
            "The chlorine is not steady: wait, then look again.",
            "Le chlore n'est pas stable : attendez, puis regardez de nouveau."),
    ]

    private static let unknown: [Row] = [
        Row(
            "only the temperature is measured", .water([.ph: nil, .chlorine: nil]),
            "pH and chlorine are not measured.", "Le pH et le chlore ne sont pas mesurés."),
        Row(
            "no disinfection is measured", .water([.chlorine: nil]), "Chlorine is not measured.",
            "Le chlore n'est pas mesuré."),
        Row("no pH is measured", .water([.ph: nil]), "pH is not measured.", "Le pH n'est pas mesuré."),
        Row(
            "the pool has limits for ORP, which nothing measures", .scene { $0.poolLimits[.orp] = Self.strict },
            "ORP is not measured.", "Le redox n'est pas mesuré."),
        Row(
            "the device has limits for temperature, which it does not measure",
            .scene {
                $0 = .water([.temperature: nil])
                $0.probes[0].limits[.temperature] = Quantity.temperature.facts.limits
            }, "Temperature is not measured.", "La température n'est pas mesurée."),
        Row(
            "the chlorine should come and never came",
            .scene {
                $0 = .water([.chlorine: nil, .orp: 720])
                $0.probes[0].awaited = [.chlorine]
            },
            "No usable chlorine has come yet.", "Aucune valeur utilisable reçue (chlore)."),
        Row(
            "the pH is old", .scene { $0.probes[0] = $0.probes[0].aged(10_900, .ph) }, "The pH is 3 h old.",
            "Le pH date de 3 h."),
        Row(
            "the temperature is old", .scene { $0.probes[0] = $0.probes[0].aged(400, .temperature) },
            "The temperature is 6 min old.", "La température date de 6 min."),
        Row(
            "the chlorine has no age", .scene { $0.probes[0] = $0.probes[0].aged(nil, .chlorine) },
            "The age of the chlorine is unknown.", "L'âge de la dernière mesure est inconnu (chlore)."),
        Row(
            "a very slow probe, 2 h 30 min old",
            .scene {
                $0.probes[0] = $0.probes[0].aged(9000)
                $0.probes[0].interval = 14_400
            }, "The temperature is 2 h old.",
            "La température date de 2 h."),
        Row(
            "the probe is silent", .scene { $0.probes[0] = $0.probes[0].aged(10_900) },
            "The probe has been silent for 3 h.", "La sonde est silencieuse depuis 3 h."),
        Row(
            "the probe was silent in winter", .scene { $0.probes[0] = $0.probes[0].aged(5_300_000) },
            "The probe has been silent for 61 days.", "La sonde est silencieuse depuis 61 jours."),
        Row(
            "two probes are silent",
            .scene { $0.probes = [Probe().aged(500), Self.second.aged(900)] }, "The probes have been silent for 8 min.",
            "Les sondes sont silencieuses depuis 8 min."),
        Row(
            "the device says that it is offline", .scene { $0.probes[0].isAbsent = true },
            "The probe has been silent for less than 1 min.", "La sonde est silencieuse depuis moins de 1 min."),
        Row(
            "all values are replays of a broker", .scene { $0.probes[0] = $0.probes[0].aged(nil) },
            "The age of the readings is unknown.", "L'âge des mesures est inconnu."),
        Row(
            "nothing ever came", .scene { $0.probes[0].values = [:] }, "No reading has come yet.",
            "Aucune mesure reçue."),
        Row(
            "there is no device", .scene { $0.probes = [] }, "No probe is set up yet.", "Aucune sonde n'est configurée."
        ),
        Row(
            "a quantity is missing, with an alert", .scene { $0.alert(.missing(lagoon.id, .orp)) },
            "Lagoon ORP missing.",
            "Lagoon Redox : aucune valeur."),
        Row(
            "an alert about an old value that another device measures now",
            .scene {
                $0.probes = [Probe().aged(400, .ph), Self.second]
                $0.alert(.value(lagoon.id, .ph, .high))
            }, "Lagoon pH was warning: too high.", "Lagoon pH : attention alors, trop haut."),
        Row(
            "the broker is away, the values are still fresh", .scene { $0.alert(.connection(home.id)) },
            "The connection to the probe's server is lost.", "La connexion au serveur de la sonde est perdue."),
        Row(
            "the hub cannot store", .scene { $0.alert(.hub(.storage), .critical) }, "The hub cannot store readings.",
            "Le hub ne peut pas enregistrer les mesures."),
        Row(
            "a watch that does not know the doses", .scene { $0.care = nil },
            "All is in range, but what was added is not known here.",
            "Tout est dans la plage, mais les ajouts ne sont pas connus ici."),
        Row(
            "a watch whose link was lost a moment ago", .scene { $0.link = .lost(seconds: 8) },
            "No link to the hub for less than 1 min.", "Pas de liaison avec le hub depuis moins de 1 min."),
        Row(
            "a watch that connects", .scene { $0.link = .connecting(waitingFor: "tcp://hub") }, "Waiting for the hub.",
            "En attente du hub."),
        Row(
            "a watch that the hub refuses", .scene { $0.link = .refused(reason: "unknown") },
            "The hub refuses this watch.", "Le hub refuse cette montre."),
        Row(
            "a watch that was never paired",
            .scene {
                $0.link = .unpaired
                $0.probes = []
            },
            "This watch is not paired with a hub.", "Cette montre n'est associée à aucun hub."),
        Row("no hub runs", .scene { $0.isKept = true }, "The hub does not answer.", "Le hub ne répond pas."),
        Row(
            "a pH that is no number", .water([.ph: .nan]), "No usable pH has come yet.",
            "Aucune valeur utilisable reçue (pH)."),
    ]

    @Test func `each situation has its sentence in English and in French`() throws {
        let rows = Self.good + Self.dangerous + Self.toDo + Self.doubtful + Self.unknown
        #expect(rows.count >= 70)
        for row in rows {
            let assessment = try #require(PoolAssessment.worst(of: row.scene.assessments), "\(row.situation)")
            #expect(assessment.sentence(in: .english) == row.english, "\(row.situation)")
            #expect(assessment.sentence(in: .french) == row.french, "\(row.situation)")
            #expect((assessment.status == .normal) == row.english.hasPrefix("You can swim"), "\(row.situation)")
        }
    }

    @Test func `of several pools the worst one speaks, with its name`() {
        let bad = PoolAssessment(name: "Spa", .critical([.init(.chlorine, 0.2, .low)], isPassing: false))
        let good = PoolAssessment(name: "Garden", .swim(nil))
        let dose = Advice.Portion(.dichlor, strengthPercent: 56, least: 50, greatest: 50, unit: .grams)
        var glance = AssessmentScene().glances[0]
        glance.assessments = [good, bad]
        #expect(glance.sentence() == "Spa: Do not swim: chlorine 0.20 mg/L.")
        #expect(glance.sentence(in: .french) == "Spa : Ne vous baignez pas : chlore 0,20 mg/L.")
        glance.assessments = [good, PoolAssessment(name: "Spa", .add(dose))]
        #expect(glance.sentence() == "Add 50 g of dichlor to Spa, then measure.")
        glance.assessments = [good]
        #expect(glance.sentence() == "You can swim.")
        glance.assessments = nil
        #expect(glance.sentence() == "You can swim.")
    }

    @Test func `nobody may swim in any of many thousand scenes that lacks what that needs`() {
        var random = SplitMix64(seed: 36)
        var (swims, others) = (0, 0)
        for _ in 0..<20_000 {
            let scene = Self.draw(&random)
            guard let assessment = PoolAssessment.worst(of: scene.assessments), assessment.status == .normal else {
                others += 1
                continue
            }
            swims += 1
            #expect(scene.link == .linked && !scene.isKept && scene.alerts.isEmpty && scene.care != nil, "\(scene)")
            #expect(scene.care?.doubts.isEmpty == true && scene.care?.acting(at: noon) == nil, "\(scene)")
            for probe in scene.probes {
                for (quantity, value) in probe.values.pairs where quantity.facts.isUsual {
                    let isGood = Quantity.allCases.contains(quantity) && value.age.map { $0 <= 180 } ?? false
                    let limits = quantity.facts.limits
                    let isInside = quantity == .temperature || limits.judge(value.value).status == .normal
                    // What another device says freshly takes the place of what is old.
                    let isReplaced = scene.probes.contains { other in
                        other.id != probe.id && !other.isAbsent
                            && other.values[quantity].map { ($0.age ?? .max) <= 180 } ?? false
                    }
                    #expect((isGood && isInside && !probe.isAbsent) || isReplaced, "\(quantity) \(scene)")
                }
            }
            let fresh = scene.probes.filter { !$0.isAbsent }.flatMap { probe in
                probe.values.pairs.filter { ($0.value.age ?? .max) <= 180 }.map(\.quantity)
            }
            #expect(scene.probes.flatMap(\.awaited).allSatisfy(fresh.contains), "\(scene)")
            #expect(fresh.contains(.ph) && (fresh.contains(.chlorine) || fresh.contains(.orp)), "\(scene)")
        }
        #expect(swims > 300 && others > 300)
    }

    /// Scenes that are good but for a few things.
    private static func draw(_ random: inout SplitMix64) -> AssessmentScene {
        func chance(_ percent: Int, _ random: inout SplitMix64) -> Bool {
            Int.random(in: 0..<100, using: &random) < percent
        }
        var scene = AssessmentScene()
        if chance(40, &random) { scene.probes.append(second) }
        for index in scene.probes.indices {
            for quantity in Quantity.allCases where chance(15, &random) {
                let limits = quantity.facts.limits
                let low = limits.criticalLow - 0.1 * (limits.high - limits.low)
                let high = limits.criticalHigh + 0.1 * (limits.high - limits.low)
                let ages: [Int?] = [10, 30, 170, 190, 2000, 9000, nil]
                let age = ages.randomElement(using: &random) ?? nil
                scene.probes[index] =
                    chance(25, &random)
                    ? scene.probes[index].with([quantity: nil])
                    : scene.probes[index].with([quantity: Double.random(in: low...high, using: &random)], age: age)
            }
            if chance(5, &random) { scene.probes[index].isAbsent = true }
            if scene.probes[index].values[.chlorine] == nil, chance(50, &random) {
                scene.probes[index].awaited = [.chlorine]
            }
        }
        if chance(5, &random) { scene.link = .lost(seconds: 3) }
        if chance(5, &random) { scene.isKept = true }
        if chance(5, &random) { scene.care = nil }
        if chance(5, &random) { scene.care?.doubts[.ph] = .unsettled }
        if chance(10, &random) { scene.dose(.dichlor, hoursAgo: Double.random(in: 0...24, using: &random)) }
        let keys: [AlertKey] = [
            .fault(lagoon.id, .ph), .missing(lagoon.id, nil), .connection(home.id), .hub(.storage),
            .value(lagoon.id, .ph, .high),
        ]
        if chance(10, &random), let key = keys.randomElement(using: &random) { scene.alert(key) }
        return scene
    }
}
