import PoolSamples
import Testing

@testable import PoolModel

@Suite struct QuantityMapTests {
    @Test func `X2 an absent quantity is an absent key, never a zero`() throws {
        let map: QuantityMap<Double> = [.orp: 650, .ph: 0]
        let bytes = try CanonicalJSON.encode(map)
        #expect(text(bytes) == #"{"orp":650,"ph":0}"#)
        #expect(try CanonicalJSON.decode(QuantityMap<Double>.self, from: bytes) == map)
        #expect(try CanonicalJSON.decode(QuantityMap<Double>.self, from: Array(#"{"ph":null,"salt":3}"#.utf8)).isEmpty)
    }

    @Test func `pairs come in the order of the gauges`() {
        let map: QuantityMap<Int> = [.orp: 4, .temperature: 1, .orp: 5]
        #expect(map.pairs.map(\.quantity) == [.temperature, .orp])
        #expect(map.pairs.map(\.value) == [1, 5])
        #expect(map.compactMapValues { $0 == 1 ? nil : "\($0)" } == [.orp: "5"])
    }
}

@Suite struct QuantityTests {
    @Test func `P39 P40 P41 P42 each quantity has its unit and its digits`() {
        #expect(Quantity.allCases.map(\.unit) == ["°C", "", "mg/L", "mV", "g/L", "µS/cm", "%"])
        #expect(Quantity.allCases.map(\.decimals) == [1, 2, 2, 0, 2, 0, 0])
        #expect(
            Quantity.allCases.map(\.name)
                == ["Temperature", "pH", "Chlorine", "ORP", "Salinity", "Conductivity", "Battery"])
    }

    @Test func `keys and numbers in files are distinct, and so are the words that people type`() {
        let rows = Quantity.allCases.map(\.facts)
        #expect(Set(rows.map(\.number)).count == rows.count)
        let typed = rows.flatMap { [$0.key] + $0.aliases }
        #expect(Set(typed).count == typed.count)
        let flat = rows.flatMap(\.words.flatKeys)
        #expect(Set(flat).count == flat.count)
    }

    @Test(arguments: Quantity.allCases)
    func `the ranges and limits of a row agree with each other`(quantity: Quantity) {
        let facts = quantity.facts
        #expect(facts.limits.isOrdered)
        for limit in [facts.limits.criticalLow, facts.limits.low, facts.limits.high, facts.limits.criticalHigh] {
            #expect(facts.plausibleRange.contains(limit))
        }
        #expect(facts.possibleRange.contains(facts.usualRange.lowerBound))
        #expect(facts.possibleRange.contains(facts.usualRange.upperBound))
        #expect(facts.words.guessedUnits.allSatisfy(quantity.has))
        #expect(facts.words.withUnit.values.allSatisfy(quantity.has))
        #expect(facts.leastChange < facts.fastChange)
        #expect(ConfigurationEntry.versions.contains(facts.firstVersion))
    }

    @Test(arguments: [
        (Quantity.temperature, 77.0, SourceUnit.fahrenheit, 25.0), (.temperature, 300.15, .kelvin, 27),
        (.orp, 0.7, .volts, 700), (.salinity, 3200, .milligramsPerLitre, 3.2), (.salinity, 3.2, .gramsPerLitre, 3.2),
        (.conductivity, 1.182, .millisiemens, 1182), (.conductivity, 590, .milligramsPerLitre, 1180),
        (.battery, 97, .percent, 97),
    ])
    func `a value is converted from each unit, and back`(
        quantity: Quantity, value: Double, unit: SourceUnit, standard: Double
    ) throws {
        #expect(abs(quantity.standardValue(value, in: unit) - standard) < 1e-9)
        let row = try #require(quantity.facts.units.first { $0.unit == unit })
        #expect(abs(row.value(standard) - value) < 1e-9)
    }

    @Test func `the same symbol is a unit of several quantities, each with its own meaning`() {
        #expect(Quantity.chlorine.unit("ppm") == .milligramsPerLitre)
        #expect(Quantity.salinity.unit("PPM") == .milligramsPerLitre)
        #expect(Quantity.ph.unit("ppm") == nil)
        // The micro sign, the Greek letter, and plain letters.
        #expect(
            ["\u{B5}S/cm", "\u{3BC}S/cm", "uS/cm"].map { Quantity.conductivity.unit($0) } == [
                .microsiemens, .microsiemens, .microsiemens,
            ])
        #expect(Quantity.battery.unit("V") == nil)
    }

    @Test(arguments: [
        (Quantity.salinity, 3.2, SourceUnit.gramsPerLitre), (.salinity, 3200, .milligramsPerLitre),
        (.salinity, 60, .gramsPerLitre), (.salinity, 200_000, .gramsPerLitre), (.salinity, -1, .gramsPerLitre),
        (.temperature, 78, .celsius), (.orp, 0.7, .millivolts),
    ])
    func `only a number that leaves no doubt tells its unit`(quantity: Quantity, number: Double, unit: SourceUnit) {
        #expect(quantity.facts.unit(ofBare: number) == unit)
    }

    @Test func `lists name the usual quantities, and of the others what is known`() {
        #expect(Quantity.listed { _ in false } == [.temperature, .ph, .chlorine, .orp])
        #expect(Quantity.listed { $0 == .battery } == [.temperature, .ph, .chlorine, .orp, .battery])
    }
}
