import PoolSamples
import Testing

@testable import PoolModel

/// The units in which people see values and type them.
@Suite struct DisplayUnitsTests {
    /// Runs a test in units.
    private func shown<Result>(in text: String, _ body: () throws -> Result) throws -> Result {
        let units = try #require(DisplayUnits(text))
        return try DisplayUnits.$ofTask.withValue(units) { try body() }
    }

    @Test(arguments: [
        ("metric", ["25.5 °C", "7.20", "1.50 mg/L", "650 mV", "3.20 g/L", "1182 µS/cm", "97 %"]),
        ("us", ["77.9 °F", "7.20", "1.50 mg/L", "650 mV", "3200 ppm", "1182 µS/cm", "97 %"]),
        ("ms/cm", ["25.5 °C", "7.20", "1.50 mg/L", "650 mV", "3.20 g/L", "1.18 mS/cm", "97 %"]),
        ("US, TDS, celsius", ["25.5 °C", "7.20", "1.50 mg/L", "650 mV", "3200 ppm", "591 ppm", "97 %"]),
    ])
    func `each value is shown with the digits and the symbol of its unit`(choice: String, expected: [String]) throws {
        let values: [Double] = [25.5, 7.2, 1.5, 650, 3.2, 1182, 97]
        let texts = try shown(in: choice) {
            zip(Quantity.allCases, values).map { $0.textWithUnit($1) }
        }
        #expect(texts == expected)
    }

    @Test(arguments: ["kelvin", "us;gal", "foot", "ppm tds"])
    func `a word that is no unit is refused`(text: String) {
        #expect(DisplayUnits(text) == nil)
    }

    @Test func `a difference is not moved by the zero of the scale`() throws {
        try shown(in: "fahrenheit") {
            #expect(Quantity.temperature.shownDifference(5) == 9)
            #expect(TextLanguage.french.difference(0.5, of: .temperature) == "0,90 °F")
        }
    }

    @Test func `a volume is shown in gallons`() throws {
        #expect(DisplayUnits.metric.text(volume: 48) == "48 m³")
        let gallons = try shown(in: "gal") { DisplayUnits.current.text(volume: 48) }
        #expect(gallons == "12680 gal")
    }

    @Test(arguments: [
        ("82.4", 28.0), ("82.4F", 28), ("28 °C", 28), ("82,4 °F", 28),
    ])
    func `what is typed without a unit is in the unit of display`(text: String, value: Double) throws {
        let read = try shown(in: "us") { NumberText(text, of: .temperature) }
        guard case .number(let number) = read else {
            Issue.record("\(read)")
            return
        }
        #expect(abs(number - value) < 1e-9)
    }

    @Test func `a unit of something else is refused in any choice`() throws {
        let read = try shown(in: "us") { NumberText("7 mV", of: .temperature) }
        #expect(read == .foreignUnit("mV"))
    }

    @Test func `a notice tells values, limits and distances in the unit of display`() throws {
        func notice() -> AlertNotice {
            AlertNotice(
                id: "1", episodeID: AlertEpisodeID(high: 1, low: 2), key: .value(lagoon.id, .temperature, .high),
                kind: .raised, severity: .warning, name: "Lagoon", value: 31, limit: 30, normal: 30, release: 29.5,
                since: noon, at: noon, repeats: 0)
        }
        let text = try shown(in: "fahrenheit") { notice().sentence(in: .english) }
        #expect(text.contains("87.8 °F"))
        #expect(text.contains("1.8 °F above"))
        #expect(!text.contains("°C"))
    }

    @Test func `what programs read keeps its units`() throws {
        try shown(in: "us") {
            #expect(Quantity.temperature.facts.unit.symbol == "°C")
            let values: QuantityMap<Double> = [.temperature: 25]
            let bytes = try CanonicalJSON.encode(values)
            #expect(text(bytes) == #"{"temperature":25}"#)
        }
    }
}
