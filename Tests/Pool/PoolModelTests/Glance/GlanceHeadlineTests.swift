import PoolSamples
import Testing

@testable import PoolModel

@Suite struct GlanceHeadlineTests {
    private let device = WatchDevice(id: lagoon.id, name: "Lagoon", serverID: home.id, expectedIntervalSeconds: 60)

    private func readings(_ values: QuantityMap<Double>) -> DeviceReadings {
        var readings = DeviceReadings(deviceID: lagoon.id)
        readings.absorb(message(values, sampledAt: noon, receivedAt: noon))
        return readings
    }

    private func glance(
        _ readings: DeviceReadings, _ alerts: [AlertState.Alert] = [], after count: Int64 = 4
    ) -> Glance {
        Glance(
            device: device, readings: readings, history: nil, now: noon.advanced(byMilliseconds: seconds(count)),
            link: .linked, revision: 7, clock: "12:00", alerts: AlertState(alerts))
    }

    private func alert(
        _ key: AlertKey, _ severity: AlertSeverity = .warning, isAcknowledged: Bool = false,
        snoozedUntil: Timestamp? = nil
    ) -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 1, low: 2), key: key, name: "Lagoon", severity: severity, since: noon,
            value: nil, limit: nil, isAcknowledged: isAcknowledged, snoozedUntil: snoozedUntil)
    }

    private let good: QuantityMap<Double> = [.temperature: 25, .ph: 7.2]

    @Test(arguments: [
        AlertKey.fault(lagoon.id, .ph), .fault(lagoon.id, nil), .missing(lagoon.id, .orp), .missing(lagoon.id, nil),
        .value(lagoon.id, .ph, .high), .connection(home.id), .hub(.storage),
    ])
    func `an open alert that concerns the device is at least a warning, answered or not`(key: AlertKey) {
        let readings = readings(good)
        #expect(Headline(glance(readings)) == .judged(.normal))
        for open in [
            alert(key), alert(key, isAcknowledged: true), alert(key, snoozedUntil: noon.advanced(byMilliseconds: 1)),
        ] {
            let glance = glance(readings, [open])
            #expect(Headline(glance) == .judged(.warning))
            #expect(Headline(glance).label == "warning")
            #expect(glance.jsonLine().contains("\"status\":\"warning\""))
        }
        #expect(Headline(glance(readings, [alert(key, .critical)])) == .judged(.critical))
    }

    @Test func `an alert of another device or server changes nothing`() {
        let others = [alert(.fault(spa.id, .ph), .critical), alert(.connection(ryokan.id))]
        #expect(Headline(glance(readings(good), others)) == .judged(.normal))
    }

    @Test func `in its dead band a value is what its alert says, until the alert ends`() {
        let readings = readings([.temperature: 25, .ph: 7.58])
        #expect(glance(readings).gauges[1].status == .normal)
        let glance = glance(readings, [alert(.value(lagoon.id, .ph, .high))])
        // It is inside its limits, and no face says that it is too high.
        #expect(glance.gauges[1].status == .warning && glance.gauges[1].deviation == nil)
        #expect(glance.gauges[0].status == .normal)
    }

    @Test func `values that are not fresh are judged by no alert`() {
        let open = [alert(.value(lagoon.id, .ph, .high), .critical)]
        let glance = glance(readings([.ph: 8.9]), open, after: 200)
        #expect(Headline(glance) == .stale && glance.gauges[1].status == .offline)
    }

    /// Fresh values beside a chlorine of three hours ago.
    private func mixed(_ chlorine: Double, _ alerts: [AlertState.Alert] = []) -> Glance {
        var readings = readings(good)
        let before = noon.advanced(byMilliseconds: -seconds(10_800))
        readings.absorb(message([.chlorine: chlorine], sampledAt: before, receivedAt: before))
        return glance(readings, alerts)
    }

    @Test func `an old critical is told as an old one, and never as CRITICAL`() throws {
        for alerts in [[], [alert(.value(lagoon.id, .chlorine, .low), .critical)]] {
            let glance = mixed(0.4, alerts)
            #expect(Headline(glance) == .formerly(.critical) && Headline(glance).word == "WAS CRITICAL")
            #expect(Headline(glance).label == "stale" && !Headline(glance).isFresh)
            #expect(glance.gauges[2].formerStatus == .critical && glance.gauges[2].status == .offline)
            #expect(glance.jsonLine().contains("\"status\":\"stale\""))
            #expect(!glance.jsonLine().contains("\"status\":\"critical\""))
        }
        let told = mixed(0.4, [alert(.value(lagoon.id, .chlorine, .low), .critical)]).alerts.alerts[0]
        #expect(told.measuredAt == noon.advanced(byMilliseconds: -seconds(10_800)))
        #expect(told.summary.contains("was critical"))
        // Inside the dead band of its alert it was what the alert says.
        #expect(Headline(mixed(0.52, [alert(.value(lagoon.id, .chlorine, .low), .critical)])) == .formerly(.critical))
        #expect(Headline(mixed(0.8)) == .formerly(.warning) && Headline(mixed(0.8)).word == "WAS WARNING")
        #expect(Headline(mixed(1.5)) == .partlyStale)
    }

    @Test func `what is wrong now comes before what was less wrong, and after what was worse`() {
        let faulty = alert(.fault(lagoon.id, .ph))
        #expect(Headline(mixed(0.8, [faulty])) == .judged(.warning))
        #expect(Headline(mixed(0.4, [faulty])) == .formerly(.critical))
        #expect(Headline(mixed(0.4, [alert(.fault(lagoon.id, .ph), .critical)])) == .judged(.critical))
    }

    @Test func `the alerts of a renamed device have its present name`() {
        var old = alert(.fault(lagoon.id, .ph))
        old.name = "Lake"
        var other = alert(.fault(spa.id, .ph))
        other.name = "Lake"
        #expect(glance(readings(good), [old, other]).alerts.alerts.map(\.name).sorted() == ["Lagoon", "Lake"])
    }

    @Test func `what a device does not measure is in no gauge that is shown`() {
        var readings = readings(good)
        #expect(glance(readings).measuredGauges.map(\.quantity) == [.temperature, .ph])
        readings.expect([.orp])
        #expect(glance(readings).measuredGauges.map(\.quantity) == [.temperature, .ph, .orp])
        #expect(glance(readings).jsonLine().contains("\"isMeasured\":false"))
    }

    @Test func `a quantity that should be told, and never could be used, is not fresh`() {
        var readings = readings(good)
        readings.expect([.ph, .orp])
        #expect(readings.awaited == [.orp])
        #expect(Headline(glance(readings)) == .partlyStale)
        #expect(Headline(glance(readings)).label == "stale")
        // Its first value ends that; a quantity that the device does not have has no effect.
        readings.absorb(message([.orp: 650], sampledAt: noon, receivedAt: noon))
        #expect(readings.awaited.isEmpty)
        #expect(Headline(glance(readings)) == .judged(.normal))
    }

    @Test func `what is awaited travels with the readings, and is absent where there is nothing`() throws {
        var readings = readings(good)
        let order = readings.order
        #expect(!text(try readings.canonicalJSON()).contains("awaited"))
        readings.expect([.chlorine, .orp])
        readings.expect([.orp, .chlorine])
        #expect(readings.order == order + 1)
        let bytes = try readings.canonicalJSON()
        #expect(bytes == (try CanonicalJSON.encode(readings)))
        #expect(try CanonicalJSON.decode(DeviceReadings.self, from: bytes) == readings)
        readings.expect([])
        #expect(readings.awaited.isEmpty)
    }
}
