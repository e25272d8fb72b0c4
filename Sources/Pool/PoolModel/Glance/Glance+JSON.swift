extension Glance {
    /// The glance as one line of JSON, without a line end: for programs, in the units of ``Quantity/unit``.
    ///
    /// Every key is always present, an unknown value is null, and numbers are never rounded or localised.
    ///
    /// | key | value |
    /// |---|---|
    /// | `name` | of the device, or null |
    /// | `id` | of the device, or null |
    /// | `pool` | name of its pool, or null |
    /// | `assessments` | what to know first of each pool, see ``PoolAssessment``: `name`, `assessment` (`swim`, `do-not-swim`, `add`, `wait`, `check`, `unknown`), `sentence` in English, `sentenceFrench` |
    /// | `status` | `normal`, `warning`, `critical`, `stale`, `offline`: see ``Headline/label`` |
    /// | `freshness` | `live`, `stale`, `offline`, `lastKnown`, `never` |
    /// | `ageSeconds` | age of the newest value, or null |
    /// | `revision` | of the configuration, or null |
    /// | `clock` | the time of day as shown |
    /// | `link` | `state`: `unpaired`, `connecting`, `linked`, `lost`, `refused`; `ageSeconds` since the hub was heard; `text` for a person |
    /// | `source` | `from`: `hub` for what the hub has now, `kept` for what the watch kept; `text`: why it is only that, or null |
    /// | `pendingEdits` | what was changed here and waits for the hub, a sentence each, oldest first |
    /// | `conflicts` | the values that were entered and are not shown, see ``ConflictSummary`` |
    /// | `alerts` | the open alerts, worst first: `key`, `severity`, `summary`, `since`, `isAcknowledged`, `snoozedUntil`, `measuredAt` if the value is not fresh any more |
    /// | `uploadObstacle` | why the hub cannot take the edits although it answers, or null |
    /// | `restoreNotice` | what a restore of the hub from a backup means here, or null |
    /// | `fileNotice` | the file that came lately: `name`, `byteCount`, `path`; or null |
    /// | `readings` | one object for each quantity, in the order of the gauges |
    ///
    /// Each reading has `quantity`, `unit`, `value`, `status`, `deviation` (`low`, `high` or null), `freshness`,
    /// `ageSeconds`, `isMeasured` (false for a quantity that the device does not have), `formerStatus` (of a value that is
    /// not live: the status that it had, or null), `trend` (`falling`, `easing`, `steady`, `climbing`, `rising` or null), `limits` with
    /// `criticalLow`, `low`, `high` and `criticalHigh`, and `history`: the columns of the last day, oldest first, null
    /// where there is a gap.
    ///
    /// - Parameter status: The value of `status`; nil for that of the headline.
    /// - Returns: The line.
    public func jsonLine(status: String? = nil) -> String {
        do throws(CanonicalJSON.Failure) {
            return try CanonicalJSON.output(record(status: status))
        } catch {
            preconditionFailure("a glance holds what JSON cannot: \(error.reason)")
        }
    }

    /// The value whose JSON ``jsonLine(status:)`` is.
    package func record(status: String? = nil) -> some Encodable { GlanceLine(self, status: status) }
}

extension Freshness {
    /// The constant label for programs.
    public var label: String {
        switch self {
        case .live: "live"
        case .stale: "stale"
        case .offline: "offline"
        case .lastKnown: "lastKnown"
        case .never: "never"
        }
    }
}

/// The structure of the line; written by hand, because the compiler's code leaves absent members out.
private struct GlanceLine: Encodable {
    let glance: Glance
    let status: String

    init(_ glance: Glance, status: String?) {
        self.glance = glance
        self.status = status ?? Headline(glance).label
    }

