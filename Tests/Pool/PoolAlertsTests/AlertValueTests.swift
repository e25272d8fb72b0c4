import PoolSamples
import Testing

@testable import PoolAlerts
@testable import PoolModel

@Suite struct AlertValueTests {
    // P64 P74: each quantity on each side, with value and limit in the text.
    @Test(arguments: [
        (Quantity.temperature, Limits.Deviation.low, 18.0, "20.0 °C"), (.temperature, .high, 32, "30.0 °C"),
        (.ph, .low, 6.7, "6.80"), (.ph, .high, 7.7, "7.60"), (.chlorine, .low, 0.8, "1.00 mg/L"),
        (.chlorine, .high, 3.5, "3.00 mg/L"), (.orp, .low, 580, "600 mV"), (.orp, .high, 820, "800 mV"),
    ])
    func `P64 P74 each of eight directions alerts`(
        quantity: Quantity, side: Limits.Deviation, value: Double, limit: String
    ) throws {
        var bench = AlertBench()
        bench.values([value, value], quantity)
        let notice = try #require(bench.notices.first)
        #expect(bench.notices.count == 1)
        #expect(notice.kind == .raised)
        #expect(notice.key == .value(deviceID(1), quantity, side))
        #expect(notice.severity == .warning)
        #expect(notice.text.contains(limit))
        #expect(notice.text.contains(quantity.textWithUnit(value)))
    }

    @Test func `P72 a value on a limit does not alert`() {
        var bench = AlertBench()
        bench.values([7.6, 7.6, 7.6, 6.8, 6.8, 6.8])
        #expect(bench.notices.isEmpty)
        bench.values([(7.6).nextUp, (7.6).nextUp])
        #expect(bench.kinds == [.raised])
    }

    @Test func `a warning takes two samples or five minutes`() {
        var bench = AlertBench()
        bench.values([7.7, 7.4, 7.7, 7.4])
        #expect(bench.notices.isEmpty)
        bench.value(7.7)
        bench.wait(299_999)
        #expect(bench.notices.isEmpty)
        bench.wait(1)
        #expect(bench.kinds == [.raised])
    }

    @Test func `X14 a critical value alerts at once, and as critical`() {
        var bench = AlertBench()
        bench.values([7.4])
        bench.value(8.1)
        #expect(bench.notices.map(\.severity) == [.critical])
        #expect(bench.notices.first?.limit == 8.0)
        #expect(bench.notices.first?.beyond == 0.1)
    }

    @Test func `an implausible jump needs one more sample, and none that contradicts it`() {
        var bench = AlertBench()
        bench.values([7.4, 13, 7.4, 7.4, 7.4, 7.4, 7.4, 7.4])
        #expect(bench.notices.isEmpty)
        bench.values([12])
        #expect(bench.notices.isEmpty)
        bench.values([12])
        #expect(bench.notices.map(\.severity) == [.critical])
    }

    @Test func `an implausible jump of an open warning needs one more sample each time`() {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        for _ in 0..<3 { bench.values([13, 7.7]) }
        #expect(!bench.kinds.contains(.escalated))
        bench.values([13, 13])
        #expect(bench.kinds.last == .escalated)
    }

