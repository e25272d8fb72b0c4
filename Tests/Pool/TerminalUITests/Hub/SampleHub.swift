import PoolControl
import TerminalUI

@testable import PoolModel

/// The states that a hub can be in, as snapshots to draw.
enum SampleHub: String, CaseIterable, Sendable {
    case empty
    case serverOnly
    case normal
    case critical
    case stale
    case conflict
    case restored

    var snapshot: HubSnapshot {
        switch self {
        case .empty: Self.bare()
        case .serverOnly: Self.withServer()
        case .normal: Self.full(lagoon: [27.3, 7.35, 1.58, 711])
        case .critical: Self.critical()
        case .stale: Self.full(lagoon: [27.3, 7.35, 1.58, 711], freshness: .stale, age: 214)
        case .conflict: Self.withConflict()
        case .restored: Self.restored()
        }
    }

    /// 21 November 2026, 10:09:41 UTC.
    static let now = Timestamp(milliseconds: 1_795_255_781_000)

    static let broker = Server(id: ServerID(high: 1, low: 1), name: "Home broker", host: "mqtt.lan")
    static let ryokan = Server(id: ServerID(high: 1, low: 2), name: "Ryokan", host: "ryokan.example", usesTLS: true)
    static let lagoonID = DeviceID(high: 2, low: 1)

    // MARK: States

    private static func bare() -> HubSnapshot {
        var snapshot = HubSnapshot(HubState(now: now, revision: 1))
        snapshot.hub.endpoint = "tcp://192.168.1.20:7201"
        return snapshot
    }

    private static func withServer() -> HubSnapshot {
        var snapshot = bare()
        snapshot.hub.servers = [server(broker)]
        snapshot.hub.revision = 2
        return snapshot
    }

    private static func critical() -> HubSnapshot {
        var snapshot = full(lagoon: [27.3, 7.64, 0.2, 586])
        snapshot.hub.alerts.state.alerts = [
            alert(1, .value(lagoonID, .chlorine, .low), .critical, 120, value: 0.2, limit: 0.5),
            alert(2, .value(lagoonID, .ph, .high), .warning, 600, value: 7.64, limit: 7.6, isAcknowledged: true),
            alert(3, .value(lagoonID, .orp, .low), .warning, 240, value: 586, limit: 600),
        ]
        let alerts = snapshot.hub.alerts.state.alerts
        snapshot.hub.alerts.notices = [notice(of: alerts[0], age: 128), notice(of: alerts[2], age: 244)]
        return snapshot
    }

    private static func withConflict() -> HubSnapshot {
        var snapshot = full(lagoon: [27.3, 7.35, 1.58, 711])
        snapshot.hub.conflicts = [
            ConflictSummary(
                id: ConflictID(high: 0x0123_4567_89ab_cdef, low: 0x0123_4567_89ab_cdef),
                subject: "name of the device \"Lagoon\"", base: "Pool",
                loser: .init(value: "Big pool", author: "amelie", at: now),
                winner: .init(value: "Lagoon", author: "hub", at: now),
                rule: "newest", obstacle: nil)
        ]
        return snapshot
    }

    private static func restored() -> HubSnapshot {
        var snapshot = full(lagoon: [27.3, 7.35, 1.58, 711])
        snapshot.notices = [
            "this hub's state is an old copy, without the changes since then; what watches still know of them will be in "
                + "`poolsensors conflicts`"
        ]
        return snapshot
    }

    static func full(lagoon values: [Double], freshness: Freshness = .live, age: Int? = 4) -> HubSnapshot {
        var snapshot = bare()
        snapshot.hub.revision = 4187
        snapshot.hub.servers = [
            server(broker, hasPassword: true), server(ryokan),
        ]
        snapshot.hub.devices = [
            device(1, "Kids' pool", broker), self.lagoon, device(3, "Spa", broker, limits: .spa),
            device(4, "Test bench", ryokan), device(5, "露天風呂 onsen", ryokan, limits: .spa),
        ]
        snapshot.hub.devices[0].storedReadings = 1_204_311 - snapshot.hub.devices[1].storedReadings
        let all: [([Double], Freshness, Int?)] = [
            ([28.1, 7.62, 1.9, 690], .live, 12), (values, freshness, age), ([36.1, 7.31, 2.1, 702], .live, 9),
            ([20.4, 7.1, 1.1, 650], .offline, 90_000), ([41.2, 7.3, 1.2, 660], .live, 3),
        ]
        for (device, shown) in zip(snapshot.hub.devices, all) {
            snapshot.glances[device.id] = glance(of: device, shown.0, freshness: shown.1, age: shown.2)
        }
        snapshot.hub.pools = [Pool(id: PoolID(high: 3, low: 1), name: "Garden", volume: 48.5)]
        snapshot.hub.watches = [
            watch("amelie", "a1b2c3d4", revision: 4185, queue: 2, lag: 610),
            watch("julien", "b1b2c3d4", revision: 4187, lag: 40),
            watch("poolside", "c1b2c3d4", silent: 840, revision: 4120, queue: 67),
            watch("tmux-inline", "d1b2c3d4", revision: 4187, lag: 20),
        ]
        snapshot.hub.alerts.channels = [
            AlertReport.Channel(channel: .terminal, isEnabled: true),
            AlertReport.Channel(channel: .desktop, isEnabled: true, authorization: .denied),
            AlertReport.Channel(channel: .mqtt, isEnabled: false),
            AlertReport.Channel(channel: .webhook, isEnabled: true, trouble: "HTTP 503 from example.org"),
            AlertReport.Channel(channel: .watchUserInfo, isEnabled: true),
        ]
        snapshot.events = events
        snapshot.chart = chart(endingAt: values[2])
        snapshot.readings = readings
        return snapshot
    }