    private enum Key: String, CodingKey {
        case name
        case id
        case pool
        case assessments
        case status
        case freshness
        case ageSeconds
        case revision
        case clock
        case link
        case source
        case readings
        case pendingEdits
        case conflicts
        case alerts
        case uploadObstacle
        case restoreNotice
        case fileNotice
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(glance.deviceName, forKey: .name)
        try container.encode(glance.deviceID, forKey: .id)
        try container.encode(glance.poolName, forKey: .pool)
        let assessments = glance.assessments ?? [glance.shownAssessment.assessment]
        try container.encode(assessments.map(AssessmentLine.init), forKey: .assessments)
        try container.encode(status, forKey: .status)
        try container.encode(glance.freshness.label, forKey: .freshness)
        try container.encode(glance.ageSeconds, forKey: .ageSeconds)
        try container.encode(glance.revision, forKey: .revision)
        try container.encode(glance.clock, forKey: .clock)
        try container.encode(LinkLine(link: glance.link), forKey: .link)
        try container.encode(SourceLine(glance: glance), forKey: .source)
        try container.encode(glance.gauges.map(GaugeLine.init), forKey: .readings)
        try container.encode(glance.pendingEdits, forKey: .pendingEdits)
        try container.encode(glance.conflicts, forKey: .conflicts)
        try container.encode(glance.alerts.alerts.map(OpenAlertLine.init), forKey: .alerts)
        try container.encode(glance.uploadObstacle, forKey: .uploadObstacle)
        try container.encode(glance.restoreNotice, forKey: .restoreNotice)
        try container.encode(glance.fileNotice, forKey: .fileNotice)
    }
}

private struct AssessmentLine: Encodable {
    var name: String
    var assessment: String
    var sentence: String
    var sentenceFrench: String

    init(_ assessment: PoolAssessment) {
        name = assessment.name
        self.assessment = assessment.label
        sentence = assessment.sentence(in: .english)
        sentenceFrench = assessment.sentence(in: .french)
    }
}

private struct OpenAlertLine: Encodable {
    let alert: AlertState.Alert

    private enum Key: String, CodingKey {
        case key
        case severity
        case summary
        case since
        case isAcknowledged
        case snoozedUntil
        case measuredAt
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(alert.key, forKey: .key)
        try container.encode(alert.severity, forKey: .severity)
        try container.encode(alert.summary, forKey: .summary)
        try container.encode(alert.since.iso8601, forKey: .since)
        try container.encode(alert.isAcknowledged, forKey: .isAcknowledged)
        try container.encode(alert.snoozedUntil?.iso8601, forKey: .snoozedUntil)
        try container.encode(alert.measuredAt?.iso8601, forKey: .measuredAt)
    }
}

private struct LinkLine: Encodable {
    let link: LinkState

    private enum Key: String, CodingKey {
        case state
        case ageSeconds
        case text
    }

    func encode(to encoder: any Encoder) throws {
        let (state, seconds, text): (String, Int?, String?) =
            switch link {
            case .unpaired: ("unpaired", nil, nil)
            case .connecting(let missing): ("connecting", nil, missing)
            case .linked: ("linked", nil, nil)
            case .lost(let seconds): ("lost", seconds, nil)
            case .refused(let reason): ("refused", nil, reason)
            }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(state, forKey: .state)
        try container.encode(seconds, forKey: .ageSeconds)
        try container.encode(text, forKey: .text)
    }
}

private struct SourceLine: Encodable {
    let glance: Glance

    private enum Key: String, CodingKey {
        case from
        case text
    }

    func encode(to encoder: any Encoder) throws {
        var text: String?
        if case .kept(let reason) = glance.source { text = reason }
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(glance.isFromHub ? "hub" : "kept", forKey: .from)
        try container.encode(text, forKey: .text)
    }
}

private struct GaugeLine: Encodable {
    let gauge: Glance.Gauge

    private enum Key: String, CodingKey {
        case quantity
        case unit
        case value
        case status
        case deviation
        case freshness
        case ageSeconds
        case isMeasured
        case formerStatus
        case trend
        case limits
        case history
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(gauge.quantity, forKey: .quantity)
        try container.encode(gauge.quantity.facts.unit.symbol, forKey: .unit)
        try container.encode(gauge.value.flatMap(Self.finite), forKey: .value)
        try container.encode(gauge.status, forKey: .status)
        try container.encode(gauge.deviation?.rawValue, forKey: .deviation)
        try container.encode(gauge.freshness.label, forKey: .freshness)
        try container.encode(gauge.ageSeconds, forKey: .ageSeconds)
        try container.encode(gauge.isMeasured, forKey: .isMeasured)
        try container.encode(gauge.formerStatus, forKey: .formerStatus)
        try container.encode(gauge.trend?.rawValue, forKey: .trend)
        try container.encode(gauge.history.map { $0.flatMap(Self.finite) }, forKey: .history)
        let limits = [
            "criticalLow": gauge.limits.criticalLow, "low": gauge.limits.low, "high": gauge.limits.high,
            "criticalHigh": gauge.limits.criticalHigh,
        ]
        try container.encode(limits.mapValues(Self.finite), forKey: .limits)
    }

    /// JSON cannot represent a number that is not finite.
    private static func finite(_ number: Double) -> Double? { number.isFinite ? number : nil }
}
