import PoolSamples
import Testing

@testable import PoolModel

/// How often a device reports, as learnt from its readings.
@Suite struct IntervalMemoryTests {
    /// Readings at these times in seconds, and the interval after each.
    private func intervals(
        _ times: [Int64], from first: Int, memory: inout IntervalMemory, isContinuous: Bool = true
    ) -> [Int] {
        var interval = first
        return times.map { time in
            let moment = noon.advanced(byMilliseconds: seconds(time))
            interval = memory.note(moment, isContinuous: isContinuous, interval: interval) ?? interval
            return interval
        }
    }

    @Test func `the first gap that is known counts at once`() {
        var memory = IntervalMemory()
        #expect(intervals([0, 3600, 7200], from: 300, memory: &memory) == [300, 3600, 3600])
    }

    @Test func `a burst says little, and a later gap grows the interval when it comes again`() {
        var memory = IntervalMemory()
        #expect(intervals([0, 2, 4, 604, 606, 1206], from: 300, memory: &memory) == [300, 300, 300, 300, 300, 600])
    }

    @Test func `one long gap is an outage`() {
        var memory = IntervalMemory()
        let times = [0, 60, 120, 30_000] + (1...100).map { 30_000 + 60 * $0 }
        #expect(intervals(times.map(Int64.init), from: 60, memory: &memory).allSatisfy { $0 == 60 })
    }

    @Test func `what the hub missed is no gap`() {
        var memory = IntervalMemory()
        #expect(intervals([0, 3600, 7200], from: 300, memory: &memory, isContinuous: false) == [300, 300, 300])
    }

    @Test func `it shrinks after a day at the earliest, and never below what was seen in it`() {
        var memory = IntervalMemory()
        var times = (0...1400).map { Int64($0) * 60 }
        let early = intervals(times, from: 900, memory: &memory)
        #expect(early.allSatisfy { $0 == 900 })
        times = (1401...1500).map { Int64($0) * 60 }
        #expect(intervals(times, from: 900, memory: &memory).last == 60)
    }

    @Test func `a pause each night stays known`() {
        var memory = IntervalMemory()
        // Every ten minutes, but four hours of silence at night.
        let times = (0..<8).flatMap { day in (0..<120).map { Int64(day) * 86_400 + Int64($0) * 600 } }
        let all = intervals(times, from: 14_400, memory: &memory)
        #expect(all.allSatisfy { $0 == 14_400 })
    }

    @Test func `it is never less than a minute, and values of one sample are one reading`() {
        var memory = IntervalMemory()
        let times = (0...20_000).flatMap { [Int64($0) * 10, Int64($0) * 10] }
        #expect(intervals(times, from: 300, memory: &memory).last == 60)
    }
}
