import Testing

@testable import PoolDecoding
@testable import PoolModel

@Suite struct NameReadingTests {
    @Test(
        arguments: [
            ("freeChlorine_mgL", ["free", "chlorine", "mg", "l"]), ("pH", ["ph"]), ("pHLevel", ["ph", "level"]),
            ("waterPH", ["water", "ph"]), ("PH_VALUE", ["ph", "value"]), ("ORPLevel", ["orp", "level"]),
            ("ph_current", ["ph", "current"]), ("tF", ["t", "f"]), ("temp2", ["temp", "2"]),
            ("phosphate", ["phosphate"]), ("Freies Chlor", ["freies", "chlor"]), ("", []), ("p H", ["p", "h"]),
        ] as [(String, [String])])
    func `a name is cut into its words`(name: String, words: [String]) {
        #expect(NameWords(name).words == words)
    }

    @Test(
        arguments: [
            ("temperature", .temperature, nil), ("Tmp", .temperature, nil), ("tempc", .temperature, .celsius),
            ("temp_f", .temperature, .fahrenheit), ("tC", .temperature, .celsius), ("waterTemp", .temperature, nil),
            ("Wassertemperatur", .temperature, nil), ("Température de l'eau", .temperature, nil),
            ("pool_lämpötila", .temperature, nil), ("水温", .temperature, nil), ("pHLevel", .ph, nil),
            ("ph_current", .ph, nil),
            ("phvalue", .ph, nil), ("free_chlorine", .chlorine, nil), ("Chlor frei", .chlorine, nil),
            ("cloro libre", .chlorine, nil), ("fcl", .chlorine, nil), ("cl_ppm", .chlorine, .milligramsPerLitre),
            ("Redox", .orp, nil), ("orp_mV", .orp, .millivolts), ("orpLevel", .orp, nil), ("rédox", .orp, nil),
        ] as [(String, Quantity, SourceUnit?)])
    func `a name tells the quantity and its unit`(name: String, quantity: Quantity, unit: SourceUnit?) {
        #expect(NameReading(name) == .quantity(quantity, unit: unit))
    }

    @Test(
        arguments: [
            "ph_max", "ph_min", "phSetpoint", "pH SP", "temp_target", "orp_alarm", "air_temp", "solar temperature",
            "outsideTemp", "cpu_temperature", "ph_calibration", "total_chlorine", "chlorine_pump", "Aussentemperatur",
            "battery_voltage", "rssi", "ec_max", "tds", "salt_cell_temp", "orp_status", "ph_voltage", "Sollwert pH",
            "pH minus level",
            "ph_raw",
        ])
    func `a trap is not taken for the quantity that it names`(name: String) {
        #expect(NameReading(name).quantity == nil)
    }

    @Test(arguments: ["phone", "graph", "attempt", "template", "clock", "corp", "club", "phase", "alpha"])
    func `a quantity inside another word does not count`(name: String) {
        #expect(NameReading(name) == .other)
    }
}
