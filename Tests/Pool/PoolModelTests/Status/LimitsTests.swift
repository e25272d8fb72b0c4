import TestSupport
import Testing

@testable import PoolModel

@Suite struct LimitsTests {
    // P72 and P73: the documented bands, in the order of X14.
    @Test(arguments: [
        (Quantity.temperature, [15.0, 20, 30, 35]), (.ph, [6.5, 6.8, 7.6, 8.0]), (.chlorine, [0.5, 1, 3, 5]),
        (.orp, [500, 600, 800, 900]),
    ])
    func `P72 P73 the standard limits judge each edge and both its sides`(quantity: Quantity, bounds: [Double]) {
        let limits = quantity.facts.limits
        #expect([limits.criticalLow, limits.low, limits.high, limits.criticalHigh] == bounds)
        #expect(limits.isOrdered)
        let table: [(Double, Status, Limits.Deviation?)] = [
            (bounds[0].nextDown, .critical, .low), (bounds[0], .warning, .low), (bounds[1].nextDown, .warning, .low),
            (bounds[1], .normal, nil), ((bounds[1] + bounds[2]) / 2, .normal, nil), (bounds[2], .normal, nil),
            (bounds[2].nextUp, .warning, .high), (bounds[3], .warning, .high), (bounds[3].nextUp, .critical, .high),
        ]
        for (value, status, deviation) in table {
            #expect(limits.judge(value).status == status)
            #expect(limits.judge(value).deviation == deviation)
        }
    }

    @Test func `X14 whatever is critical is outside the normal range too`() {
        var generator = SplitMix64(seed: 14)
        for _ in 0..<5000 {
            let bounds = (0..<4).map { _ in Double.random(in: -10...10, using: &generator) }.sorted()
            let limits = Limits(criticalLow: bounds[0], low: bounds[1], high: bounds[2], criticalHigh: bounds[3])
            let value = Double.random(in: -12...12, using: &generator)
            let (status, deviation) = limits.judge(value)
            #expect((status == .critical) == (value < bounds[0] || value > bounds[3]))
            #expect((status == .normal) == (bounds[1]...bounds[2]).contains(value))
            #expect((deviation == nil) == (status == .normal))
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity])
    func `what is not a number is judged by nobody`(value: Double) {
        #expect(Quantity.ph.facts.limits.judge(value).status == .offline)
    }

    @Test func `limits may touch, except the two normal ones`() {
        #expect(Limits(criticalLow: 1, low: 1, high: 2, criticalHigh: 2).isOrdered)
        #expect(!Limits(criticalLow: 1, low: 1, high: 1, criticalHigh: 2).isOrdered)
    }
}

@Suite struct FreshnessTests {
    @Test(arguments: [
        (0, 60, Freshness.live), (180, 60, .live), (181, 60, .stale), (1200, 60, .stale), (1201, 60, .offline),
        (-5, 60, .live), (3, 1, .live), (4, 1, .stale), (3, 0, .live), (4, -9, .stale),
    ])
    func `P27 P32 three intervals are live, twenty stale, more offline`(age: Int, interval: Int, freshness: Freshness) {
        #expect(Freshness(ageSeconds: age, expectedIntervalSeconds: interval) == freshness)
    }

    @Test func `each freshness has its own word for programs`() {
        let labels = [Freshness.live, .stale, .offline, .lastKnown, .never].map(\.label)
        #expect(labels == ["live", "stale", "offline", "lastKnown", "never"])
    }
}

@Suite struct StatusTests {
    @Test func `P56 the states rise from normal to critical, and offline stands apart`() {
        #expect(Status.allCases.sorted() == [.normal, .warning, .critical, .offline])
        #expect(Set(Status.allCases.map(\.word)).count == 4)
    }
}
