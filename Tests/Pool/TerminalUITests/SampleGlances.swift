@testable import PoolModel

/// The states of a watch, as glances to draw.
enum SampleGlance: String, CaseIterable, Sendable {
    case normal
    case warning
    case critical
    case stale
    case offline
    case lastKnown
    case partlyStale
    case formerlyCritical
    case deadBand
    case missingProbe
    case never
    case noDevice
    case waiting
    case unpaired
    case connecting
    case connectingAgain
    case linkLost
    case linkLostStale
    case refused
    case alerts
    case alertsAnswered
    case linkLostCritical
    case queuedEdits
    case conflict
    case obstacle
    case restored
    case fileReceived
    case hostileName
    case wideNumbers

    var glance: Glance {
        switch self {
        case .normal: .sample()
        case .warning: .sample(ph: 7.64)
        case .critical: .sample(ph: 7.64, chlorine: 0.2, orp: 586)
        case .stale: .sample(ph: 7.8, freshness: .stale, age: 214)
        case .offline: .sample(freshness: .offline, age: 3912)
        case .lastKnown: .sample(freshness: .lastKnown, age: nil)
        case .partlyStale: Self.withOldValues
        case .formerlyCritical: Self.withOldCritical
        case .deadBand: Self.inDeadBand
        case .missingProbe: Self.withoutProbe
        case .never: .empty(name: "Lagoon", revision: 12)
        case .noDevice: .empty(name: nil, revision: 12)
        case .waiting: .empty(name: nil, revision: nil)
        case .unpaired: .empty(name: nil, revision: nil, link: .unpaired)
        case .connecting: .empty(name: nil, revision: nil, link: .connecting(waitingFor: "the hub at 127.0.0.1:7201"))
        case .connectingAgain: .sample(link: .connecting(waitingFor: "the hub"))
        case .linkLost: .sample(link: .lost(seconds: 12))
        case .linkLostStale: .sample(freshness: .stale, age: 95, link: .lost(seconds: 90))
        case .refused:
            .empty(
                name: nil, revision: nil,
                link: .refused(reason: "this watch was removed on the hub; pair it again there to see the pools"))
        case .alerts: Self.withAlerts(isAcknowledged: false)
        case .alertsAnswered: Self.withAlerts(isAcknowledged: true)
        case .linkLostCritical: .sample(chlorine: 0.2, link: .lost(seconds: 31))
        case .queuedEdits: Self.withEdits(link: .lost(seconds: 3700), freshness: .offline, age: 3702)
        case .conflict: Self.withConflict
        case .obstacle: Self.withEdits { $0.uploadObstacle = "the hub's list of conflicts is full" }
        case .restored:
            Self.withEdits(count: 0) { $0.restoreNotice = "the hub was restored from a backup, 2 edits sent again" }
        case .fileReceived:
            Self.withEdits(count: 0) {
                $0.fileNotice = ReceivedFileSummary(
                    name: "pool\u{1B}.csv", byteCount: 12_345, path: "/srv/watches/Wrist/shared/3f9a/pool.csv")
            }
        case .hostileName: .sample(name: "\u{1B}[31m\u{202E}露天風呂\u{200B} onsen 👩‍🚀♨️\u{07}")
        case .wideNumbers: .sample(temperature: -12.5, ph: 14, chlorine: 40, orp: -1500)
        }
    }

    private static func withAlerts(isAcknowledged: Bool) -> Glance {
        var glance = SampleGlance.critical.glance
        glance.moment = Timestamp(milliseconds: 1_000_000)
        glance.alerts = AlertState([
            .sample(.chlorine, severity: .critical, isAcknowledged: isAcknowledged),
            .sample(.ph, isAcknowledged: true), .sample(.orp, side: .low, isAcknowledged: isAcknowledged),
        ])
        return glance
    }

