import CommandSupport
import PoolControl
import PoolHub
import TerminalUI
import Testing

@testable import PoolModel
@testable import poolsensors

@Suite struct StatusLineTests {
    private let now = Timestamp(milliseconds: 1_780_315_200_000)

    private func line(
        _ values: [(Quantity, Double, age: Int64)], isRunning: Bool = true, awaited: [Quantity] = [],
        alerts: [AlertKey] = [.fault(DeviceID(high: 9, low: 9), nil), .test], isAcknowledged: Bool = false
    ) -> StatusLine {
        var device = Samples.device("Lagoon")
        var latest: QuantityMap<LatestValue> = [:]
        for (quantity, value, age) in values {
            let moment = now.advanced(byMilliseconds: -1000 * age)
            latest[quantity] = LatestValue(value: value, sampledAt: moment, timeQuality: .device, receivedAt: moment)
        }
        device.readings = DeviceReadings(deviceID: device.id, order: 1, values: latest, lastSeen: now, awaited: awaited)
        var report = Samples.report(devices: [device])
        report.isRunning = isRunning
        let state = AlertState(
            alerts.map { key in
                AlertState.Alert(
                    episodeID: AlertEpisodeID(high: 1, low: 1), key: key, name: "Lagoon", severity: .warning,
                    since: now,
                    value: nil, limit: nil, isAcknowledged: isAcknowledged, snoozedUntil: nil)
            })
        return StatusLine(device, in: report, alerts: state, at: now)
    }

