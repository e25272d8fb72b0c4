import PoolSamples
import Testing

@testable import PoolDecoding
@testable import PoolModel
@testable import WaterChemistry

@Suite struct SimulatedPoolTests {
    private func after(hours: Double) -> Timestamp { noon.advanced(byMilliseconds: Int64(hours * 3_600_000)) }

    private var silentProfile: SimulatedPool.Profile {
        var profile = SimulatedPool.Profile.garden
        profile.lostShare = 0
        profile.outageShare = 0
        profile.missingShare = 0
        profile.noise = 0
        return profile
    }

    private func samples(
        _ pool: SimulatedPool, hours: Int, every step: Double = 0.25
    ) -> [(hour: Double, values: QuantityMap<Double>)] {
        var pool = pool
        return stride(from: 0, to: Double(hours), by: step).compactMap { hour in
            pool.sample(at: after(hours: hour)).map { (hour, $0) }
        }
    }

    @Test func `the generator is SplitMix64`() {
        var generator = SplitMix64(seed: 0)
        let numbers = [generator.next(), generator.next()]
        #expect(numbers == [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4])
    }

    @Test func `a bell curve has mean 0 and deviation 1`() {
        var generator = SplitMix64(seed: 12)
        let numbers = (0..<20_000).map { _ in generator.normal() }
        let mean = numbers.reduce(0, +) / 20_000
        #expect(mean.magnitude < 0.03)
        #expect((numbers.reduce(0) { $0 + $1 * $1 } / 20_000 - 1).magnitude < 0.04)
    }

    @Test func `the same seed is the same pool, another seed another`() {
        func values(_ seed: UInt64) -> [QuantityMap<Double>] {
            samples(SimulatedPool(seed: seed), hours: 48).map(\.values)
        }
        #expect(values(1) == values(1))
        let others = (2..<8).map { values($0) }
        #expect(others.allSatisfy { $0 != values(1) })
        #expect(Set(others.map { $0.first?[.temperature] }).count > 3)
    }

    @Test func `the first sample of seed 42 is this one on every machine`() {
        var pool = SimulatedPool(seed: 42)
        let sample = pool.sample(at: noon)
        #expect(sample.map { text(ProbePayload.text($0)) } == "temp:26.48,ph:7.17,chlorine:1.46,orp:702")
    }

    @Test func `how often the pool is sampled does not change it`() {
        var often = SimulatedPool(seed: 3)
        var seldom = SimulatedPool(seed: 3)
        var direct = SimulatedPool(seed: 3)
        _ = direct.sample(at: noon)
        for step in 0..<(48 * 360) {
            let moment = noon.advanced(byMilliseconds: Int64(step) * 10_000)
            let sample = often.sample(at: moment)
            if step.isMultiple(of: 1080) {
                let same = seldom.sample(at: moment)
                #expect(same == sample)
            }
            if step == 48 * 360 - 1 {
                let same = direct.sample(at: moment)
                #expect(same == sample)
            }
        }
    }

    @Test func `the water is warmer after the day than before it`() {
        let all = samples(SimulatedPool(seed: 5, profile: silentProfile), hours: 24 * 20)
        func mean(_ hourOfDay: ClosedRange<Double>) -> Double {
            let temperatures = all.filter { hourOfDay.contains((12 + $0.hour).truncatingRemainder(dividingBy: 24)) }
                .compactMap { $0.values[.temperature] }
            return temperatures.reduce(0, +) / Double(temperatures.count)
        }
        #expect((0.3...3).contains(mean(15...17) - mean(4...6)))
    }

    @Test func `the sun burns chlorine, and the doser keeps it in its range`() {
        let all = samples(SimulatedPool(seed: 6, profile: silentProfile), hours: 24 * 20, every: 0.5)
        let pairs = zip(all, all.dropFirst()).map { before, after in
            (
                hour: (12 + before.hour).truncatingRemainder(dividingBy: 24),
                change: (after.values[.chlorine] ?? 0) - (before.values[.chlorine] ?? 0)
            )
        }
        func meanLoss(_ hours: ClosedRange<Double>) -> Double {
            let losses = pairs.filter { hours.contains($0.hour) && $0.change < 0 }.map(\.change)
            return losses.reduce(0, +) / Double(max(1, losses.count))
        }
        #expect(meanLoss(10...13) < 2 * meanLoss(0...3))
        #expect(pairs.contains { $0.change > 0.05 })
        #expect(all.allSatisfy { (1.2...2.2).contains($0.values[.chlorine] ?? 0) })
    }

    @Test func `the pH creeps up and is corrected`() {
        let all = samples(SimulatedPool(seed: 7, profile: silentProfile), hours: 24 * 20).compactMap { $0.values[.ph] }
        let changes = zip(all, all.dropFirst()).map { $1 - $0 }
        #expect(changes.filter { $0 > 0 }.count > 3 * changes.filter { $0 < 0 }.count / 2)
        #expect(changes.contains { $0 < 0 })
        #expect(all.allSatisfy { (7.05...7.5).contains($0) })
        #expect((all.max() ?? 0) - (all.min() ?? 0) > 0.2)
    }

