import PoolSamples
import Testing

@testable import PoolAlerts
@testable import PoolModel

@Suite struct AlertCooldownTests {
    private func alerted() -> AlertBench {
        var bench = AlertBench()
        bench.value(8.1)
        return bench
    }

    @Test func `P66 the second alert comes at exactly the cooldown, and each pause is twice the last`() {
        var bench = alerted()
        #expect(bench.notices.count == 1)
        bench.wait(299_999)
        bench.value(8.1)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.kinds == [.raised, .repeated])
        bench.wait(599_999)
        #expect(bench.notices.count == 2)
        bench.wait(1)
        #expect(bench.notices.map(\.repeats) == [0, 1, 2])
        bench.wait(86_400_000)
        // 20 min, 40 min … 6 h, 6 h, 6 h.
        #expect((8...12).contains(bench.notices.count))
    }

    @Test(arguments: [60, 3600])
    func `P66 the cooldown is what the settings say`(seconds: Int) {
        var settings = AlertSettings()
        settings.cooldownSeconds = seconds
        var bench = AlertBench(settings)
        bench.value(8.1)
        bench.wait(Int64(seconds) * 1000 - 1)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.notices.count == 2)
    }

    @Test(arguments: [-86_400_000, 86_400_000, -3_000_000_000_000, 3_000_000_000_000] as [Int64])
    func `P66 a clock that jumps neither shortens the cooldown nor freezes it`(jump: Int64) throws {
        var bench = alerted()
        bench.wait(100_000)
        bench.moment.wall = bench.moment.wall.advanced(byMilliseconds: jump)
        bench.put(.timePassed)
        bench.value(8.1)
        bench.wait(100_000)
        // The same applies if the process restarts meanwhile.
        try bench.restart()
        bench.wait(99_999)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.notices.count == 2)
    }

    @Test func `the cooldown goes on over a boot, and a clock set back there only makes it longer`() throws {
        var bench = alerted()
        bench.moment.wall = bench.moment.wall.advanced(byMilliseconds: 200_000)
        try bench.restart(bootID: 8)
        bench.wait(99_999)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.notices.count == 2)
        bench.moment.wall = Timestamp(milliseconds: 0)
        try bench.restart(bootID: 9)
        bench.wait(599_999)
        #expect(bench.notices.count == 2)
        bench.wait(1)
        #expect(bench.notices.count == 3)
    }

    @Test func `X15 what was not delivered uses up no cooldown`() {
        var bench = AlertBench()
        bench.answer = .failed
        bench.value(8.1)
        bench.wait(4999)
        #expect(bench.sent.count == 1)
        bench.answer = .delivered
        bench.wait(1)
        #expect(bench.sent.count == 2)
        #expect(bench.notices.count == 1)
        bench.wait(299_999)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.notices.count == 2)
    }

    @Test func `X15 low and high, devices and quantities have cooldowns of their own`() {
        var bench = alerted()
        bench.value(6.4)
        bench.value(6.4, sampledAt: noon.advanced(byMilliseconds: 1))
        bench.value(8.1, device: 2)
        bench.value(950, .orp)
        #expect(bench.kinds.filter { $0 == .raised }.count == 4)
    }

    @Test func `P69 without permission there is no alert, and with it the alert that is due`() {
        var bench = AlertBench(
            AlertSettings(),
            authorizations: [
                .terminal: .denied, .desktop: .denied, .watchUserInfo: .denied, .watchComplication: .granted,
            ])
        bench.values([8.1, 8.1])
        #expect(bench.sent.isEmpty)
        #expect(bench.engine.state.alerts.count == 1)
        bench.put(.authorization(.desktop, .granted))
        #expect(bench.kinds == [.raised])
        #expect(bench.sent.first?.channels == [.desktop, .watchComplication])
    }

    @Test func `P69 the permission is asked for at the first alert, once`() {
        var bench = AlertBench(AlertSettings(), authorizations: [:])
        bench.values([7.4])
        #expect(bench.asked.isEmpty)
        bench.values([8.1, 8.1])
        bench.wait(3_600_000)
        #expect(bench.asked == [.desktop, .watchUserInfo, .watchComplication])
        #expect(bench.sent.allSatisfy { $0.channels == [.terminal] })
    }

    @Test func `X15 a refusal by the channel takes nothing from the cooldown`() {
        var bench = AlertBench(AlertSettings(), authorizations: [.terminal: .denied, .desktop: .granted])
        bench.answer = .denied
        bench.value(8.1)
        #expect(bench.sent.count == 1)
        bench.wait(86_400_000)
        #expect(bench.sent.count == 1)
        bench.answer = .delivered
        bench.put(.authorization(.desktop, .granted))
        #expect(bench.kinds == [.raised, .raised])
        #expect(bench.notices.last?.repeats == 0)
    }

    @Test func `X15 a repetition that reaches nobody does not count as one`() {
        var bench = alerted()
        bench.answer = .failed
        bench.wait(7_200_000)
        #expect(bench.notices.count > 2)
        #expect(bench.notices.dropFirst().allSatisfy { $0.kind == .repeated && $0.repeats == 1 })
    }

    @Test func `an alert that was acknowledged and gets worse is told, and repeated like a new one`() throws {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        bench.put(.acknowledge(try #require(bench.notices.first).episodeID))
        bench.value(8.1)
        #expect(bench.kinds == [.raised, .escalated])
        #expect(bench.engine.state.alerts.first?.isAcknowledged == false)
        bench.wait(300_000)
        #expect(bench.kinds == [.raised, .escalated, .repeated])
    }

    @Test func `an acknowledgement ends the repetition, and a stale one does not reach the next episode`() throws {
        var bench = alerted()
        let id = try #require(bench.notices.first).episodeID
        bench.put(.acknowledge(id))
        bench.wait(86_400_000)
        #expect(bench.notices.count == 1)
        #expect(bench.engine.state.alerts.first?.isAcknowledged == true)
        bench.values([7.4, 7.4, 8.1])
        #expect(bench.kinds == [.raised, .recovered, .raised])
        bench.put(.acknowledge(id))
        bench.wait(300_000)
        #expect(bench.kinds.last == .repeated)
    }

    @Test func `a snooze lasts as long as it says, over a restart, and an escalation passes it`() throws {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        let id = try #require(bench.notices.first).episodeID
        bench.put(.snooze(id, seconds: 3600))
        try bench.restart()
        bench.wait(3_599_999)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.kinds == [.raised, .repeated])
        bench.put(.snooze(id, seconds: 3600))
        #expect(bench.engine.state.alerts.first?.snoozedUntil == bench.moment.wall.advanced(byMilliseconds: 3_600_000))
        bench.value(8.1)
        #expect(bench.kinds == [.raised, .repeated, .escalated])
    }

    @Test(
        arguments: [
            (-1, nil), (0, 32_400_000), (7_199_999, 25_200_001), (7_200_000, 25_200_000), (32_399_999, 1),
            (32_400_000, nil),
        ] as [(Int64, Int64?)])
    func `quiet hours over midnight begin and end to the millisecond`(sinceTen: Int64, left: Int64?) {
        let hours = QuietHours(startMinute: 22 * 60, endMinute: 7 * 60)
        let moment = AlertTime(wall: noon.advanced(byMilliseconds: 36_000_000 + sinceTen), uptimeMilliseconds: 0)
        #expect(hours.millisecondsLeft(at: moment) == left)
    }

    @Test func `quiet hours hold warnings back, let critical ones pass, and tell at their end what still is so`() {
        var settings = AlertSettings()
        // Noon in UTC is 22:00 at the pool.
        settings.quietHours = QuietHours(startMinute: 22 * 60, endMinute: 7 * 60)
        var bench = AlertBench(settings)
        bench.moment.utcOffsetSeconds = 36_000
        bench.values([7.7, 7.7])
        bench.value(950, .orp)
        #expect(bench.notices.map(\.key.quantity) == [.orp])
        bench.values([700, 700], .orp)
        #expect(bench.notices.count == 1)
        let left = 9 * 3_600_000 - bench.moment.wall.milliseconds(since: noon)
        bench.wait(left - 1)
        #expect(bench.notices.count == 1)
        bench.wait(1)
        #expect(bench.notices.dropFirst().map(\.kind) == [.recovered, .raised])
    }
}
