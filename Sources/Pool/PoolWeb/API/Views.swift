import PoolControl
import PoolModel
import WebServer

/// A device as the page shows it: nothing of its server, topic or messages.
struct DeviceView: Encodable, Equatable {
    struct Gauge: Encodable, Equatable {
        var quantity: Quantity
        var unit: String
        var value: Double?
        var status: Status
        var deviation: Limits.Deviation?
        var freshness: String
        var ageSeconds: Int?
        var at: Timestamp?
        var trend: Trend?
        var limits: Limits
        var isMeasured: Bool
        var formerStatus: Status?

        private enum CodingKeys: CodingKey {
            case quantity, unit, value, status, deviation, freshness, ageSeconds, at, trend, limits, isMeasured,
                formerStatus
        }

        /// Writes every member; null for what is unknown.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(quantity, forKey: .quantity)
            try container.encode(unit, forKey: .unit)
            try container.encode(value, forKey: .value)
            try container.encode(status, forKey: .status)
            try container.encode(deviation, forKey: .deviation)
            try container.encode(freshness, forKey: .freshness)
            try container.encode(ageSeconds, forKey: .ageSeconds)
            try container.encode(at, forKey: .at)
            try container.encode(trend, forKey: .trend)
            try container.encode(limits, forKey: .limits)
            try container.encode(isMeasured, forKey: .isMeasured)
            try container.encode(formerStatus, forKey: .formerStatus)
        }
    }

    var id: DeviceID
    var name: String
    var poolID: PoolID?
    var deviceType: String
    var expectedIntervalSeconds: Int
    var isAvailable: Bool?
    var storedReadings: Int
    var status: String
    var statusText: String
    var freshness: String
    var ageSeconds: Int?
    /// What to know first; nil for a device in a pool, which has it.
    var assessment: AssessmentView?
    var readings: [Gauge]

    init(_ device: DeviceState, alerts: AlertState, assessment: AssessmentView? = nil, at now: Timestamp) {
        let glance = device.glance(alerts: alerts, at: now)
        let headline = Headline(glance)
        id = device.id
        name = device.name
        poolID = device.device.poolID
        deviceType = device.device.deviceType
        expectedIntervalSeconds = device.device.expectedIntervalSeconds
        isAvailable = device.isAvailable
        storedReadings = device.storedReadings
        status = headline.label
        statusText = headline.word
        freshness = glance.freshness.label
        ageSeconds = glance.ageSeconds
        self.assessment = assessment
        readings = glance.gauges.map { gauge in
            let latest = device.readings?.values[gauge.quantity]
            return Gauge(
                quantity: gauge.quantity, unit: gauge.quantity.facts.unit.symbol,
                // JSON cannot represent a number that is not finite.
                value: gauge.value.flatMap { $0.isFinite ? $0 : nil }, status: gauge.status,
                deviation: gauge.deviation, freshness: gauge.freshness.label, ageSeconds: gauge.ageSeconds,
                at: latest.map { $0.sampledAt ?? $0.receivedAt }, trend: gauge.trend, limits: gauge.limits,
                isMeasured: gauge.isMeasured, formerStatus: gauge.formerStatus)
        }
    }

    private enum CodingKeys: CodingKey {
        case id, name, poolID, deviceType, expectedIntervalSeconds, isAvailable, storedReadings, status, statusText,
            freshness, ageSeconds, assessment, readings
    }

    /// Leaves out what is not there; the age of a device without values is null.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(poolID, forKey: .poolID)
        try container.encode(deviceType, forKey: .deviceType)
        try container.encode(expectedIntervalSeconds, forKey: .expectedIntervalSeconds)
        try container.encodeIfPresent(isAvailable, forKey: .isAvailable)
        try container.encode(storedReadings, forKey: .storedReadings)
        try container.encode(status, forKey: .status)
        try container.encode(statusText, forKey: .statusText)
        try container.encode(freshness, forKey: .freshness)
        try container.encode(ageSeconds, forKey: .ageSeconds)
        try container.encodeIfPresent(assessment, forKey: .assessment)
        try container.encode(readings, forKey: .readings)
    }
}

/// What to know first, with its sentence in each language, because a stream goes on when the page changes its language.
struct AssessmentView: Encodable, Equatable {
    var kind: String
    var sentences: [String: String]

    init(_ assessment: PoolAssessment) {
        kind = assessment.label
        sentences = Dictionary(
            uniqueKeysWithValues: TextLanguage.allCases.map { ($0.code, assessment.sentence(in: $0)) })
    }
}

/// A pool as the page shows it: with its devices, the worst of their statuses, and what to know first.
struct PoolView: Encodable, Equatable {
    var id: PoolID
    var name: String
    var volume: Double?
    var limits: QuantityMap<Limits>
    var devices: [String]
    var deviceIDs: [DeviceID]
    var status: String
    var statusText: String
    var assessment: AssessmentView

    /// The statuses from the worst on.
    private static let severity = ["critical", "warning", "offline", "stale", "normal"]

    init(_ pool: Pool, _ views: [DeviceView], _ assessment: PoolAssessment?) {
        id = pool.id
        name = pool.name
        volume = pool.volume
        limits = pool.limits
        let own = views.filter { $0.poolID == pool.id }
        devices = own.map(\.name)
        deviceIDs = own.map(\.id)
        let worst = Self.severity.lazy.compactMap { status in own.first { $0.status == status } }.first
        status = worst?.status ?? Status.offline.rawValue
        statusText = worst?.statusText ?? Headline.noDevice.word
        // A pool without devices has no assessment of its own.
        self.assessment = AssessmentView(assessment ?? PoolAssessment(without: .linked))
    }
}

/// An open alert as the page shows it: with its sentence in the language of the request, and in each language, because a
/// stream goes on when the page changes its language.
struct AlertView: Encodable, Equatable {
    var alert: AlertState.Alert
    var language = TextLanguage.english

    private enum CodingKeys: CodingKey { case summary, summaries }

    func encode(to encoder: any Encoder) throws {
        try alert.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(alert.namedPhrase(in: language), forKey: .summary)
        let all = TextLanguage.allCases.map { ($0.code, alert.namedPhrase(in: $0)) }
        try container.encode(Dictionary(uniqueKeysWithValues: all), forKey: .summaries)
    }
}

/// A notice as the page shows it: its sentence is in the language of the request.
struct NoticeView: Encodable {
    var notice: AlertNotice

    init(_ notice: AlertNotice, in language: TextLanguage) {
        self.notice = notice
        self.notice.text = notice.sentence(in: language)
    }

    func encode(to encoder: any Encoder) throws { try notice.encode(to: encoder) }
}

/// The limits of a device or a pool as the page shows them: with its own ones, which can be changed.
struct LimitsView: Encodable {
    var report: LimitsReport
    var own: QuantityMap<Limits>

    private enum CodingKeys: CodingKey { case own }

    init(_ device: DeviceState, in state: HubState) {
        report = LimitsReport(device, in: state)
        own = device.device.limits
    }

    init(_ pool: Pool, in state: HubState) {
        report = LimitsReport(pool, in: state)
        own = pool.limits
    }

    func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(own, forKey: .own)
    }
}
