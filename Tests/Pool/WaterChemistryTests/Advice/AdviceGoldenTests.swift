import PoolSamples
import Testing

@testable import PoolModel
@testable import WaterChemistry

/// Doses that were computed by hand.
@Suite struct AdviceGoldenTests {
    // V21
    @Test func `chlorine from 0.6 to the middle of 1 to 3 in 48 m³`() throws {
        // 2.0 − 0.6 = 1.4 mg/L are missing, half of it is 0.7 mg/L = 0.7 g/m³; in 48 m³ these are 33.6 g of chlorine.
        // 33.6 ÷ 0.65 = 51.7 g calcium hypochlorite, ÷ 0.56 = 60 g dichlor, ÷ 0.90 = 37.3 g trichlor,
        // ÷ 0.125 g/mL = 268.8 mL sodium hypochlorite.
        let advice = Advice(facts(chlorine: measured(0.6, chlorineLimits)), at: noon)
        let portions = try #require(advice.outcome(.chlorine)?.portions)

        #expect(portions.target == 2)
        #expect((portions.change - 0.7).magnitude < 1e-12)
        #expect(portions.choices.map(\.product) == [.calciumHypochlorite, .dichlor, .trichlor, .sodiumHypochlorite])
        let expected = [51.692, 60, 37.333, 268.8]
        for (choice, amount) in zip(portions.choices, expected) {
            #expect((choice.least - amount).magnitude < 0.001 && choice.least == choice.greatest)
        }
        #expect(portions.choices.map(\.unit) == [.grams, .grams, .grams, .millilitres])
        #expect(advice.outcome(.ph)?.reason == .inRange(low: 7.2, high: 7.6))
    }

    @Test func `a product at hand is the only choice, with its own strength`() throws {
        // 33.6 g ÷ 0.096 g/mL = 350 mL.
        let numbers = AdviceNumbers(products: [.init(.sodiumHypochlorite, strengthPercent: 9.6)])
        let advice = Advice(facts(chlorine: measured(0.6, chlorineLimits), numbers), at: noon)
        let choices = try #require(advice.outcome(.chlorine)?.portions?.choices)
        #expect(choices.count == 1)
        #expect((choices[0].least - 350).magnitude < 1e-9 && choices[0].strengthPercent == 9.6)
    }

    @Test func `pH from 7.8 to 7.4 at a total alkalinity of 100 in 50 m³`() throws {
        // At 25 °C pK₁ = 6.352, pK₂ = 10.329. The charge of a carbon is 0.96854 at pH 7.8 and 0.91901 at pH 7.4.
        // The alkalinity is 100 ÷ 50045 = 1.99820 meq/L, of which hydroxide holds 0.00062: the carbon is
        // 1.99758 ÷ 0.96854 = 2.06247 mmol/L. At pH 7.4 it holds 2.06247 × 0.91901 = 1.89543 and hydroxide 0.00021:
        // the acid is 1.99820 − 1.89565 = 0.10255 meq/L, half of it in 50 000 L 2.5638 eq.
        // Sodium bisulfate: 2.5638 × 120.06 ÷ 0.932 = 330.3 g.
        // Hydrochloric acid of 31.45 %, 1.1557 g/mL: 1.1557 × 0.3145 ÷ 36.46 = 9.969 meq/mL, 257.2 mL.
        // Sulfuric acid of 14.9 %, 1.1013 g/mL: 2 × 1.1013 × 0.149 ÷ 98.08 = 3.346 meq/mL, 766.2 mL.
        var pool = gardenPool
        pool.volume = 50
        let limits = Limits(criticalLow: 6.8, low: 7.2, high: 7.6, criticalHigh: 8.2)
        let advice = Advice(
            facts(ph: measured(7.8, limits), pool: pool, AdviceNumbers(totalAlkalinity: 100)), at: noon)
        let portions = try #require(advice.outcome(.ph)?.portions, "\(advice)")

        #expect((portions.target - 7.4).magnitude < 1e-12 && (portions.change + 0.2).magnitude < 1e-9)
        #expect(portions.choices.map(\.product) == [.sodiumBisulfate, .hydrochloricAcid, .sulfuricAcid])
        for (choice, amount) in zip(portions.choices, [330.3, 257.2, 766.2]) {
            #expect((choice.least - amount).magnitude < 0.1, "\(choice)")
            #expect(choice.least == choice.greatest)
        }
    }

