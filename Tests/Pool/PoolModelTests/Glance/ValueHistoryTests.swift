import PoolSamples
import TestSupport
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
        // The newest sample of each five-second slot is kept: 4, 9, 14 …, two for each column.
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

    @Test func `of two samples of one moment the later one counts`() {
        var history = small()
        for value in [7.0, 8] { history.record([.ph: value], at: noon) }
        #expect(history.columns(of: .ph, now: noon).last == 8)
        #expect(history.range(of: .ph, now: noon) == 7...8)
    }

    @Test func `memory is bounded at any rate of samples`() {
        var history = ValueHistory()
        for step in 0..<100_000 as Range<Int64> { history.record([.ph: 7], at: after(step)) }
        #expect(history.sampleCount <= 42 * 8 + 1)
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

    private func latest(_ value: Double, at moment: Timestamp) -> LatestValue {
        LatestValue(value: value, sampledAt: moment, timeQuality: .device, receivedAt: moment)
    }

    @Test func `the newest value ends the columns, whatever the mean of its time is`() {
        var history = small()
        for second in 0..<100 as Range<Int64> { history.record([.ph: second < 99 ? 7.2 : 6.1], at: after(second)) }
        history.record(.ph, mean: 7.2, least: 6.1, greatest: 7.3, at: after(99))

        #expect(history.columns(of: .ph, now: after(99)).last == 7.2)
        let newest = latest(6.1, at: after(98))
        #expect(history.columns(of: .ph, endingWith: newest, now: after(99)).last == 6.1)
        // Later it is an older column, and there is no newer one.
        let later = history.columns(of: .ph, endingWith: newest, now: after(120))
        #expect(Array(later.suffix(3)) == [6.1, nil, nil])
        let old = history.columns(of: .ph, endingWith: latest(6.1, at: after(40)), now: after(99))
        #expect(Array(old.suffix(6)) == [6.1, nil, nil, nil, nil, nil])
        #expect(history.columns(of: .ph, endingWith: newest, now: after(1000)) == [])
    }

    @Test func `the range is that of all values, not of their means`() {
        var history = small()
        #expect(history.range(of: .ph, now: noon) == nil)
        history.record(.ph, mean: 7.2, least: 6.9, greatest: 7.9, at: after(0))
        history.record(.ph, mean: 7.3, least: 7.1, greatest: 7.4, at: after(20))
        history.record(.ph, mean: .nan, least: 1, greatest: 9, at: after(20))
        for second in 40..<50 as Range<Int64> { history.record([.ph: second == 43 ? 7.95 : 7.2], at: after(second)) }

        #expect(history.range(of: .ph, now: after(50)) == 6.9...7.95)
        #expect(history.range(of: .ph, endingWith: latest(6.1, at: after(50)), now: after(50)) == 6.1...7.95)
        #expect(history.range(of: .ph, now: after(110)) == 7.1...7.95)
        #expect(history.range(of: .ph, endingWith: latest(6.1, at: after(0)), now: after(110)) == 7.1...7.95)
    }

    @Test func `extreme shapes and moments do not trap`() {
        for extreme in [Int.min, 0, .max] {
            var configuration = ValueHistory.Configuration()
            configuration.windowSeconds = extreme
            configuration.columnCount = extreme == .max ? 3 : extreme
            configuration.slotsPerColumn = extreme
            var history = ValueHistory(configuration: configuration)
            for milliseconds in [0, Int64.min, .max, 5] {
                history.record([.ph: 7], at: Timestamp(milliseconds: milliseconds))
                _ = history.columns(of: .ph, now: Timestamp(milliseconds: milliseconds))
                _ = history.range(of: .ph, now: Timestamp(milliseconds: milliseconds))
            }
        }
    }
}
