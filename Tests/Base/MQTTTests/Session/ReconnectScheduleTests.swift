import Primitives
import Testing

@testable import MQTT

@Suite struct ReconnectScheduleTests {
    @Test func `the wait doubles up to its end, and hubs that fail together come back apart`() {
        // P14
        var generator = SplitMix64(seed: 1)
        var schedule = ReconnectSchedule()
        for failure in 0..<10 {
            let ceiling = min(schedule.longest, schedule.shortest * (1 << failure))
            var waits: [Duration] = []
            for _ in 0..<100 {
                var copy = schedule
                waits.append(copy.wait(afterConnectionOf: nil, using: &generator))
            }
            #expect(waits.allSatisfy { $0 >= ceiling / 2 && $0 <= ceiling })
            #expect(Set(waits).count > 90)
            _ = schedule.wait(afterConnectionOf: nil, using: &generator)
        }
    }

    @Test func `failures are forgotten only after a connection that lasted`() {
        var schedule = ReconnectSchedule()
        var generator = SplitMix64(seed: 1)
        for _ in 0..<5 {
            _ = schedule.wait(afterConnectionOf: nil, using: &generator)
        }
        _ = schedule.wait(afterConnectionOf: .seconds(1), using: &generator)
        #expect(schedule.failureCount == 6)
        _ = schedule.wait(afterConnectionOf: schedule.proof, using: &generator)
        #expect(schedule.failureCount == 1)
    }

    @Test func `what a person must mend is tried slowly`() {
        var schedule = ReconnectSchedule()
        var generator = SplitMix64(seed: 1)
        let wait = schedule.wait(afterConnectionOf: nil, needsAttention: true, using: &generator)
        #expect(wait >= ReconnectSchedule.attentionPause / 2)
    }
}
