import MQTT
import PoolDecoding
import PoolModel
import Testing
import WaterChemistry

@testable import poolsensors

@Suite struct ProbePlanTests {
    static func plan(
        devices: Int = 1, rate: Double = 1, seed: UInt64 = 1,
        start: Timestamp = Timestamp(milliseconds: 1_780_000_000_000), speed: Double = 1, count: Int? = nil,
        format: ProbeFormat = .json
    ) throws -> ProbePlan {
        ProbePlan(
            topics: try ProbePlan.topics(prefix: "pool", count: devices), rate: rate, seed: seed, profile: .garden,
            format: format, isRetained: false, qualityOfService: .atLeastOnce,
            start: start, speed: speed, count: count)
    }

    @Test func `devices take turns at equal distances`() throws {
        let plan = try Self.plan(devices: 2, rate: 1)
        let slots = (0..<4).map { plan.slot($0) }

        #expect(slots.map(\.device) == [0, 1, 0, 1])
        #expect(slots.map(\.due) == [.zero, .milliseconds(500), .seconds(1), .milliseconds(1500)])
        #expect(slots.map { $0.moment.milliseconds - plan.start.milliseconds } == [0, 500, 1000, 1500])
    }

    @Test func `a pool that lives faster is sampled at greater distances of its own time`() throws {
        let plan = try Self.plan(rate: 10, speed: 3600)

        #expect(plan.slot(1).due == .milliseconds(100))
        #expect(plan.slot(1).moment.milliseconds - plan.start.milliseconds == 360_000)
    }

    @Test func `a probe is not silent from its start on, though the pool's probe is at that time`() throws {
        // A probe that was started in such ten minutes published nothing, and a test waited for their end.
        var plan = try Self.plan(rate: 0.1)
        var pool = SimulatedPool(seed: plan.seed)
        let span = SimulatedPool.outageMilliseconds
        func isOut(_ moment: Timestamp) -> Bool {
            (0..<10).allSatisfy { pool.sample(at: moment.advanced(byMilliseconds: $0 * span / 10)) == nil }
        }
        let spans = (0..<2000).map { Timestamp(milliseconds: plan.start.milliseconds / span * span + $0 * span) }
        let outage = try #require(spans.first(where: isOut))
        func silentShare(minutes: Range<Int64>) -> Double {
            var source = ProbeSource(plan)
            while source.take(elapsed: .seconds(minutes.lowerBound * 60 - 1)) != nil {}
            let before = source.silentCount
            while source.take(elapsed: .seconds(minutes.upperBound * 60 - 1)) != nil {}
            return Double(source.silentCount - before) / Double(minutes.count * 6)
        }

        plan.start = outage
        #expect(silentShare(minutes: 1..<10) < 0.2)
        plan.start = outage.advanced(byMilliseconds: -span)
        #expect(silentShare(minutes: 10..<20) == 1)
    }

    @Test func `no two samples of a device have the same time, at the highest rate and after a day`() throws {
        let plan = try Self.plan(devices: 3, rate: 1000)
        let start = 3 * 86_400_000
        let moments = (start..<start + 3000).map { plan.slot($0) }.filter { $0.device == 1 }.map(\.moment)

        #expect(Set(moments).count == moments.count)
        #expect(moments == moments.sorted())
    }

    @Test func `the pH of the first device leaves its limits when the acid runs out, and comes back`() throws {
        var plan = try Self.plan(devices: 2)
        plan.acidRunsOut = .seconds(10)
        func ph(_ ph: Double, device: Int, at seconds: Int) -> Double {
            plan.ph(ph, of: .init(device: device, due: .seconds(seconds), moment: plan.start))
        }
        #expect(ph(7.3, device: 0, at: 10) == 7.3)
        let rise = (10...30).map { ph(7.3, device: 0, at: $0) }
        #expect(rise == rise.sorted() && rise.last == 7.85)
        #expect(zip(rise, rise.dropFirst()).allSatisfy { $1 - $0 < Quantity.ph.facts.plausibleJump / 4 })
        let limits = Quantity.ph.facts.limits
        #expect(ph(7.3, device: 0, at: 120) > limits.high && ph(7.3, device: 0, at: 120) < limits.criticalHigh)
        #expect(ph(7.3, device: 0, at: 300) == 7.3)
        #expect(ph(7.3, device: 1, at: 120) == 7.3, "the other device keeps its acid")
    }

    @Test func `a sample is taken when it is due and not before`() throws {
        var source = ProbeSource(try Self.plan(rate: 1))

        let first = source.take(elapsed: .zero)
        #expect(first?.number == 0)
        #expect(source.take(elapsed: .milliseconds(999)) == nil)
        #expect(source.nextDue == .seconds(1))
        #expect(source.take(elapsed: .seconds(1)) != nil)
    }

    @Test func `the same seed gives the same samples`() throws {
        var (left, right) = (ProbeSource(try Self.plan(devices: 2)), ProbeSource(try Self.plan(devices: 2)))

        for _ in 0..<100 { #expect(left.take(elapsed: .seconds(1000)) == right.take(elapsed: .seconds(1000))) }
    }

    @Test func `a count counts what is published, and silence is told apart`() throws {
        var source = ProbeSource(try Self.plan(rate: 1000, count: 500))
        var taken: [ProbeSource.Sample] = []
        while let sample = source.take(elapsed: .seconds(1_000_000)) { taken.append(sample) }

        #expect(taken.count == 500)
        #expect(taken.map(\.number) == Array(0..<500))
        #expect(source.isExhausted)
        #expect(source.nextDue == nil)
        // One sample in a hundred is left out.
        #expect(source.silentCount > 0)
    }

    @Test func `each notation is one that the hub reads`() throws {
        let decoder = PayloadDecoder()
        for format in ProbeFormat.allCases {
            var source = try ProbeSource(Self.plan(format: format))
            let taken = source.take(elapsed: .zero)
            let sample = try #require(taken)
            let outcome = decoder.decode(
                sample.payload, receivedAt: Timestamp(milliseconds: 1_780_000_000_000), isRetained: false)
            guard case .decoded(let payload) = outcome else {
                Issue.record("\(format): \(outcome)")
                continue
            }
            #expect(!payload.values.isEmpty)
        }
    }
}