    @Test func `an escalation passes the cooldown and an acknowledgement`() throws {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        bench.put(.acknowledge(try #require(bench.notices.first).episodeID))
        bench.value(8.1)
        #expect(bench.kinds == [.raised, .escalated])
        #expect(Set(bench.notices.map(\.episodeID)).count == 1)
        // It gets better and then worse again: that is another escalation.
        bench.values([7.7, 7.7, 8.1])
        #expect(bench.kinds == [.raised, .escalated, .escalated])
    }

    @Test func `a recovery is told once, beyond the dead band, and the first alert after it is not swallowed`() {
        var bench = AlertBench()
        bench.values([7.7, 7.7, 7.58, 7.58])
        #expect(bench.kinds == [.raised])
        bench.value(7.55)
        bench.value(7.55, sampledAt: bench.moment.wall.advanced(byMilliseconds: 1))
        #expect(bench.kinds == [.raised, .recovered])
        bench.wait(1000)
        bench.value(8.1)
        #expect(bench.kinds == [.raised, .recovered, .raised])
        #expect(Set(bench.notices.map(\.episodeID)).count == 2)
    }

    @Test func `a value that oscillates around a limit gives one alert and one recovery`() {
        var bench = AlertBench()
        var settings = AlertSettings()
        settings.repeatsUntilAcknowledged = false
        bench.put(.settingsChanged(settings))
        for _ in 0..<50 { bench.values([7.58, 7.62]) }
        #expect(bench.kinds == [.raised])
        bench.values([7.4, 7.4])
        #expect(bench.kinds == [.raised, .recovered])
    }

    @Test func `who flaps widely is told of a third time, and then only when recovery`() {
        var bench = AlertBench()
        var settings = AlertSettings()
        settings.repeatsUntilAcknowledged = false
        bench.put(.settingsChanged(settings))
        for _ in 0..<20 { bench.values([7.7, 7.7, 7.4, 7.4]) }
        #expect(bench.kinds == [.raised, .recovered, .raised, .recovered, .raised])
        for _ in 0..<10 { bench.values([7.4]) }
        #expect(bench.kinds.last == .recovered)
        #expect(bench.kinds.count == 6)
    }

    @Test func `a backlog of old values alerts once, at its end, as late`() {
        var bench = AlertBench()
        let start = bench.moment.wall.advanced(byMilliseconds: -3_600_000)
        for minute in 0..<60 {
            let value = minute % 6 < 3 || minute > 54 ? 8.2 : 7.4
            bench.value(value, standing: .late, sampledAt: start.advanced(byMilliseconds: Int64(minute) * 60_000))
        }
        #expect(bench.notices.isEmpty)
        bench.wait(5000)
        #expect(bench.kinds == [.late])
        #expect(bench.notices.first?.text.contains("old readings end with pH 8.20") == true)
    }

    @Test func `a backlog that ends well tells once, as late, what came and went`() throws {
        var bench = AlertBench()
        let old = bench.moment.wall.advanced(byMilliseconds: -60_000)
        for (number, value) in [8.2, 8.2, 7.4, 7.4].enumerated() {
            bench.value(value, standing: .late, sampledAt: old.advanced(byMilliseconds: Int64(number)))
        }
        bench.wait(10_000)
        let notice = try #require(bench.notices.first)
        #expect(bench.kinds == [.late] && notice.severity == .critical)
        #expect(notice.value == 8.2 && notice.limit == 8)
        #expect(notice.since == old && notice.until == old.advanced(byMilliseconds: 2))
        #expect(bench.sent[0].channels.contains(.watchComplication) == false)
        #expect(bench.engine.state.alerts.isEmpty)
        bench.values([7.7, 7.7])
        for (number, value) in [7.4, 7.4, 7.7, 7.7].enumerated() {
            bench.value(value, standing: .late, sampledAt: old.advanced(byMilliseconds: Int64(100 + number)))
        }
        bench.wait(10_000)
        #expect(bench.kinds == [.late, .raised])
    }

    @Test func `what came and went in old readings is told with its worst value, and when`() throws {
        var bench = AlertBench()
        let night = bench.moment.wall.advanced(byMilliseconds: -8 * 3_600_000)
        // One value per hour: worse, better, normal, and once more.
        for (hour, value) in [7.2, 7.7, 8.3, 7.7, 7.2, 7.2, 7.3].enumerated() {
            bench.value(value, standing: .backlog, sampledAt: night.advanced(byMilliseconds: Int64(hour) * 3_600_000))
        }
        bench.wait(4999)
        #expect(bench.notices.isEmpty)
        bench.wait(1)
        let notice = try #require(bench.notices.first)
        #expect(bench.kinds == [.late])
        #expect(notice.value == 8.3 && notice.limit == 8 && notice.severity == .critical)
        #expect(
            notice.text
                == "Lagoon: it is over, but old readings had pH 8.30, 0.30 above the critical limit of 8.00, for 3 h "
                + "until 4 h ago.")
        bench.wait(86_400_000)
        #expect(bench.notices.count == 1)
    }

    @Test func `five equal readings of a backlog are five, though their device dated none of them`() throws {
        var bench = AlertBench()
        bench.value(7.3, standing: .known)
        let before = bench.moment.wall
        bench.wait(20_000)
        for _ in 0..<4 { bench.value(8.9, standing: .backlog, sampledAt: before) }
        #expect(bench.notices.isEmpty)
        bench.value(8.9, sampledAt: before)
        let notice = try #require(bench.notices.first)
        #expect(bench.kinds == [.raised] && notice.severity == .critical)
    }

    @Test func `one old reading that nothing contradicted for five minutes counts as it would have counted then`() {
        var bench = AlertBench()
        let old = bench.moment.wall.advanced(byMilliseconds: -3_600_000)
        func moment(_ minute: Int64) -> Timestamp { old.advanced(byMilliseconds: minute * 60_000) }
        bench.value(7.7, standing: .backlog, sampledAt: moment(0))
        bench.value(7.2, standing: .backlog, sampledAt: moment(4))
        bench.value(7.2, standing: .backlog, sampledAt: moment(8))
        bench.wait(10_000)
        #expect(bench.notices.isEmpty)
        bench.value(7.7, standing: .backlog, sampledAt: moment(20))
        bench.value(7.2, standing: .backlog, sampledAt: moment(25))
        bench.value(7.2, standing: .backlog, sampledAt: moment(30))
        bench.wait(10_000)
        #expect(bench.kinds == [.late])
    }

    @Test func `what came and went waits for the end of quiet hours`() {
        var settings = AlertSettings()
        settings.quietHours = QuietHours(startMinute: 11 * 60, endMinute: 13 * 60)
        var bench = AlertBench(settings)
        for (number, value) in [8.2, 8.2, 7.4, 7.4].enumerated() {
            bench.value(value, standing: .late, sampledAt: noon.advanced(byMilliseconds: Int64(number) - 60_000))
        }
        bench.wait(3_599_000)
        #expect(bench.notices.isEmpty)
        bench.wait(1000)
        #expect(bench.kinds == [.late])
    }

    @Test(arguments: [AlertSample.Standing.retained, .outOfOrder])
    func `X18 what is replayed or overtaken does not alert`(standing: AlertSample.Standing) {
        var bench = AlertBench()
        for _ in 0..<10 {
            bench.value(9, standing: standing)
            bench.wait(600_000)
        }
        #expect(bench.sent.isEmpty)
        #expect(bench.stored.isEmpty)
    }

    @Test func `new limits evaluate the newest value at once`() {
        var bench = AlertBench()
        bench.values([7.4])
        bench.put(.limitsChanged(deviceID(1), .ph, Limits(criticalLow: 6, low: 6.5, high: 7.2, criticalHigh: 7.3)))
        #expect(bench.notices.map(\.severity) == [.critical])
        bench.put(.limitsChanged(deviceID(1), .ph, Limits(criticalLow: 6, low: 6.5, high: 7.4, criticalHigh: 8)))
        #expect(bench.kinds == [.raised, .recovered])
    }

    @Test func `new limits judge no value that is not fresh: an answered alert stays as it was answered`() throws {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        bench.put(.acknowledge(try #require(bench.engine.open.first).episodeID))
        // Eighteen minutes later; the expected interval is one minute.
        bench.wait(18 * 60_000)
        let narrow = Limits(criticalLow: 6, low: 6.5, high: 7.2, criticalHigh: 7.3)
        bench.change(narrow, .ph, device: 1)
        #expect(bench.kinds == [.raised])
        #expect(bench.engine.open.map(\.severity) == [.warning] && bench.engine.open[0].isAcknowledged)
        // Wider limits do not end it either: nobody knows what the water is now.
        bench.change(Limits(criticalLow: 6, low: 6.5, high: 7.8, criticalHigh: 8.2), .ph, device: 1)
        #expect(bench.kinds == [.raised] && bench.engine.open.count == 1)
        bench.change(narrow, .ph, device: 1)
        bench.value(7.7)
        #expect(bench.notices.map(\.severity) == [.warning, .critical])
        #expect(!bench.engine.open[0].isAcknowledged)
    }

    @Test func `a quantity that may speak again is not judged by a value that is not fresh`() {
        var settings = AlertSettings()
        settings.mutedQuantities = [.ph]
        var bench = AlertBench(settings)
        bench.values([8.5, 8.5])
        bench.wait(18 * 60_000)
        bench.put(.settingsChanged(AlertSettings()))
        #expect(bench.engine.open.isEmpty && bench.sent.isEmpty)
        bench.value(8.5)
        #expect(bench.notices.map(\.severity) == [.critical])
    }

    @Test func `an alert about a missing quantity stops the repetition of its old value`() {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        bench.put(.missing(deviceID(1), .ph, name: "Lagoon", server: serverID(1), reason: .silent))
        bench.wait(24 * 3_600_000)
        let about = bench.notices.filter { $0.key.condition == .value }
        #expect(about.map(\.kind) == [.raised])
    }

    @Test func `P67 a muted quantity ends without a word, and is judged at once when it may speak again`() {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        var settings = AlertSettings()
        settings.mutedQuantities = [.ph]
        bench.put(.settingsChanged(settings))
        bench.values([8.5, 8.5])
        #expect(bench.kinds == [.raised])
        #expect(bench.stored.isEmpty)
        #expect(bench.engine.state.alerts.isEmpty)
        bench.put(.settingsChanged(AlertSettings()))
        #expect(bench.notices.map(\.severity) == [.warning, .critical])
    }

    @Test func `P70 each value of a burst is judged`() {
        var bench = AlertBench()
        for number in 0..<500 {
            bench.value(number == 250 ? 8.2 : 7.5, sampledAt: noon.advanced(byMilliseconds: Int64(number)))
        }
        #expect(bench.kinds == [.raised, .recovered])
    }

    @Test func `a steady pool writes nothing`() {
        var bench = AlertBench()
        for number in 0..<200 { bench.values([7.2 + Double(number % 5) * 0.05]) }
        #expect(bench.writes.isEmpty)
        #expect(bench.engine.nextDeadline == nil)
    }
}