    // MARK: Parts

    static func server(_ server: Server, hasPassword: Bool = false) -> ServerState {
        var known = ServerState(server, hasPassword: hasPassword)
        known.connection = ServerConnection(.connected, words: "connected")
        return known
    }

    static func watch(
        _ name: String, _ key: String, silent: Int? = nil, revision: UInt64? = nil, queue: Int = 0, lag: Int? = nil
    ) -> WatchConnection {
        var watch = WatchConnection(name: name, id: WatchID(key) ?? WatchID(bytes: key.utf8))
        (watch.isLinked, watch.silentSeconds) = (silent == nil, silent)
        (watch.revision, watch.backlog, watch.lagMilliseconds) = (revision, queue, lag)
        return watch
    }

    private static var lagoon: DeviceState {
        var known = device(1, "Lagoon", broker)
        known.device = Device(
            id: lagoonID, name: "Lagoon", serverID: broker.id, topic: "pool/sensor/main",
            limits: [.temperature: Limits(criticalLow: 18, low: 24, high: 30, criticalHigh: 34)],
            calibrations: [
                .temperature: series(1, 0.2, .zeroPoint), .ph: series(1.012, -0.03, .twoPoint),
                .chlorine: series(0.984, 0.05, .twoPoint),
            ])
        known.isSelected = true
        known.storedReadings = 43_200
        return known
    }

    private static func series(_ slope: Double, _ offset: Double, _ method: Calibration.Method) -> CalibrationSeries {
        let made = now.advanced(byMilliseconds: -12 * 86_400_000)
        return CalibrationSeries([
            Calibration(
                slope: slope, offset: offset, method: method, points: [], validFrom: made, madeAt: made, author: "hub")
        ])
    }

    enum Kind { case pool, spa }

    static func device(
        _ number: UInt64, _ name: String, _ server: Server, limits kind: Kind = .pool
    ) -> DeviceState {
        var own: QuantityMap<Limits> = [:]
        if kind == .spa { own[.temperature] = Limits(criticalLow: 30, low: 34, high: 42, criticalHigh: 44) }
        let device = Device(
            id: DeviceID(high: 2, low: number == 1 && name != "Lagoon" ? 9 : number), name: name, serverID: server.id,
            topic: "pool/sensor/\(number)", limits: own)
        return DeviceState(device, limits: own)
    }

    static func glance(
        of device: DeviceState, _ values: [Double], freshness: Freshness = .live, age: Int?
    ) -> Glance {
        let trends: [Trend] = [.easing, .rising, .falling, .steady]
        let gauges = zip(Quantity.allCases, zip(values, trends)).map { quantity, known in
            let limits = device.limits[quantity] ?? quantity.facts.limits
            let (status, deviation) = limits.judge(known.0)
            let day = history(endingAt: known.0, limits: limits)
            let range = day.compactMap(\.self).reduce(known.0...known.0) {
                min($0.lowerBound, $1)...max($0.upperBound, $1)
            }
            return Glance.Gauge(
                quantity: quantity, value: known.0, status: freshness == .live ? status : .offline,
                deviation: deviation, freshness: freshness, ageSeconds: age, limits: limits,
                trend: freshness == .live ? known.1 : nil, history: day, range: range)
        }
        return Glance(
            deviceName: device.name, gauges: gauges, freshness: freshness, ageSeconds: age, link: .linked,
            revision: 4187,
            clock: "10:09")
    }

    /// A day that wanders about the middle of the band and ends at a value.
    private static func history(endingAt value: Double, limits: Limits) -> [Double?] {
        let middle = (limits.low + limits.high) / 2
        let wave: [Double] = [0, 3, 5, 6, 5, 3, 0, -3, -5, -6, -5, -3]
        return (0..<48).map { index in
            let swing = (limits.high - limits.low) * 0.02 * (wave[index % 12] + wave[index / 4 % 12])
            let progress = Double(index * index * index) / Double(47 * 47 * 47)
            return middle + swing * (1 - progress) + (value - middle) * progress
        }
    }