    @Test func `cyanuric acid makes the same pH cost more acid`() throws {
        // 50 mg/L hold 0.38772 × 50 ÷ (1 + 10^(6.83 − 7.8)) = 17.51 mg/L at pH 7.8 and 15.28 at pH 7.4: 2.23 mg/L less,
        // 0.0446 meq/L. The carbonates are 82.46 mg/L and give (82.46 − 0.03) ÷ 99.97 × 0.10214 + 0.0004 = 0.0847:
        // together 0.1293 meq/L, half of it in 50 000 L 3.233 eq, 324.3 mL of hydrochloric acid.
        var pool = gardenPool
        pool.volume = 50
        let advice = Advice(
            facts(
                ph: measured(7.8, phLimits), pool: pool, AdviceNumbers(totalAlkalinity: 100, cyanuricAcid: 50)),
            at: noon)
        #expect((try #require(advice.portion(.hydrochloricAcid)).least - 324.3).magnitude < 0.1)
    }

    @Test func `without a total alkalinity there is only a range, for 60 to 150`() throws {
        // The acid is nearly in proportion to the alkalinity: 154.7 mL for 60 mg/L, 385.3 mL for 150 mg/L.
        var pool = gardenPool
        pool.volume = 50
        let advice = Advice(facts(ph: measured(7.8, phLimits), pool: pool), at: noon)
        let portion = try #require(advice.portion(.hydrochloricAcid))
        #expect((portion.least - 154.7).magnitude < 0.1 && (portion.greatest - 385.3).magnitude < 0.1)
        #expect(advice.assumptions.contains(.alkalinity))
        #expect(!advice.assumptions.contains(.temperature))
    }

    @Test func `pH from 7.0 to 7.4 by sodium carbonate, which brings carbon of its own`() throws {
        // TA 80: the charge is 0.81689 at pH 7.0, 0.91901 at pH 7.4; the carbon is 80 ÷ 50045 ÷ 0.81689 = 1.95689
        // mmol/L. The alkalinity grows by 1.95689 × (0.91901 − 0.81689) + 0.0002 = 0.20006 meq/L if the carbon stays.
        // x mmol bring 2x meq and x mmol of carbon, which hold 0.91901x: x = 0.20006 ÷ (2 − 0.91901) = 0.18507.
        // Half of it in 50 000 L is 4.6268 mol × 105.99 ÷ 0.99 = 495.3 g.
        var pool = gardenPool
        pool.volume = 50
        let advice = Advice(
            facts(ph: measured(7.0, phLimits), pool: pool, AdviceNumbers(totalAlkalinity: 80)), at: noon)
        let portions = try #require(advice.outcome(.ph)?.portions)
        #expect(portions.choices.map(\.product) == [.sodiumCarbonate])
        #expect((portions.choices[0].least - 495.3).magnitude < 0.1)
    }

    @Test(arguments: [(5.0, 6.516, 10.554, 14.732), (25, 6.352, 10.329, 13.995), (35, 6.310, 10.252, 13.679)])
    func `the constants are those of the literature`(celsius: Double, k1: Double, k2: Double, kw: Double) {
        // Plummer and Busenberg (1982), table 1: 6.352 and 10.329 at 25 °C.
        let constants = CarbonateSystem.constants(celsius: celsius)
        #expect((-Transcendental.log10(constants.k1) - k1).magnitude < 0.001)
        #expect((-Transcendental.log10(constants.k2) - k2).magnitude < 0.001)
        #expect((-Transcendental.log10(constants.kw) - kw).magnitude < 0.001)
    }

    @Test(arguments: [(10.0, 8.0), (16, 8), (25, 12.5), (28, 14), (48, 24), (55, 24)])
    func `filtration is half of the temperature, 8 to 24 hours`(celsius: Double, hours: Double) {
        let limits = Limits(criticalLow: -5, low: 0, high: 40, criticalHigh: 60)
        #expect(Advice(facts(celsius: measured(celsius, limits)), at: noon).filtration == .hours(hours))
    }

    @Test func `too much chlorine is not treated, and the share to replace is named`() throws {
        // 1 − 3 ÷ 4 = a quarter of 48 m³.
        let advice = Advice(facts(chlorine: measured(4, chlorineLimits)), at: noon)
        #expect(advice.outcome(.chlorine) == .nothing(.tooMuchChlorine(share: 0.25, cubicMetres: 12)))
        #expect("\(AdviceReason.tooMuchChlorine(share: 0.25, cubicMetres: 12))".contains("25 % of the water (12.0 m³)"))
    }

    @Test func `the usual strengths are possible`() {
        for product in DoseProduct.allCases where product != .other {
            #expect(product.usualStrength.map { product.strengthRange?.contains($0) == true } == true)
        }
        // A litre of muriatic acid of 20 °Baumé has 10 eq; a kilogram of pure sodium bisulfate 8.33 eq.
        #expect((DoseProduct.hydrochloricAcid.acid(strengthPercent: 31.45).map { $0 * 1000 } ?? 0) > 9.9)
        #expect(
            (DoseProduct.sodiumBisulfate.acid(strengthPercent: 100).map { $0 * 1000 - 8.329 } ?? 1).magnitude < 0.01)
        #expect(DoseProduct.other.usualStrength == nil && DoseProduct.other.quantity == nil)
    }
}
