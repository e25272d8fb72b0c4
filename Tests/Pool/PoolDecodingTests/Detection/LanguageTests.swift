import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel

/// The names that people and devices use in ten languages.
@Suite struct LanguageTests {
    @Test(
        arguments: [
            #"{"Wassertemperatur":26.1,"pH-Wert":7.2,"Freies Chlor":0.8,"Redoxspannung":702,"Außentemperatur":31,"pH Sollwert":7.4}"#,
            #"{"Beckentemperatur":26.1,"pH":7.2,"Chlorgehalt":0.8,"Redox":702,"Lufttemperatur":31,"Grenzwert pH":7.4}"#,
            #"{"watertemperatuur":26.1,"zuurgraad":7.2,"vrij_chloor":0.8,"redoxpotentiaal":702,"buitentemperatuur":31,"streefwaarde_ph":7.4}"#,
            #"{"zwembad temperatuur":26.1,"ph waarde":7.2,"chloor":0.8,"redoxwaarde":702,"lucht temperatuur":31,"ph gewenst":7.4}"#,
            #"{"température_eau":26.1,"pH":7.2,"chlore_libre":0.8,"rédox":702,"température_extérieure":31,"consigne_ph":7.4}"#,
            #"{"temp piscine":26.1,"ph":7.2,"chlore":0.8,"redox":702,"temp air":31,"seuil ph":7.4,"pile":88}"#,
            #"{"temperatura_agua":26.1,"ph":7.2,"cloro_libre":0.8,"redox":702,"temperatura_exterior":31,"ph_deseado":7.4}"#,
            #"{"temperatura_acqua":26.1,"ph":7.2,"cloro_libero":0.8,"redox":702,"temperatura_aria":31,"ph_impostato":7.4}"#,
            #"{"temperatura da água":26.1,"ph":7.2,"cloro_livre":0.8,"redox":702,"temperatura ar":31,"ph_desejado":7.4}"#,
            #"{"temperatura_wody":26.1,"ph":7.2,"wolny chlor":0.8,"redoks":702,"temperatura_powietrza":31,"ph_zadane":7.4}"#,
            #"{"teplota vody":26.1,"ph":7.2,"volný chlór":0.8,"redox":702,"teplota vzduchu":31,"požadované ph":7.4}"#,
            #"{"vattentemperatur":26.1,"ph":7.2,"fritt_klor":0.8,"redox":702,"utetemperatur":31,"börvärde_ph":7.4}"#,
            #"{"vandtemperatur":26.1,"ph":7.2,"frit klor":0.8,"redox":702,"udetemperatur":31,"ønsket ph":7.4}"#,
        ])
    func `a device that speaks another language is read`(payload: String) throws {
        var detection = Detection()
        detection.absorb(topic: "haus/1", payload: Array(payload.utf8), isRetained: false, receivedAt: noon)
        let report = detection.report()
        let proposal = try #require(report.proposals.first)
        #expect(report.proposals.count == 1)
        #expect(
            proposal.preview.filter { $0.quantity != .battery }.compactMap(\.value) == [26.1, 7.2, 0.8, 702],
            "\(report.textLines())")
        #expect(proposal.openQuantities.isEmpty)
        let reasons = proposal.skipped.map { "\($0.raw) \($0.reason)" }
        #expect(reasons.contains { $0.hasPrefix("31 ") && $0.contains("not that of the water") }, "\(reasons)")
        #expect(reasons.contains { $0.hasPrefix("7.4 ") && $0.contains("limit") }, "\(reasons)")
    }

    @Test(
        arguments: [
            ("Température", ["temperature"]), ("Außen", ["aussen"]), ("BAZÉN", ["bazen"]), ("ønsket", ["onsket"]),
            ("cílová", ["cilova"]), ("Przepływ", ["przeplyw"]), ("vægt", ["vaegt"]),
        ])
    func `accents do not matter`(name: String, words: [String]) {
        #expect(NameWords(name).words == words)
    }

    @Test(arguments: ["t_water", "tPool", "water_t", "T-Wasser", "PH_Temp"])
    func `a short name of a temperature is one`(name: String) {
        #expect(NameReading(name).quantity == .temperature)
    }

    @Test(arguments: ["chlorine_percent", "Chlor %", "chlorine_mv", "ph_mv", "ph_volt", "redox_pct", "chlorine output"])
    func `a name with a unit of something else is not the quantity`(name: String) throws {
        var detection = Detection()
        detection.absorb(topic: "x/1", payload: Array(#"{"\#(name)":6}"#.utf8), isRetained: false, receivedAt: noon)
        let report = detection.report()
        #expect(report.proposals.isEmpty)
        #expect(report.skipped.map(\.raw) == ["6"])
    }
}