    private static func withEdits(
        count: Int = 2, link: LinkState = .linked, freshness: Freshness = .live, age: Int = 4,
        change: (inout Glance) -> Void = { _ in }
    ) -> Glance {
        var glance = Glance.sample(freshness: freshness, age: age, link: link)
        glance.pendingEdits = Array([#"name of the device "Lagoon": "Big""#, "pH warning above: 7.80"].prefix(count))
        change(&glance)
        return glance
    }

    private static var withConflict: Glance {
        withEdits { glance in
            let now = Timestamp(milliseconds: 0)
            glance.conflicts = [
                ConflictSummary(
                    id: ConflictID(bytes: [0x3f, 0x9a, 0x00, 0xaa, 0x11]), subject: "name of the device \"Lagoon\"",
                    base: nil,
                    loser: .init(value: "\"Big\"", author: "Kitchen", at: now),
                    winner: .init(value: "\"Blue\"", author: "hub", at: now), rule: "newest", obstacle: nil)
            ]
        }
    }

    private static var withOldValues: Glance {
        var glance = Glance.sample()
        glance.gauges[1] = Glance.sample(freshness: .stale, age: 200).gauges[1]
        glance.gauges[3] = Glance.sample(freshness: .offline, age: 7300).gauges[3]
        return glance
    }

    private static var withOldCritical: Glance {
        var glance = Glance.sample()
        glance.moment = Timestamp(milliseconds: 1_000_000)
        glance.gauges[2] = Glance.sample(chlorine: 0.4, freshness: .stale, age: 10_900).gauges[2]
        glance.gauges[2].formerStatus = .critical
        var alert = AlertState.Alert.sample(.chlorine, severity: .critical)
        alert.value = 0.4
        alert.measuredAt = Timestamp(milliseconds: 1_000_000 - 10_900_000)
        glance.alerts = AlertState([alert])
        return glance
    }

    private static var inDeadBand: Glance {
        var glance = Glance.sample(ph: 7.58)
        glance.moment = Timestamp(milliseconds: 1_000_000)
        glance.gauges[1].status = .warning
        var alert = AlertState.Alert.sample(.ph)
        (alert.value, alert.limit, alert.normal, alert.release) = (7.58, 7.6, 7.6, 7.55)
        glance.alerts = AlertState([alert])
        return glance
    }

    private static var withoutProbe: Glance {
        var glance = Glance.sample()
        glance.gauges[3] = Glance.Gauge(
            quantity: .orp, value: nil, status: .offline, deviation: nil, freshness: .never, ageSeconds: nil,
            limits: Quantity.orp.facts.limits, trend: nil, history: [])
        return glance
    }
}

extension Glance {
    static func sample(
        name: String = "Lagoon", temperature: Double = 27.3, ph: Double = 7.35, chlorine: Double = 1.58,
        orp: Double = 711, freshness: Freshness = .live, age: Int? = 4, link: LinkState = .linked
    ) -> Glance {
        let values: [Quantity: Double] = [.temperature: temperature, .ph: ph, .chlorine: chlorine, .orp: orp]
        let trends: [Quantity: Trend] = [.temperature: .easing, .ph: .rising, .chlorine: .falling, .orp: .steady]
        let gauges = Quantity.listed { _ in false }.map { quantity in
            let value = values[quantity] ?? 0
            let limits = quantity.facts.limits
            let (status, deviation) = limits.judge(value)
            return Gauge(
                quantity: quantity, value: value, status: freshness == .live ? status : .offline,
                deviation: deviation, freshness: freshness, ageSeconds: age, limits: limits,
                trend: freshness == .live ? trends[quantity] : nil, history: history(endingAt: value, limits: limits))
        }
        return Glance(
            deviceName: name, gauges: gauges, freshness: freshness, ageSeconds: age, link: link, revision: 4187,
            clock: "10:09")
    }

    static func empty(name: String?, revision: UInt64?, link: LinkState = .linked) -> Glance {
        Glance(
            deviceName: name, gauges: [], freshness: .never, ageSeconds: nil, link: link, revision: revision,
            clock: "10:09")
    }

    /// A day of values around the middle of the range that ends at a value; two hours are missing.
    private static func history(endingAt value: Double, limits: Limits) -> [Double?] {
        let middle = (limits.low + limits.high) / 2
        let wave: [Double] = [0, 3, 5, 6, 5, 3, 0, -3, -5, -6, -5, -3]
        return (0..<48).map { index in
            if (6..<10).contains(index) { return nil }
            let swing = (limits.high - limits.low) * 0.02 * (wave[index % 12] + wave[index / 4 % 12])
            let progress = Double(index * index * index) / Double(47 * 47 * 47)
            return middle + swing * (1 - progress) + (value - middle) * progress
        }
    }
}

extension AlertState.Alert {
    static func sample(
        _ quantity: Quantity, side: Limits.Deviation? = nil, severity: AlertSeverity = .warning,
        name: String = "Lagoon", isAcknowledged: Bool = false, snoozedUntil: Timestamp? = nil
    ) -> AlertState.Alert {
        let side = side ?? (quantity == .chlorine ? .low : .high)
        // Tests do not look up these identities.
        let device = DeviceID(high: 1, low: 2)
        return AlertState.Alert(
            episodeID: AlertEpisodeID(high: 3, low: UInt64(quantity.decimals)),
            key: .value(device, quantity, side), name: name, severity: severity,
            since: Timestamp(milliseconds: 1_000_000 - 150_000), value: 1, limit: 2, isAcknowledged: isAcknowledged,
            snoozedUntil: snoozedUntil)
    }
}