    @Test func `the worst value decides, and each has its mark`() {
        let shown = line([(.temperature, 26.1, 12), (.ph, 7.85, 12), (.orp, 590, 12)])

        let sentence = "pH 7.85 is too high, ORP 590 mV is too low.  "
        #expect(
            shown.text(isASCII: false)
                == sentence + "Lagoon  26.1 °C  pH 7.85▲  ORP 590 mV▼  WARNING  12s  2 alerts")
        #expect(
            shown.text(isASCII: true) == sentence + "Lagoon  26.1 C  pH 7.85^  ORP 590 mVv  WARNING  12s  2 alerts")
        #expect(shown.exitStatus == .warning)
        #expect(line([(.ph, 9, 0)]).exitStatus == .critical)
        #expect(line([(.ph, 7.2, 0)]).exitStatus == .success)
    }

    @Test func `an acknowledged alert is not counted as open`() {
        let shown = line([(.temperature, 26.1, 12), (.ph, 7.85, 12), (.orp, 590, 12)], isAcknowledged: true)

        #expect(shown.text(isASCII: false).hasSuffix("  WARNING  12s  2 acknowledged"))
        #expect(GlanceFormat.value(.ph, of: shown.glance, isASCII: false) == "7.85▲")
        #expect((try? GlanceFormat("{alerts}").text(shown.glance, status: "", isASCII: false)) == "0")
    }

    @Test func `it is never OK while an alert of the device is open, or a value is wanting`() {
        let device = Samples.device("Lagoon").id
        let faulty = line([(.temperature, 26.1, 1)], awaited: [.ph], alerts: [.fault(device, .ph)])
        let sentence = "The pH probe gives impossible values: check it.  "
        #expect(faulty.text(isASCII: false) == sentence + "Lagoon  26.1 °C  pH –  WARNING  1s  1 alert")
        #expect(faulty.exitStatus == .warning)
        #expect(line([(.ph, 7.2, 0)], alerts: [.hub(.storage)]).exitStatus == .warning)
        let wanting = line([(.temperature, 26.1, 1)], awaited: [.ph], alerts: [])
        #expect(wanting.word == "PARTLY STALE" && wanting.exitStatus == .notFresh)
        #expect(line([(.temperature, 26.1, 1)], alerts: []).exitStatus == .success)
    }

    @Test func `it is never OK on a value that is not fresh`() {
        let mixed = line([(.temperature, 26.1, 12), (.ph, 7.2, 4000)])

        #expect(mixed.exitStatus == .notFresh)
        #expect(mixed.text(isASCII: false).contains("pH 7.20!") && mixed.word == "PARTLY STALE")
        #expect(line([(.ph, 7.2, 4000)]).exitStatus == .notFresh)
        #expect(line([]).word == "NO DATA")
        #expect(line([(.ph, 7.2, 0)], isRunning: false).exitStatus == .noHub)
        #expect(line([(.ph, 7.2, 0)], isRunning: false).word == "NO HUB")
        #expect(line([(.ph, 7.2, 0)], isRunning: false).label == "offline" && line([(.ph, 7.2, 0)]).label == "normal")
    }

    @Test func `what a device does not have is left out, and what it should have is not OK`() {
        let plain = line([(.temperature, 26.1, 1), (.ph, 7.2, 1)], alerts: [])
        #expect(plain.text(isASCII: false) == "Chlorine is not measured.  Lagoon  26.1 °C  pH 7.20  OK  1s")
        let wanting = line([(.temperature, 26.1, 1), (.ph, 7.2, 1)], awaited: [.chlorine], alerts: [])
        #expect(
            wanting.text(isASCII: false)
                == "No usable chlorine has come yet.  Lagoon  26.1 °C  pH 7.20  Cl –  PARTLY STALE  1s")
    }

    @Test func `an old critical value is told as one`() {
        let shown = line([(.temperature, 26.1, 12), (.chlorine, 0.4, 4000)])
        let sentence = "Do not swim: chlorine was 0.40 mg/L 1 h ago.  "
        #expect(shown.text(isASCII: false) == sentence + "Lagoon  26.1 °C  Cl 0.40 mg/L!  WAS CRITICAL  12s  2 alerts")
        #expect(shown.exitStatus == .notFresh && shown.label == "stale")
    }

    @Test func `the line begins with what to know first, in the language of the person, and shows trends`() throws {
        let good = line([(.ph, 7.2, 12), (.chlorine, 1.5, 12)], alerts: [])
        #expect(good.text(isASCII: false) == "You can swim.  Lagoon  pH 7.20  Cl 1.50 mg/L  OK  12s")
        #expect(good.text(isASCII: false, language: .french).hasPrefix("Vous pouvez vous baigner.  Lagoon  "))
        #expect(good.text(isASCII: true, language: .french).hasPrefix("You can swim.  Lagoon  "))
        #expect(try GlanceFormat("{sentence}").text(good.glance) == "You can swim.")
        #expect(
            good.glance.jsonLine().contains(#""sentence":"You can swim.","sentenceFrench":"Vous pouvez vous baigner.""#)
        )
        let stopped = line([(.ph, 7.2, 12), (.chlorine, 1.5, 12)], isRunning: false, alerts: [])
        #expect(stopped.text(isASCII: false).hasPrefix("The hub does not answer.  Lagoon  "))

        var device = Samples.device("Lagoon")
        var latest = LatestValue(value: 7.2, sampledAt: now, timeQuality: .device, receivedAt: now)
        for (trend, arrow, word) in [
            (Trend.easing, "↘", "falling"), (.falling, "↘", "falling"), (.steady, "→", "steady"),
            (.climbing, "↗", "rising"), (.rising, "↗", "rising"),
        ] {
            latest.trend = trend
            device.readings = DeviceReadings(deviceID: device.id, order: 1, values: [.ph: latest], lastSeen: now)
            let shown = StatusLine(device, in: Samples.report(devices: [device]), alerts: AlertState(), at: now)
            #expect(shown.text(isASCII: false).contains("  pH 7.20 \(arrow)  "))
            #expect(shown.text(isASCII: true).contains("  pH 7.20 \(word)  "))
        }
    }

    @Test func `a device that is named is told with its own pool, otherwise the worst pool speaks`() {
        func device(_ name: String, _ id: UInt64, chlorine: Double) -> DeviceState {
            var device = Samples.device(name)
            device.device = Device(
                id: DeviceID(high: 4, low: id), name: name, serverID: device.device.serverID, topic: name)
            var values: QuantityMap<LatestValue> = [:]
            for (quantity, value) in [(Quantity.ph, 7.2), (.chlorine, chlorine)] {
                values[quantity] = LatestValue(value: value, sampledAt: now, timeQuality: .device, receivedAt: now)
            }
            device.readings = DeviceReadings(deviceID: device.id, order: 1, values: values, lastSeen: now)
            return device
        }
        let (good, bad) = (device("Lagoon", 1, chlorine: 1.5), device("Spa", 2, chlorine: 0.2))
        let state = Samples.report(devices: [good, bad])
        func sentence(_ isNamed: Bool) -> String {
            StatusLine(good, isNamed: isNamed, in: state, alerts: AlertState(), at: now).glance.sentence()
        }
        #expect(sentence(true) == "You can swim.")
        #expect(sentence(false) == "Spa: Do not swim: chlorine 0.20 mg/L.")
    }

    @Test func `chemistry takes fresh values of a device and refuses stale ones`() throws {
        var device = Samples.device("Lagoon")
        func latest(_ value: Double, _ age: Int64) -> LatestValue {
            let moment = now.advanced(byMilliseconds: -1000 * age)
            return LatestValue(value: value, sampledAt: moment, timeQuality: .device, receivedAt: moment)
        }
        device.readings = DeviceReadings(
            deviceID: device.id, order: 1,
            values: [.ph: latest(7.5, 10), .temperature: latest(25, 10), .chlorine: latest(1.5, 8000)], lastSeen: now)
        var water = WaterNumbers()
        try water.fill(from: device, at: now)

        #expect(water.ph == 7.5 && water.celsius == 25 && water.chlorine == nil)
        #expect(water.remarks.last == "The chlorine of Lagoon is 2h13m20s old and is not used.")
        let failure = #expect(throws: CommandFailure.self) {
            var water = WaterNumbers()
            try water.fill(from: device, at: now.advanced(byMilliseconds: 600_000))
        }
        #expect(failure?.description.contains("give one with --ph") == true)
    }

    @Test func `chemistry tells its assumptions with each number`() throws {
        let sheet = try ChemistryReport(
            WaterNumbers(
                ph: 7.5, celsius: 26.7, chlorine: 2, calcium: 300, alkalinity: 100, cyanuricAcid: 40,
                dissolved: 500))
        let text = sheet.lines.joined(separator: "\n")

        #expect(text.contains("Calcite saturation index: +0.02, balanced"))
        #expect(text.contains("With cyanuric acid only a few percent"))
        #expect(sheet.hypochlorousAcid == nil)
        #expect(throws: CommandFailure.self) { try ChemistryReport(WaterNumbers(ph: 17, celsius: 26)) }
    }
}
