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

        #expect(shown.text(isASCII: false) == "Lagoon  26.1 °C  pH 7.85▲  ORP 590 mV▼  WARNING  12s  2 alerts")
        #expect(shown.text(isASCII: true) == "Lagoon  26.1 C  pH 7.85^  ORP 590 mVv  WARNING  12s  2 alerts")
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
        #expect(faulty.text(isASCII: false) == "Lagoon  26.1 °C  pH –  WARNING  1s  1 alert")
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
        #expect(plain.text(isASCII: false) == "Lagoon  26.1 °C  pH 7.20  OK  1s")
        let wanting = line([(.temperature, 26.1, 1), (.ph, 7.2, 1)], awaited: [.chlorine], alerts: [])
        #expect(wanting.text(isASCII: false) == "Lagoon  26.1 °C  pH 7.20  Cl –  PARTLY STALE  1s")
    }

    @Test func `an old critical value is told as one`() {
        let shown = line([(.temperature, 26.1, 12), (.chlorine, 0.4, 4000)])
        #expect(shown.text(isASCII: false) == "Lagoon  26.1 °C  Cl 0.40 mg/L!  WAS CRITICAL  12s  2 alerts")
        #expect(shown.exitStatus == .notFresh && shown.label == "stale")
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
