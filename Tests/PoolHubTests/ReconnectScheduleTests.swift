import Testing

@testable import PoolHub

@Suite struct ReconnectScheduleTests {
    /// Always the greatest or the least of a range.
    private struct Extreme: RandomNumberGenerator {
        var isHigh: Bool
        mutating func next() -> UInt64 { isHigh ? .max : 0 }
    }

    @Test func `the wait doubles up to its end and is never less than half`() {
        // P14
        var most = ReconnectSchedule()
        var least = ReconnectSchedule()
        var high = Extreme(isHigh: true)
        var low = Extreme(isHigh: false)
        var longest: [Duration] = []
        for _ in 0..<10 {
            let upper = most.wait(afterConnectionOf: nil, needsAttention: false, using: &high)
            let lower = least.wait(afterConnectionOf: nil, needsAttention: false, using: &low)
            #expect(lower >= upper * 0.49)
            #expect(lower < upper)
            longest.append(upper)
        }
        #expect(longest == longest.sorted())
        #expect(longest[0] <= ReconnectSchedule.shortest)
        #expect(longest[9] <= ReconnectSchedule.longest)
        #expect(longest[9] > ReconnectSchedule.longest * 0.9)
    }

    @Test func `failures are forgotten only after a connection that lasted`() {
        var schedule = ReconnectSchedule()
        var generator = Extreme(isHigh: false)
        for _ in 0..<5 {
            _ = schedule.wait(afterConnectionOf: nil, needsAttention: false, using: &generator)
        }
        _ = schedule.wait(afterConnectionOf: .seconds(1), needsAttention: false, using: &generator)
        #expect(schedule.failureCount == 6)
        _ = schedule.wait(afterConnectionOf: ReconnectSchedule.proof, needsAttention: false, using: &generator)
        #expect(schedule.failureCount == 1)
    }

    @Test func `what a person must mend is tried slowly`() {
        var schedule = ReconnectSchedule()
        var generator = Extreme(isHigh: false)
        let wait = schedule.wait(afterConnectionOf: nil, needsAttention: true, using: &generator)
        #expect(wait >= ReconnectSchedule.attention * 0.49)
    }
}
