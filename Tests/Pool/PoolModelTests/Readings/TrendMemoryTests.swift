import PoolSamples
import TestSupport
import Testing

@testable import PoolModel

/// The trend computed from an hour of readings.
@Suite struct TrendMemoryTests {
    private func before(_ count: Int64) -> Timestamp { noon.advanced(byMilliseconds: -seconds(count)) }

    /// A memory of readings that end now, at a constant interval in seconds.
    private func memory(
        _ quantity: Quantity = .ph, every interval: Int64 = 60, over length: Int64 = 3540,
        _ value: (_ secondsAgo: Int64) -> Double?
    ) -> TrendMemory {
        var memory = TrendMemory()
        for age in stride(from: length, through: 0, by: -Int(interval)) {
            if let value = value(Int64(age)) { memory.record([quantity: value], at: before(Int64(age))) }
        }
        return memory
    }

    private func trend(
        _ memory: TrendMemory, _ quantity: Quantity = .ph, calibrations: CalibrationSeries = CalibrationSeries()
    ) -> Trend? { memory.trend(of: quantity, endingAt: noon, calibrations: calibrations) }

    private func calibration(from start: Timestamp, slope: Double = 1, offset: Double = 0) -> Calibration {
        Calibration(
            slope: slope, offset: offset, method: .zeroPoint, points: [], validFrom: start, madeAt: start, author: "hub"
        )
    }

    @Test(arguments: Quantity.allCases, [10, 60, 300] as [Int64])
    func `a trend is the change over the hour, by a threshold for each quantity`(quantity: Quantity, interval: Int64) {
        // The trend of a straight line, with readings at a constant interval.
        func line(_ change: Double) -> Trend? {
            trend(memory(quantity, every: interval, over: 3500) { 5 - change * Double($0) / 3500 }, quantity)
        }
        let (least, fast) = (quantity.facts.leastChange, quantity.facts.fastChange)
        #expect(line(0) == .steady)
        #expect(line(0.9 * least) == .steady)
        #expect(line(-0.9 * least) == .steady)
        #expect(line(1.1 * least) == .climbing)
        #expect(line(-1.1 * least) == .easing)
        #expect(line(0.9 * fast) == .climbing)
        #expect(line(-0.9 * fast) == .easing)
        #expect(line(1.1 * fast) == .rising)
        #expect(line(-1.1 * fast) == .falling)
    }

    @Test(arguments: [
        (Quantity.temperature, 0.1), (.ph, 0.02), (.chlorine, 0.05), (.orp, 5),
    ])
    func `the noise of a probe is steady`(quantity: Quantity, noise: Double) {
        var generator = SplitMix64(seed: 7)
        for interval in [10, 60, 300] as [Int64] {
            for _ in 0..<50 {
                let noisy = memory(quantity, every: interval) { _ in
                    5 + Double.random(in: -noise...noise, using: &generator)
                }
                #expect(trend(noisy, quantity) == .steady)
            }
        }
    }

    @Test(arguments: [60, 600] as [Int64])
    func `one wild reading makes no trend, wherever it is`(interval: Int64) {
        for wild in stride(from: 3540, through: 0, by: -Int(interval)) {
            let memory = memory(every: interval) { $0 == Int64(wild) ? 9 : 7.2 }
            #expect(trend(memory) == .steady, "\(wild) s ago")
        }
    }

    @Test func `a fast fall shows after minutes, steadiness after half an hour`() {
        let fall = memory(over: 240) { 7.2 + Double($0) / 240 }
        #expect(trend(fall) == .falling)
        #expect(trend(memory(over: 1740) { _ in 7.2 }) == nil)
        #expect(trend(memory(over: 1800) { _ in 7.2 }) == .steady)
    }

    @Test func `readings of three minutes are too few`() {
        #expect(trend(TrendMemory()) == nil)
        #expect(trend(memory(every: 1, over: 110) { 7.2 + Double($0) / 110 }) == nil)
        #expect(trend(memory(every: 1800, over: 3540) { 7.2 + Double($0) / 3540 }) == nil)
        #expect(trend(memory(every: 60, over: 240) { 7.2 + Double($0) / 170 }, .orp) == nil)
    }

