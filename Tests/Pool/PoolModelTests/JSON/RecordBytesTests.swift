import Foundation
import PoolSamples
import TestSupport
import Testing

@testable import PoolAlerts
@testable import PoolModel

/// The stored and sent records of the pool, byte by byte: one example of each record, with all of its fields.
///
/// `Fixtures/records/pool.txt` has a line for each, with its name and its JSON. Existing folders and messages of older
/// versions must always be readable, so a difference is a breaking change. BLESS=1 in the environment rewrites the
/// file.
@Suite struct RecordBytesTests {
    private static let file = Repository.url("Fixtures/records/pool.txt")

    private let later = noon.advanced(byMilliseconds: 3_600_000)
    private let episode = AlertEpisodeID(high: 5, low: 6)

    @Test func `each record has the bytes that it had, and is read from them`() throws {
        var examples = try self.examples()
        let text = examples.map { "\($0.name)\t\($0.json)\n" }.joined()
        if ProcessInfo.processInfo.environment["BLESS"] == "1" {
            try Data(text.utf8).write(to: Self.file)
        }
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == examples.count)
        for line in lines {
            let fields = line.split(separator: "\t", maxSplits: 1)
            let index = try #require(examples.firstIndex { $0.name == fields[0] }, "\(fields[0])")
            let example = examples.remove(at: index)
            #expect(example.json == fields[1], "\(example.name)")
            try example.check(Array(fields[1].utf8))
        }
    }

    @Test func `the configuration of these entries is the one that they were made of`() throws {
        let configuration = try configuration()
        let entries = configuration.entries()
        // Every kind of record has an example; the further quantities have the forms of the first four.
        let groups = EntryGroup.allCases.filter { group in
            !Quantity.allCases.contains { !$0.facts.isUsual && group.group.hasSuffix("-\($0.rawValue)") }
        }
        #expect(Set(entries.compactMap { EntryGroup(kind: $0.key.kind, group: $0.key.group) }) == Set(groups))
        var problems: [ConfigurationProblem] = []
        #expect(PoolConfiguration(entries: entries.shuffled(), problems: &problems) == configuration)
        #expect(problems.isEmpty)
    }

    // MARK: - Examples

    private struct Example {
        var name: String
        var json: String
        /// Reads the bytes, and expects the value from which the example was created.
        var check: ([UInt8]) throws -> Void

        init<Value: Codable & Equatable>(_ name: String, _ value: Value) throws {
            self.name = name
            json = text(try CanonicalJSON.encode(value))
            check = { bytes in
                let decoded = try CanonicalJSON.decode(Value.self, from: bytes)
                #expect(decoded == value, "\(name)")
            }
        }

        init(_ entry: ConfigurationEntry) {
            name = "\(entry.key)"
            json = text(entry.value)
            // The complete list of entries is read by the other test.
            check = { #expect($0 == entry.value) }
        }
    }

    private func examples() throws -> [Example] {
        try configuration().entries().map { Example($0) } + registers() + messages() + alerts() + [
            Example(
                "export note",
                ExportMetadata(
                    readings: 412, format: .csv, values: "both", devices: ["Lagoon", "Spa"], first: noon, last: later))
        ]
    }

    private func configuration() throws -> PoolConfiguration {
        let limits = Limits(criticalLow: 1, low: 2.5, high: 3, criticalHigh: 4.25)
        let everyLimit = everyQuantity(limits)
        let calibration = Calibration(
            slope: 1.02, offset: -0.1, method: .twoPoint,
            points: [.init(measured: 6.9, reference: 7), .init(measured: 9.1, reference: 9.18)], validFrom: noon,
            madeAt: later, author: "wrist")
        let source = ServerID(high: 1, low: 1)
        let mapping = DeviceMapping(
            profile: "tasmota",
            values: [
                try ValueSource(notation: "ph=~/v#[0].pH*0.01 +0.5 not -999,0 if [0].mode!=service"),
                try ValueSource(notation: "temperature=pool.temp °F"), try ValueSource(notation: "orp=v unit v.unit"),
            ],
            time: try TimeSource(notation: "~/ph#time Europe/Paris"),
            availability: [
                try AvailabilitySource(notation: "~/LWT online=Online offline=Offline"),
                try AvailabilitySource(notation: "~/info#uptime online>0"),
            ], measurementID: try ValuePath(text: "id"), heartbeats: ["~/alive"], publishesChangesOnly: true)
        let device = Device(
            id: DeviceID(high: 2, low: 2), name: "Lagoon ☀", serverID: source, topic: "pool/sensor/1",
            deviceType: "Chlorine Buddy 3", expectedIntervalSeconds: 45, limits: everyLimit,
            poolID: PoolID(high: 3, low: 3), mapping: mapping,
            calibrations: everyQuantity(CalibrationSeries([calibration])))
        var server = Server(
            id: source, name: "Home", host: "broker.example", port: 8884, username: "gardener", usesTLS: true,
            caFile: "/etc/pool/ca.pem",
            clientCertificate: .init(certificateFile: "/etc/me.pem", keyFile: "/etc/me.key"),
            protocolVersion: .v5, announcementPrefix: "homeassistant")
        server.note = "In the cellar, behind the pump"
        var alerts = AlertSettings()
        (alerts.isEnabled, alerts.alertsOnValues, alerts.alertsOnMissing) = (false, false, false)
        (alerts.alertsOnFaults, alerts.alertsOnConnections, alerts.tellsRecoveries) = (false, false, false)
        (alerts.mutedQuantities, alerts.cooldownSeconds, alerts.repeatsUntilAcknowledged) = ([.ph, .orp], 60, false)
        (alerts.longestRepeatSeconds, alerts.confirmationSamples, alerts.confirmationSeconds) = (7200, 3, 120)
        (alerts.hysteresis, alerts.missingDelaySeconds, alerts.connectionDelaySeconds) = ([.ph: 0.1], 240, 90)
        alerts.quietHours = QuietHours(startMinute: 1320, endMinute: 420, letsCriticalPass: false)
        (alerts.channels.terminal, alerts.channels.desktop, alerts.channels.watches) = (false, false, false)
        alerts.channels.mqtt = .init(serverID: source, topic: "pool/alerts")
        alerts.channels.webhook = .init(url: "https://example.org/hook", secretName: "hook")
        let whole = try PoolConfiguration().adding(server)
            .adding(Pool(id: PoolID(high: 3, low: 3), name: "Garden", volume: 32.5, limits: everyLimit))
            .adding(device).selecting(device: device.id).keeping(HistorySettings(rawDays: 40, summaryDays: 400))
            .exporting(ExportSettings(period: .weekly, format: .csv, folder: "/srv/pool")).alerting(alerts)
        let answer = AlertAnswer(
            key: .value(device.id, .ph, .high), episodeID: episode, isAcknowledged: true, snoozedUntil: later)
        return PoolConfiguration(entries: whole.entries() + [answer.entry])
    }

    private func everyQuantity<Value>(_ value: Value) -> QuantityMap<Value> {
        var map = QuantityMap<Value>()
        for quantity in Quantity.listed(where: { _ in false }) { map[quantity] = value }
        return map
    }

    private func readings() -> DeviceReadings {
        let qualities = TimeQuality.allCases
        var values = QuantityMap<LatestValue>()
        for (index, quantity) in Quantity.listed(where: { _ in false }).enumerated() {
            var value = LatestValue(
                value: Double(index) + 0.125, sampledAt: index == 3 ? nil : noon, timeQuality: qualities[index],
                receivedAt: later)
            value.trend = Trend.allCases[index]
            values[quantity] = value
        }
        return DeviceReadings(
            deviceID: lagoon.id, order: 9_007_199_254_740_993, values: values, lastSeen: later, awaited: [.chlorine])
    }

    private func registers() throws -> [Example] {
        let state = AlertState(
            (0..<40).map { number in
                AlertState.Alert(
                    episodeID: episode, key: number == 0 ? .hub(.storage) : .value(deviceID(number), .orp, .low),
                    name: "Device \(number)", severity: number % 2 == 0 ? .critical : .warning,
                    since: noon.advanced(byMilliseconds: Int64(number)), value: 640.5, limit: 650,
                    isAcknowledged: number % 3 == 0, snoozedUntil: number % 5 == 0 ? later : nil)
            })
        return [
            try Example("register \(RegisterKey.device(lagoon.id).text)", readings()),
            try Example("register \(RegisterKey.server(home.id).text)", ServerReport(isConnected: true, since: noon)),
            try Example("register \(RegisterKey.alerts.text)", state),
        ]
    }

    private func messages() throws -> [Example] {
        let point = TimeSeries.Point(start: noon, least: 7, greatest: 7.5, mean: 7.25, rawMean: 7.12, isAfterGap: true)
        let series = TimeSeries(
            quantity: .ph, first: noon, last: later, bucketMilliseconds: 60_000, points: [point])
        let newest = NewestReply(
            readings: readings(), server: "Home", connection: ServerReport(isConnected: false, since: noon),
            revision: 7,
            muted: [.ph, .orp], alertsOrder: 12, now: later)
        return [
            try Example("question newest", WatchQuery.newest(device: lagoon.id)),
            try Example(
                "question course",
                WatchQuery.series(device: lagoon.id, quantity: .chlorine, from: noon, through: later, points: 100)),
            try Example("question alerting", WatchQuery.alerting(quantity: .temperature, isOn: true)),
            try Example("reply newest", QueryReply.newest(newest)),
            try Example("reply course", QueryReply.series(lagoon.id, series)),
            try Example("reply alerting", QueryReply.alerting(muted: [.orp])),
            try Example("reply refused", QueryReply.refused("the hub has no such device any more")),
        ]
    }

    private func alerts() throws -> [Example] {
        let keys: [AlertKey] = [
            .value(lagoon.id, .ph, .high), .missing(lagoon.id, nil), .missing(lagoon.id, .orp), .fault(lagoon.id, .ph),
            .connection(home.id), .hub(.storage), .test,
        ]
        let notices = AlertNotice.Kind.allCases.enumerated().map { index, kind in
            AlertNotice(
                id: "notice \(index)", episodeID: episode, key: keys[index], kind: kind, severity: .critical,
                name: "Lagoon", value: 8.9, limit: 7.6, since: noon, until: later, at: later, repeats: index,
                text: "Lagoon pH is 8.90, above 7.60")
        }
        var line = AlertKeyState(key: keys[0], name: "Lagoon")
        (line.serverID, line.reason, line.detail, line.isOn) = (home.id, .silent, "the disk is full", true)
        line.candidate = .init(count: 1, start: 2, since: noon, isLate: true)
        (line.isDoubtful, line.faultScore, line.turns, line.lastTurn, line.episodeCount) = (true, 3, 4, 5, 6)
        (line.recovery, line.deescalation) = (
            .init(count: 7, start: 8, since: noon), .init(count: 9, start: 10, since: later)
        )
        var whole = AlertEpisode(id: episode, severity: .warning, since: noon, isLate: true)
        (whole.value, whole.limit, whole.lastNotified, whole.lastDelivered) = (8.9, 7.6, .warning, .critical)
        (whole.lastDeliveredAt, whole.repeats, whole.notices, whole.isAcknowledged) = (11, 12, 13, true)
        (whole.snooze, whole.pausedUntil) = (.init(until: 14, severity: .warning), 15)
        (whole.worst, whole.until) = (AlertPeak(severity: .critical, value: 9, limit: 8), later)
        (line.episode, line.closed, line.past) = (whole, whole, whole)
        line.mark = .init(moment: noon, value: 8.9)
        line.outbox = [
            AlertDelivery(
                notice: notices[0],
                channelDeliveries: [
                    .init(channel: .terminal, outcome: .open), .init(channel: .webhook, outcome: .abandoned),
                ])
        ]
        return try notices.map { try Example("notice \($0.kind.rawValue)", $0) } + [
            Example(
                "alert record",
                AlertRecord(
                    line: line, anchor: .init(steady: 16, wall: noon, uptime: 17, bootID: .max)))
        ]
    }
}
