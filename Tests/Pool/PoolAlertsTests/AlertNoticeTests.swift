import PoolSamples
import Testing

@testable import PoolAlerts
@testable import PoolModel

@Suite struct AlertNoticeTests {
    private let notice = AlertNotice(
        id: "00000000-0000-0001-0000-000000000002/3", episodeID: AlertEpisodeID(high: 1, low: 2),
        key: .value(deviceID(1), .ph, .high), kind: .escalated, severity: .critical, name: "Lagoon", value: 8.2,
        limit: 8,
        since: noon, at: noon.advanced(byMilliseconds: 60_250), repeats: 0, text: "Lagoon: pH 8.20.")

    @Test func `the body for machines has these bytes`() {
        #expect(
            text(notice.body)
                == "{\"at\":\"2026-06-01T12:01:00.250Z\",\"beyond\":0.2,\"condition\":\"value\","
                + "\"device\":\"22220000-0000-0000-0000-000000000001\","
                + "\"episode\":\"00000000-0000-0001-0000-000000000002\","
                + "\"id\":\"00000000-0000-0001-0000-000000000002/3\","
                + "\"key\":\"value/22220000-0000-0000-0000-000000000001/ph/high\",\"kind\":\"escalated\",\"limit\":8,"
                + "\"name\":\"Lagoon\",\"quantity\":\"ph\",\"repeats\":0,\"severity\":\"critical\",\"side\":\"high\","
                + "\"since\":\"2026-06-01T12:00:00.000Z\",\"text\":\"Lagoon: pH 8.20.\",\"unit\":\"\",\"value\":8.2,"
                + "\"version\":1}")
    }

    @Test func `the signature is computed over the time, a dot and the body`() {
        #expect(
            text(WebhookBody.signatureInput(sentAt: noon.advanced(byMilliseconds: 999), body: Array("{}".utf8)))
                == "1780315200.{}")
    }

    @Test func `an alert inside its dead band says what is`() throws {
        var bench = AlertBench()
        bench.values([7.7, 7.7, 7.58])
        let alert = try #require(bench.engine.state.alerts.first)
        #expect(alert.isInDeadBand && alert.summary == "Lagoon pH 7.58, still above its release at 7.55")
    }

    @Test func `a recovery to the other side does not say that the value is back within its limits`() throws {
        var bench = AlertBench()
        bench.values([7.7, 7.7, 6.6, 6.6, 6.6])
        let end = try #require(bench.notices.first { $0.kind == .recovered })
        #expect(end.text.contains("no longer too high, but at 6.60 it is too low"))
        #expect(bench.notices.contains { $0.kind == .raised && $0.key.side == .low })
    }

    @Test func `an alert tells when its value was measured, as soon as that is not fresh any more`() throws {
        var bench = AlertBench()
        bench.values([8.4, 8.4])
        #expect(bench.engine.open[0].measuredAt == nil)
        let measured = bench.moment.wall.advanced(byMilliseconds: -60_000)
        // Three expected intervals, in whole seconds.
        let due = try #require(bench.engine.nextOutdating)
        #expect(due - bench.moment.uptimeMilliseconds == 121_000)
        bench.wait(120_999)
        bench.put(.timePassed)
        #expect(bench.engine.open[0].measuredAt == nil)
        bench.wait(1)
        bench.put(.timePassed)
        #expect(bench.engine.open[0].measuredAt == measured && bench.engine.nextOutdating == nil)
        #expect(bench.engine.open[0].summary == "Lagoon pH was critical: 8.40 too high")
        bench.value(8.4)
        #expect(bench.engine.open[0].measuredAt == nil)
    }

    @Test func `a renamed device has one name in its alerts, and a renamed server, too`() throws {
        var bench = AlertBench()
        bench.values([7.7, 7.7])
        bench.put(.connectionLost(serverID(1), name: "Home"))
        bench.wait(600_000)
        bench.put(.deviceRenamed(deviceID(1), "Blue"))
        bench.put(.serverRenamed(serverID(1), "Broker"))
        #expect(Set(bench.engine.open.map(\.name)) == ["Blue", "Broker"])
        #expect(bench.engine.open.contains { $0.summary.hasPrefix("Blue pH") })
        // Over a restart, too.
        try bench.restart()
        #expect(Set(bench.engine.open.map(\.name)) == ["Blue", "Broker"])
        bench.put(.deviceRenamed(deviceID(1), "Deep"))
        #expect(Set(bench.stored.values.map(\.line.name)) == ["Deep", "Broker"])
    }

    @Test func `peers of earlier versions read all alerts but the hub's own, and this one what it knows`() throws {
        func alert(_ key: AlertKey) -> AlertState.Alert {
            AlertState.Alert(
                episodeID: AlertEpisodeID(high: 1, low: 2), key: key, name: "Home", severity: .warning, since: noon,
                value: nil, limit: nil, isAcknowledged: false, snoozedUntil: nil)
        }
        let state = AlertState([alert(.connection(serverID(1))), alert(.hub(.storage))])
        let bytes = try CanonicalJSON.encode(state)
        #expect(try CanonicalJSON.decode(AlertState.self, from: bytes) == state)
        let json = text(bytes)
        let (first, second) = (
            try #require(json.firstRange(of: "\"alerts\":[")), try #require(json.firstRange(of: "\"hub\":["))
        )
        #expect(first.lowerBound < second.lowerBound)
        #expect(json[..<second.lowerBound].contains("hub/storage") == false)
        #expect(text(try CanonicalJSON.encode(AlertState())) == "{\"alerts\":[],\"moreCount\":0}")

        let later = json.replacing("hub/storage", with: "hub/moon")
        let read = try CanonicalJSON.decode(AlertState.self, from: Array(later.utf8))
        #expect(read.alerts.map(\.key) == [.connection(serverID(1))] && read.moreCount == 1)
    }

    @Test(arguments: [
        AlertKey.value(deviceID(1), .ph, .low), .missing(deviceID(1), nil), .missing(deviceID(1), .orp),
        .fault(deviceID(1), nil), .fault(deviceID(1), .chlorine), .connection(serverID(1)), .hub(.storage), .test,
    ])
    func `a key has one text`(key: AlertKey) throws {
        #expect(AlertKey(key.text) == key)
        #expect(AlertKey(key.text.uppercased()) == nil)
        #expect(AlertKey(key.text + "/") == nil)
        #expect(try CanonicalJSON.decode(AlertKey.self, from: CanonicalJSON.encode(key)) == key)
    }

    @Test func `open alerts are sorted by severity and then newest first, and the list is bounded`() throws {
        var bench = AlertBench()
        for device in 1...40 {
            bench.value(device == 20 ? 8.3 : 7.7, device: UInt64(device))
            bench.wait(1000)
        }
        bench.wait(300_000)
        let state = bench.engine.state
        try #require(state.alerts.count == 32)
        #expect(state.moreCount == 8)
        #expect(state.alerts[0].key.deviceID == deviceID(20))
        #expect(state.alerts[1].key.deviceID == deviceID(40))
        #expect(try CanonicalJSON.encode(state).count < 16_384)
        // The unlisted alerts are the oldest ones, and their devices are not shown as OK.
        #expect(Set(state.unlisted.keys) == Set((1...8).map { deviceID(UInt64($0)) }))
        #expect(try CanonicalJSON.decode(AlertState.self, from: CanonicalJSON.encode(state)) == state)
        var readings = DeviceReadings(deviceID: deviceID(3))
        readings.absorb(message([.temperature: 25], sampledAt: noon, receivedAt: noon))
        let known = WatchDevice(id: deviceID(3), name: "Third", serverID: home.id)
        let glance = Glance(
            device: known, readings: readings, history: nil, now: noon, link: .linked, revision: 1, clock: "",
            alerts: state)
        #expect(Headline(glance) == .judged(.warning))
    }
}