    @Test func `the potential follows the hypochlorous acid`() {
        let all = samples(SimulatedPool(seed: 8, profile: silentProfile), hours: 24 * 10, every: 1)
        let pairs = all.compactMap { sample -> (acid: Double, orp: Double)? in
            guard let chlorine = sample.values[.chlorine], let ph = sample.values[.ph],
                let celsius = sample.values[.temperature], let orp = sample.values[.orp]
            else { return nil }
            return (chlorine * Chemistry.hypochlorousShare(ph: ph, celsius: celsius), orp)
        }
        let meanAcid = pairs.reduce(0) { $0 + $1.acid } / Double(pairs.count)
        let meanPotential = pairs.reduce(0) { $0 + $1.orp } / Double(pairs.count)
        let common = pairs.reduce(0) { $0 + ($1.acid - meanAcid) * ($1.orp - meanPotential) }
        let acidSpread = pairs.reduce(0) { $0 + ($1.acid - meanAcid) * ($1.acid - meanAcid) }
        let spread = pairs.reduce(0) { $0 + ($1.orp - meanPotential) * ($1.orp - meanPotential) }
        #expect(common / (acidSpread * spread).squareRoot() > 0.9)
    }

    @Test(arguments: [1, 2, 3] as [UInt64], [SimulatedPool.Profile.garden, .hall])
    func `P54 a year of samples is plausible and mostly within the limits`(seed: UInt64, profile: SimulatedPool.Profile)
    {
        let all = samples(SimulatedPool(seed: seed, profile: profile), hours: 24 * 365, every: 3)
        var normal = 0
        var count = 0
        for (_, values) in all {
            for (quantity, value) in values.pairs {
                if !quantity.plausibleRange.contains(value) { Issue.record("\(quantity) of \(value)") }
                count += 1
                if quantity.facts.limits.judge(value).status == .normal { normal += 1 }
            }
        }
        #expect(Double(normal) / Double(count) > 0.9)
        #expect(count > 11_000, "of 11,680 values that a perfect probe would give")
    }

    @Test func `a probe is sometimes silent and sometimes misses a quantity`() {
        var pool = SimulatedPool(seed: 9)
        var silent = 0
        var partial = 0
        for step in 0..<10_000 as Range<Int64> {
            switch pool.sample(at: noon.advanced(byMilliseconds: step * 60_000)) {
            case nil: silent += 1
            case let sample? where sample.pairs.count < 4: partial += 1
            default: break
            }
        }
        #expect((50...400).contains(silent))
        #expect((200...600).contains(partial))
    }

    @Test func `a jump back, a long jump ahead and the ends of time are pools too`() {
        var pool = SimulatedPool(seed: 10, profile: silentProfile)
        var fresh = SimulatedPool(seed: 10, profile: silentProfile)
        _ = pool.sample(at: noon)
        let past = after(hours: -1000)
        let again = pool.sample(at: past)
        let first = fresh.sample(at: past)
        #expect(again == first)
        for milliseconds in [Int64.min, .max, 0] {
            let sample = pool.sample(at: Timestamp(milliseconds: milliseconds))
            #expect(sample?.pairs.allSatisfy { $0.quantity.plausibleRange.contains($0.value) } == true)
        }
    }
}

@Suite struct ProbePayloadTests {
    @Test func `X1 P43 the JSON of a sample has the key ph and a time in milliseconds`() {
        let bytes = ProbePayload.json(
            [.temperature: 25, .ph: 7.24, .chlorine: 1.5, .orp: 650], at: noon.advanced(byMilliseconds: 250))
        #expect(
            text(bytes)
                == #"{"temperature":25,"ph":7.24,"chlorine":1.5,"orp":650,"timestamp":"2026-06-01T12:00:00.250Z"}"#)
    }

    @Test func `P50 the text form of a sample is the documented one`() {
        #expect(
            text(ProbePayload.text([.temperature: 24.5, .ph: 7.2, .chlorine: 1.8, .orp: 685]))
                == "temp:24.5,ph:7.2,chlorine:1.8,orp:685")
    }

    @Test func `what a simulated probe publishes is decoded to exactly what it measured`() throws {
        var pool = SimulatedPool(seed: 20)
        let decoder = PayloadDecoder()
        for step in 0..<2000 as Range<Int64> {
            let moment = noon.advanced(byMilliseconds: step * 61_337)
            guard let sample = pool.sample(at: moment) else { continue }
            let json = decoder.decode(ProbePayload.json(sample, at: moment), receivedAt: moment, isRetained: false)
            #expect(json.decoded?.values == sample)
            #expect(json.decoded?.sampledAt == moment)
            #expect(json.decoded?.timeQuality == .device)
            #expect(json.decoded?.remarks == [])
            let text = decoder.decode(ProbePayload.text(sample), receivedAt: moment, isRetained: false)
            #expect(text.decoded?.values == sample)
        }
    }

    @Test func `numbers that are not finite and quantities that are missing are left out`() {
        #expect(text(ProbePayload.text([.ph: .nan, .orp: 650])) == "orp:650")
        #expect(text(ProbePayload.json([:], at: noon)) == #"{"timestamp":"2026-06-01T12:00:00.000Z"}"#)
    }
}
