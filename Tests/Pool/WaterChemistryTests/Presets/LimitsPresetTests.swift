import Testing

@testable import PoolModel
@testable import WaterChemistry

@Suite struct LimitsPresetTests {
    @Test(arguments: LimitsPreset.all)
    func `X14 each preset is ordered, plausible, and leaves room for its hysteresis`(preset: LimitsPreset) throws {
        #expect(!preset.limits.isEmpty)
        #expect(!preset.title.isEmpty && preset.source.hasSuffix(".") && preset.note.hasSuffix("."))
        for (quantity, limits) in preset.limits.pairs {
            #expect(limits.isOrdered)
            #expect(quantity.plausibleRange.contains(limits.criticalLow))
            #expect(quantity.plausibleRange.contains(limits.criticalHigh))
            let hysteresis = try #require(preset.hysteresis[quantity])
            #expect(hysteresis > 0 && 2 * hysteresis < limits.high - limits.low)
        }
        #expect(preset.hysteresis.pairs.map(\.quantity) == preset.limits.pairs.map(\.quantity))
    }

    @Test func `the standard limits contradict no preset for such a pool, and no authority's least ORP`() throws {
        for key in ["private-eu", "private-us", "stabilised", "salt"] {
            for (quantity, limits) in try LimitsPreset.named(key).limits.pairs {
                let standard = quantity.facts.limits
                for value in [limits.low, limits.high] {
                    #expect(standard.judge(value).status < .critical, "\(key) \(quantity) \(value)")
                }
            }
        }
        let standard = Quantity.orp.facts.limits
        for preset in LimitsPreset.all {
            guard let least = preset.limits[.orp]?.low else { continue }
            #expect(standard.judge(least).status == .normal, "\(preset.key)")
            #expect(standard.judge(least + Quantity.orp.facts.hysteresis).status == .normal, "\(preset.key)")
        }
        #expect(standard.judge(757).status == .normal)
    }

    @Test func `a preset is found by its key, and an unknown key lists them all`() throws {
        #expect(Set(LimitsPreset.all.map(\.key)).count == LimitsPreset.all.count)
        for preset in LimitsPreset.all { #expect(try LimitsPreset.named(preset.key.uppercased()) == preset) }
        do {
            _ = try LimitsPreset.named("mars")
            Issue.record("there is no pool on Mars")
        } catch {
            for preset in LimitsPreset.all { #expect(error.description.contains(preset.key)) }
        }
    }

    @Test func `the numbers of the authorities are the normal range or the permitted one`() throws {
        func limits(_ key: String, _ quantity: Quantity) throws -> [Double] {
            let limits = try #require(try LimitsPreset.named(key).limits[quantity])
            return [limits.criticalLow, limits.low, limits.high, limits.criticalHigh]
        }
        #expect(try limits("private-eu", .ph) == [6.8, 7.0, 7.6, 7.8])
        #expect(try limits("private-eu", .orp) == [600, 650, 800, 900])
        #expect(try limits("montana", .ph) == [7.2, 7.4, 7.6, 7.8])
        #expect(try limits("montana", .chlorine) == [2, 3, 5, 8])
        #expect(Array(try limits("din-19643", .chlorine)[1...2]) == [0.3, 0.6])
        #expect(Array(try limits("switzerland", .ph)[1...2]) == [6.8, 7.6])
        #expect(try limits("austria", .chlorine) == [0.3, 0.5, 1.2, 2.0])
        #expect(Array(try limits("france-ars", .ph)[1...2]) == [6.9, 7.7])
        #expect(try LimitsPreset.named("bromine").limits[.chlorine] == nil)
    }

    @Test func `what is fine in Germany is too little in the United States`() throws {
        let german = try #require(try LimitsPreset.named("din-19643").limits[.chlorine])
        let american = try #require(try LimitsPreset.named("private-us").limits[.chlorine])
        #expect(german.judge(0.5).status == .normal)
        #expect(american.judge(0.5).status == .critical)
    }
}