    static func alert(
        _ number: UInt64, _ key: AlertKey, _ severity: AlertSeverity, _ age: Int64, value: Double, limit: Double,
        isAcknowledged: Bool = false
    ) -> AlertState.Alert {
        AlertState.Alert(
            episodeID: AlertEpisodeID(high: 7, low: number), key: key, name: "Lagoon", severity: severity,
            since: now.advanced(byMilliseconds: -age * 1000), value: value, limit: limit,
            isAcknowledged: isAcknowledged, snoozedUntil: nil)
    }

    /// What was told of an alert so many seconds ago.
    private static func notice(of alert: AlertState.Alert, age: Int64) -> AlertNotice {
        AlertNotice(
            id: "\(alert.episodeID)", episodeID: alert.episodeID, key: alert.key, kind: .raised,
            severity: alert.severity, name: alert.name, since: alert.since,
            at: now.advanced(byMilliseconds: -age * 1000), repeats: 0, text: "")
    }

    private static var events: [EventSummary] {
        let texts: [(Int64, EventSummary.Kind, AlertSeverity?, String)] = [
            (0, .reading, nil, "Lagoon: 27.3 °C, pH 7.63, Cl 0.42 mg/L, ORP 621 mV"),
            (0, .linked, nil, "watch julien: linked"),
            (15, .reading, nil, "Spa: 36.1 °C, pH 7.31, Cl 2.10 mg/L, ORP 702 mV"),
            (128, .alert, .critical, "Lagoon: Chlorine 0.42 mg/L, 0.08 below the critical limit of 0.50, for 2 min"),
            (244, .alert, .warning, "Lagoon: ORP 586 mV, 14 below the limit of 600, for 4 min"),
            (451, .linked, nil, "watch amelie: linked"),
            (611, .alert, .warning, "Lagoon: pH 7.64, 0.04 above the limit of 7.60, for 10 min"),
            (700, .configured, nil, "settings changed"),
            (842, .unlinked, nil, "watch poolside: away (it said goodbye)"),
            (1200, .server, nil, "server Home broker: connected"),
        ]
        return texts.enumerated().map { index, text in
            EventSummary(
                number: UInt64(100 - index), at: now.advanced(byMilliseconds: -text.0 * 1000), kind: text.1,
                severity: text.2, text: text.3)
        }
    }

    /// A day of chlorine that falls, with a gap of three hours.
    static func chart(endingAt value: Double) -> ChartState {
        let navigator = ChartNavigator()
        let query = navigator.query(of: .chlorine, device: lagoonID, now: now, columns: 50)
        let wave: [Double] = [0, 0.05, 0.1, 0.08, 0.02, -0.04, -0.08, -0.06]
        var points: [TimeSeries.Point] = []
        for index in 0..<96 where !(30..<42).contains(index) {
            let progress = Double(index) / 95
            let mean = 2.1 + (value - 2.1) * progress * progress + wave[index % 8] * (1 - progress)
            points.append(
                .init(
                    start: now.advanced(byMilliseconds: -Int64(95 - index) * 900_000), least: mean - 0.04,
                    greatest: mean + 0.04,
                    mean: mean, rawMean: mean / 0.984 - 0.05, count: 15, isAfterGap: index == 42))
        }
        return ChartState(
            query: query,
            series: TimeSeries(
                quantity: .chlorine, first: query.from, last: query.through, bucketMilliseconds: 900_000,
                points: points))
    }

    private static var readings: ReadingPage {
        let rows = (0..<40).map { index in
            let place = HistoryPlace(
                sampledAt: now.advanced(byMilliseconds: -Int64(index) * 60_000 - 4000), ordinal: UInt64(1000 - index))
            let shift = Double(index) * 0.01
            return HistoryRow(
                device: "Lagoon", deviceID: lagoonID, sampledAt: place.sampledAt, timeQuality: .device,
                receivedAt: place.sampledAt, ordinal: place.ordinal,
                raw: [.temperature: 27.1 - shift, .ph: 7.3, .chlorine: 1.5, .orp: 711],
                corrected: [.temperature: 27.3 - shift, .ph: 7.35, .chlorine: 1.58 - shift * 3, .orp: 711])
        }
        return ReadingPage(deviceID: lagoonID, rows: rows, hasMore: true)
    }

    static var invitation: WatchInvitation {
        let keys =
            String(repeating: "0123456789abcdef", count: 4) + "-" + String(repeating: "fedcba9876543210", count: 4)
        return WatchInvitation(
            code: "psw1-\(keys)-89abcdef-tcp://192.168.1.20:7201", validUntil: now.advanced(byMilliseconds: 600_000))
    }
}