    @Test func `a gap within the hour is passed over, one that is longer begins anew`() {
        let gap = memory { (600...3000).contains($0) ? nil : 7.2 + Double($0) / 36_000 }
        #expect(trend(gap) == .easing)
        let long = memory(over: 8000) { (120...3700).contains($0) ? nil : 7.2 + Double($0) / 3600 }
        #expect(trend(long) == nil)
    }

    @Test func `the order in which readings come does not matter`() {
        var generator = SplitMix64(seed: 9)
        // Values whose sums are exact.
        let readings = (0..<180).map { (age: Int64($0) * 20, value: Double($0) / 8) }
        var inOrder = TrendMemory()
        for reading in readings.reversed() { inOrder.record([.ph: reading.value], at: before(reading.age)) }
        var shuffled = TrendMemory()
        for reading in readings.shuffled(using: &generator) {
            shuffled.record([.ph: reading.value], at: before(reading.age))
        }
        #expect(shuffled == inOrder)
    }

    @Test func `what was before the hour does not count`() {
        #expect(trend(memory(over: 10_000) { $0 > 3600 ? 9 : 7.2 }) == .steady)
        #expect(trend(memory(over: 10_000) { $0 > 1800 ? 9 : 7.2 }) == .falling)
    }

    @Test func `a new calibration is no trend of the water`() {
        let memory = memory { _ in 7.2 }
        let begun = CalibrationSeries([calibration(from: before(2400), offset: 0.3)])
        let justBegun = CalibrationSeries([
            calibration(from: before(9000), offset: -0.1), calibration(from: before(600), offset: 0.3),
        ])
        #expect(trend(memory, calibrations: begun) == .steady)
        #expect(trend(memory, calibrations: justBegun) == nil, "too little is known since")
        // Another probe in the same water with its own calibration: the raw values jump, the corrected ones do not.
        let replaced = self.memory { $0 > 2400 ? 7.5 : 7.2 }
        #expect(trend(replaced) == .falling)
        #expect(trend(replaced, calibrations: begun) == .steady)
    }

    @Test func `the change is that of the corrected values`() {
        let rise = memory { 7.2 - 0.04 * Double($0) / 3540 }
        #expect(trend(rise) == .steady)
        let steep = CalibrationSeries([calibration(from: before(90_000), slope: 1.5)])
        #expect(trend(rise, calibrations: steep) == .climbing)
    }

    @Test func `late readings and any other order give the same`() {
        var generator = SplitMix64(seed: 3)
        let readings = (0..<240).map { (Int64($0) * 30, 7 + Double.random(in: 0...0.5, using: &generator)) }
        var inOrder = TrendMemory()
        for (age, value) in readings.reversed() { inOrder.record([.ph: value], at: before(age)) }
        for _ in 0..<10 {
            var shuffled = TrendMemory()
            for (age, value) in readings.shuffled(using: &generator) { shuffled.record([.ph: value], at: before(age)) }
            #expect(trend(shuffled) == trend(inOrder))
            #expect(shuffled.minuteCount == 60)
        }
    }

    @Test func `after the clock was set back the earlier hour counts`() {
        var memory = TrendMemory()
        for minute in 0..<60 as Range<Int64> { memory.record([.ph: 7.2], at: before(-90_000 - 60 * minute)) }
        for minute in (0..<40).reversed() as [Int64] {
            memory.forget(.ph, after: before(60 * minute))
            memory.record([.ph: 7.2 + Double(minute) / 100], at: before(60 * minute))
        }
        #expect(trend(memory) == .falling)
    }

    @Test func `what was deleted does not count`() {
        var memory = memory { $0 > 1800 ? 9 : 7.2 }
        memory.forget(from: before(4000), through: before(1860))
        #expect(trend(memory) == .steady)
        memory.forget(from: before(4000), through: noon)
        #expect(trend(memory) == nil)
    }

    @Test func `memory is bounded, and nothing traps`() {
        var memory = memory(every: 1, over: 40_000) { Double($0) }
        #expect(memory.minuteCount == 60)
        for value in [Double.nan, .infinity, 1e308, -1e308] {
            for milliseconds in [0, Int64.min, .max, noon.milliseconds, noon.milliseconds - 60_000] {
                let moment = Timestamp(milliseconds: milliseconds)
                memory.record([.ph: value, .orp: value], at: moment)
                _ = memory.trend(of: .ph, endingAt: moment, calibrations: CalibrationSeries())
                memory.forget(.orp, after: moment)
            }
        }
        #expect(memory.minuteCount <= 120)
    }
}
