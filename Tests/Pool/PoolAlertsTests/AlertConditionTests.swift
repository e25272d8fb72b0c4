import PoolSamples
import Testing

@testable import PoolAlerts
@testable import PoolModel

@Suite struct AlertConditionTests {
    private func missing(_ reason: MissingReason = .silent, device: UInt64 = 1) -> AlertInput {
        .missing(deviceID(device), nil, name: "Lagoon", server: home.id, reason: reason)
    }

    @Test func `X21 a silent device alerts after its delay, and its return is told`() {
        var bench = AlertBench()
        bench.put(missing())
        bench.wait(119_999)
        bench.put(missing())
        #expect(bench.notices.isEmpty)
        bench.wait(1)
        #expect(bench.notices.map(\.key) == [.missing(deviceID(1), nil)])
        #expect(bench.notices.first?.text.contains("the device is silent") == true)
        bench.value(7.4)
        #expect(bench.kinds == [.raised, .recovered])
    }

    @Test func `a will that is followed by a birth within seconds does not alert`() {
        var bench = AlertBench()
        for _ in 0..<100 {
            bench.put(missing(.unavailable))
            bench.wait(5000)
            bench.put(.back(deviceID(1), nil))
            bench.wait(5000)
        }
        #expect(bench.sent.isEmpty)
    }

    @Test(arguments: [MissingReason.unavailable, .refused])
    func `X21 what a device or a broker states is told after ten seconds, not as late as silence`(
        reason: MissingReason
    ) {
        var bench = AlertBench()
        bench.put(missing(reason))
        bench.wait(9999)
        #expect(bench.notices.isEmpty)
        bench.wait(1)
        #expect(bench.notices.map(\.key) == [.missing(deviceID(1), nil)])
        let words = reason == .refused ? "the broker refuses its topics" : "the device says it is away"
        #expect(bench.notices.first?.text.contains(words) == true)
    }

    @Test(arguments: [AlertSample.Standing.retained, .late, .outOfOrder])
    func `an old value does not make a device present`(standing: AlertSample.Standing) {
        var bench = AlertBench()
        bench.put(missing())
        bench.value(7.4, standing: standing)
        bench.wait(120_000)
        #expect(bench.kinds == [.raised])
    }

    @Test func `X21 a lost connection alerts, and stands for the devices behind it`() {
        var bench = AlertBench()
        bench.put(.connectionLost(home.id, name: "Home"))
        for device in 1...5 { bench.put(missing(device: UInt64(device))) }
        bench.wait(3_600_000)
        #expect(Set(bench.notices.map(\.key)) == [.connection(home.id)])
        bench.put(.connectionRestored(home.id))
        #expect(bench.kinds.last == .recovered)
        for device in 1...4 { bench.value(7.4, device: UInt64(device)) }
        let count = bench.notices.count
        bench.wait(119_999)
        #expect(bench.notices.count == count)
        bench.wait(1)
        #expect(bench.notices.last?.key == .missing(deviceID(5), nil))
        #expect(bench.notices.count == count + 1)
    }

    @Test func `P74 lost connections have a switch of their own`() {
        var settings = AlertSettings()
        settings.alertsOnConnections = false
        var bench = AlertBench(settings)
        bench.put(.connectionLost(home.id, name: "Home"))
        bench.wait(3_600_000)
        #expect(bench.sent.isEmpty)
        bench.put(.settingsChanged(AlertSettings()))
        #expect(bench.kinds == [.raised])
    }

    @Test func `a quarantined value is a fault of the probe, not of the water`() {
        var bench = AlertBench()
        for _ in 0..<2 { bench.value(-127, .temperature, standing: .quarantined) }
        #expect(bench.notices.isEmpty)
        bench.value(-127, .temperature, standing: .quarantined)
        #expect(bench.notices.map(\.key) == [.fault(deviceID(1), .temperature)])
        for _ in 0..<12 { bench.values([25], .temperature) }
        #expect(bench.kinds.last == .recovered)
    }

    @Test func `a fault of a probe is told once, in words with its value, and ends with possible values`() {
        var settings = AlertSettings()
        settings.repeatsUntilAcknowledged = false
        var bench = AlertBench(settings)
        for count in 0..<30 {
            var sample = AlertSample(
                deviceID: deviceID(1), deviceName: "Garden", quantity: .ph, value: 14 - Double(count) / 1000,
                limits: Quantity.ph.facts.limits, sampledAt: bench.moment.wall, standing: .quarantined)
            sample.detail = ProbeFault.unplugged.record(of: sample.value)
            bench.put(.value(sample))
            bench.wait(60_000)
        }
        #expect(bench.kinds == [.raised])
        let text = bench.notices.first?.text ?? ""
        #expect(text.hasPrefix("Garden: the pH probe reports"), "\(text)")
        #expect(text.contains("unplugged") && !text.contains("lower the pH"), "\(text)")
        for _ in 0..<16 { bench.values([7.2]) }
        #expect(bench.kinds == [.raised, .recovered])
    }

    @Test func `a probe whose values are good and bad by turns gives one alert and one recovery`() {
        var settings = AlertSettings()
        settings.repeatsUntilAcknowledged = false
        var bench = AlertBench(settings)
        for _ in 0..<60 {
            bench.values([7.4])
            bench.put(.unreadable(deviceID(1), .ph, name: "Lagoon"))
        }
        #expect(bench.kinds == [.raised])
        for _ in 0..<12 { bench.values([7.4]) }
        #expect(bench.kinds == [.raised, .recovered])
        #expect(bench.stored.count == 1)
        bench.wait(1_800_000)
        #expect(bench.stored.isEmpty)
    }

    @Test func `silence, a bad value and a fault are three alerts`() {
        var bench = AlertBench()
        bench.value(8.2)
        for _ in 0..<3 { bench.put(.unreadable(deviceID(1), .orp, name: "Lagoon")) }
        bench.put(missing())
        bench.wait(120_000)
        #expect(Set(bench.engine.state.alerts.map(\.key.condition)) == [.value, .fault, .missing])
        // The present state of the water is unknown, so no repetition says that it is still bad.
        bench.wait(86_400_000)
        #expect(!bench.notices.contains { $0.key.condition == .value && $0.kind == .repeated })
    }

    @Test func `what is removed ends without a word`() {
        var bench = AlertBench()
        bench.value(8.2)
        bench.put(.connectionLost(home.id, name: "Home"))
        bench.wait(60_000)
        bench.put(.deviceRemoved(deviceID(1)))
        bench.put(.serverRemoved(home.id))
        bench.wait(86_400_000)
        #expect(bench.kinds == [.raised, .raised])
        #expect(bench.stored.isEmpty)
    }
}
