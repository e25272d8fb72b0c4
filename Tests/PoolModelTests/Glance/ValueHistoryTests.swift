import Testing

@testable import PoolModel

@Suite struct ValueHistoryTests {
    private func after(_ count: Int64) -> Timestamp { noon.advanced(byMilliseconds: seconds(count)) }

    private func small() -> ValueHistory {
        var configuration = ValueHistory.Configuration()
        configuration.windowSeconds = 100
        configuration.columnCount = 10
        configuration.slotsPerColumn = 2
        return ValueHistory(configuration: configuration)
    }

    @Test func `a day is drawn in 42 columns, the newest last, with its gaps`() {
        var history = ValueHistory()
        history.record([.ph: 7.0], at: after(-86_400 + 1))
        history.record([.ph: 7.2], at: after(-43_200))
        history.record([.ph: 7.4], at: after(0))
        history.record([.ph: 1.0], at: after(-86_400))

        let columns = history.columns(of: .ph, now: noon)

        #expect(columns.count == 42)
        #expect(columns[0] == 7.0)
        #expect(columns[20] == 7.2)
        #expect(columns[41] == 7.4)
        #expect(columns.compactMap { $0 }.count == 3)
        #expect(history.columns(of: .orp, now: noon) == [])
    }

    @Test(
        arguments: [
            (0, 9), (9999, 9), (10_000, 8), (19_999, 8), (99_999, 0), (100_000, nil), (1_000_000, nil), (-1, 9),
            (-9999, 9),
            (-10_000, nil),
        ] as [(Int64, Int?)])
    func `a sample stands in the column of its age`(milliseconds: Int64, column: Int?) {
        var history = small()
        history.record([.ph: 7], at: noon.advanced(byMilliseconds: -milliseconds))

        let columns = history.columns(of: .ph, now: noon)

        #expect(columns.firstIndex { $0 != nil } == column)
        #expect(columns.isEmpty == (column == nil))
    }

    @Test func `the columns move with the moment alone`() {
        var history = small()
        for second in 0..<100 as Range<Int64> { history.record([.ph: Double(second)], at: after(second)) }
        let untouched = history

        #expect(history.columns(of: .ph, now: after(99)) == history.columns(of: .ph, now: after(99)))
        #expect(history.columns(of: .ph, now: after(109)).suffix(1) == [nil])
        #expect(history.columns(of: .ph, now: after(10_000)) == [])
        #expect(history == untouched)
        // Of each five-second slot the newest sample is kept: 4, 9, 14 …, two for each column.
        #expect(history.columns(of: .ph, now: after(99)) == (0..<10).map { Double($0) * 10 + 6.5 })
    }

    @Test func `the order of recording and repeated samples do not matter`() {
        var generator = SplitMix64(seed: 2)
        let samples = (0..<300).map { ($0, Double.random(in: 0..<10, using: &generator)) }
        var inOrder = small()
        for (second, value) in samples { inOrder.record([.orp: value], at: after(Int64(second))) }
        for _ in 0..<10 {
            var shuffled = small()
            for (second, value) in (samples + samples.prefix(50)).shuffled(using: &generator) {
                shuffled.record([.orp: value], at: after(Int64(second)))
            }
            #expect(shuffled.columns(of: .orp, now: after(299)) == inOrder.columns(of: .orp, now: after(299)))
        }
    }

    @Test func `memory is bounded at any rate of samples`() {
        var history = ValueHistory()
        for step in 0..<100_000 as Range<Int64> { history.record([.ph: 7], at: after(step)) }
        #expect(history.sampleCount <= 42 * 8 + 1 + 8)
        #expect(history.columns(of: .ph, now: after(99_999)).allSatisfy { $0 == 7 })
    }

    @Test func `a value that is not finite is left out`() {
        var history = ValueHistory()
        history.record([.ph: .nan, .orp: .infinity], at: noon)
        #expect(history.sampleCount == 0)
    }

    @Test func `X18 a value of unknown age is no point of a chart`() {
        var readings = DeviceReadings(deviceID: lagoon.id)
        readings.absorb(message([.ph: 7], sampledAt: nil, quality: .unknown, receivedAt: noon, isRetained: true))
        readings.absorb(message([.orp: 650], sampledAt: noon, receivedAt: noon))
        var history = ValueHistory()

        history.record(readings)
        history.record(readings)

        #expect(history.columns(of: .ph, now: noon) == [])
        #expect(history.columns(of: .orp, now: noon).last == 650)
    }

    /// The gauge of pH spans 3.2, four times its normal range.
    @Test(arguments: [
        (0.0, Glance.Trend.steady), (0.0255, .steady), (-0.0255, .steady), (0.0257, .climbing), (-0.0257, .easing),
        (0.127, .climbing), (0.129, .rising), (-0.127, .easing), (-0.129, .falling), (5, .rising),
    ])
    func `a trend is a change of more than 0.8 % of the gauge`(change: Double, trend: Glance.Trend) {
        var history = ValueHistory()
        for step in 0..<8 as Range<Int64> {
            history.record([.ph: 7 + change * Double(step) / 7], at: after(step * 60))
        }
        #expect(history.trend(of: .ph, limits: .standard(for: .ph)) == trend)
    }

    @Test func `the trend is that of the last eight samples, in any order of arrival`() {
        var history = ValueHistory()
        for step in (0..<30).reversed() as [Int64] {
            history.record([.ph: step < 22 ? Double(step) : 22 - Double(step) / 10], at: after(step * 60))
        }
        #expect(history.trend(of: .ph, limits: .standard(for: .ph)) == .falling)
    }

    @Test(arguments: [(Quantity.temperature, 40.0), (.ph, 3.2), (.chlorine, 6), (.orp, 600)])
    func `the gauge of a quantity ends where water does`(quantity: Quantity, span: Double) {
        #expect((Limits.standard(for: quantity).gaugeSpan(of: quantity) - span).magnitude < 1e-12)
    }

    @Test func `a trend needs three samples of different moments and a gauge`() {
        var history = ValueHistory()
        history.record([.ph: 7.0], at: after(0))
        history.record([.ph: 7.5], at: after(60))
        history.record([.ph: 7.6], at: after(60))
        #expect(history.trend(of: .ph, limits: .standard(for: .ph)) == nil)

        history.record([.ph: 7.6], at: after(120))
        #expect(history.trend(of: .ph, limits: .standard(for: .ph)) == .rising)
        #expect(history.trend(of: .ph, limits: Limits(criticalLow: 1, low: 2, high: 2, criticalHigh: 3)) == nil)
        #expect(history.trend(of: .orp, limits: .standard(for: .orp)) == nil)
    }

    @Test func `extreme shapes and moments do not trap`() {
        for extreme in [Int.min, 0, .max] {
            var configuration = ValueHistory.Configuration()
            configuration.windowSeconds = extreme
            configuration.columnCount = extreme == .max ? 3 : extreme
            configuration.slotsPerColumn = extreme
            configuration.trendSampleCount = extreme
            var history = ValueHistory(configuration: configuration)
            for milliseconds in [0, Int64.min, .max, 5] {
                history.record([.ph: 7], at: Timestamp(milliseconds: milliseconds))
                _ = history.columns(of: .ph, now: Timestamp(milliseconds: milliseconds))
                _ = history.trend(of: .ph, limits: .standard(for: .ph))
            }
        }
    }
}
