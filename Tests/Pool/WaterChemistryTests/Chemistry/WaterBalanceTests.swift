import PoolModel
import Testing

@testable import WaterChemistry

@Suite struct WaterBalanceTests {
    @Test func `the worked example of the industry form gives −0.9`() throws {
        let water = WaterBalance(ph: 7.0, celsius: (84 - 32) / 1.8, calciumHardness: 300, totalAlkalinity: 25)
        let index = try water.saturationIndex()
        #expect((index.value - -0.9).magnitude < 1e-6)
        #expect(index.verdict == .corrosive)
        #expect(!index.isWithinStandard)
        #expect(!index.assumptions.isEmpty)
    }

    @Test func `the factors are those of the table at its rows and rise between them`() {
        for (fahrenheit, factor) in [(32.0, 0.0), (53, 0.3), (76, 0.6), (105, 0.9), (128, 1.0)] {
            #expect((SaturationFactor.temperature(celsius: (fahrenheit - 32) / 1.8) - factor).magnitude < 1e-9)
        }
        for (ppm, calcium) in [(25.0, 1.0), (75, 1.5), (200, 1.9), (400, 2.2), (1000, 2.6)] {
            #expect((SaturationFactor.calcium(ppm) - calcium).magnitude < 1e-9)
            #expect((SaturationFactor.alkalinity(ppm) - calcium - 0.4).magnitude < 1e-9)
        }
        for ppm in 25..<1000 {
            #expect(SaturationFactor.calcium(Double(ppm)) < SaturationFactor.calcium(Double(ppm + 1)))
        }
    }

    @Test func `salt water subtracts 12.2, and stabiliser takes a third of its weight`() throws {
        var water = WaterBalance(
            ph: 7.5, celsius: 28, calciumHardness: 300, totalAlkalinity: 100, dissolvedSolids: 1000)
        let fresh = try water.saturationIndex()
        water.dissolvedSolids = 1001
        #expect((try water.saturationIndex().value - fresh.value + 0.1).magnitude < 1e-9)
        water.cyanuricAcid = 50
        #expect((try water.saturationIndex().carbonateAlkalinity - 83.5).magnitude < 1e-9)
    }

    @Test func `the worked checks of the calcite index`() throws {
        let stabilised = WaterBalance(
            ph: 7.5, celsius: 26.7, calciumHardness: 300, totalAlkalinity: 100, cyanuricAcid: 40, dissolvedSolids: 500)
        #expect((try stabilised.calciteSaturationIndex().value - 0.018).magnitude < 0.0005)
        #expect(try stabilised.calciteSaturationIndex().verdict == .balanced)
        let soft = WaterBalance(ph: 7.0, celsius: 28.9, calciumHardness: 300, totalAlkalinity: 25)
        #expect((try soft.calciteSaturationIndex().value - -0.956).magnitude < 0.0005)
    }

    @Test func `both indices rise with pH, warmth, hardness and alkalinity`() throws {
        var generator = SplitMix64(seed: 33)
        for _ in 0..<300 {
            let water = WaterBalance(
                ph: .random(in: 6.5...8.5, using: &generator), celsius: .random(in: 1...45, using: &generator),
                calciumHardness: .random(in: 30...900, using: &generator),
                totalAlkalinity: .random(in: 60...200, using: &generator))
            let edits: [(inout WaterBalance) -> Void] = [
                { $0.ph += 0.1 }, { $0.celsius += 1 }, { $0.calciumHardness *= 1.1 }, { $0.totalAlkalinity *= 1.1 },
            ]
            for edit in edits {
                var more = water
                edit(&more)
                #expect(try more.saturationIndex().value > water.saturationIndex().value)
                #expect(try more.calciteSaturationIndex().value > water.calciteSaturationIndex().value)
            }
        }
    }

    @Test func `numbers outside the formula are refused by name`() {
        let good = WaterBalance(ph: 7.5, celsius: 28, calciumHardness: 300, totalAlkalinity: 100)
        var hot = good
        hot.celsius = 82
        #expect(throws: WaterBalanceError.outOfRange(.temperature, 82, 0...53)) { try hot.saturationIndex() }
        var broken = good
        broken.calciumHardness = .nan
        #expect(throws: WaterBalanceError.self) { try broken.calciteSaturationIndex() }
        var bound = good
        bound.cyanuricAcid = 300
        bound.totalAlkalinity = 60
        #expect(throws: WaterBalanceError.self) { try bound.saturationIndex() }
        #expect(throws: WaterBalanceError.self) { try bound.calciteSaturationIndex() }
    }
}

@Suite struct ActiveChlorineTests {
    @Test func `an amount is given only without stabiliser, and it says so`() throws {
        let clear = try #require(ActiveChlorine(freeChlorine: 2, ph: 7.5, celsius: 20, cyanuricAcid: 0))
        #expect((try #require(clear.milligramsPerLitre) - 1.094).magnitude < 0.001)
        let unknown = try #require(ActiveChlorine(freeChlorine: 2, ph: 7.5, celsius: 20, cyanuricAcid: nil))
        #expect(unknown.assumptions.contains { $0.contains("was not given") })
        let stabilised = try #require(ActiveChlorine(freeChlorine: 10, ph: 7.5, celsius: 20, cyanuricAcid: 50))
        #expect(stabilised.milligramsPerLitre == nil)
        #expect(stabilised.assumptions.contains { $0.contains("few percent") })
        #expect(ActiveChlorine(freeChlorine: .nan, ph: 7, celsius: 20, cyanuricAcid: 0) == nil)
        #expect(ActiveChlorine(freeChlorine: 1, ph: 7, celsius: 20, cyanuricAcid: -1) == nil)
    }
}
