/// What a face may show about one gauge.
package enum GaugeMark: Equatable, Sendable {
    /// A fresh value with its status.
    case judged(Status)
    /// A value that is stale or of unknown age: only the side of the limits that it was on is shown.
    case outdated
    /// A value that is too old, or that cannot be judged.
    case offline
    /// No value: the device may not have this probe.
    case missing

    package init(_ gauge: Glance.Gauge) {
        guard gauge.shownValue != nil else {
            self = .missing
            return
        }
        switch gauge.freshness {
        case .live: self = gauge.status == .offline ? .offline : .judged(gauge.status)
        case .stale, .lastKnown: self = .outdated
        case .offline, .never: self = .offline
        }
    }

    /// Whether there is a value, but not a current one.
    package var isOld: Bool {
        switch self {
        case .outdated, .offline: true
        case .judged, .missing: false
        }
    }

    /// Whether the value is fresh and out of range.
    package var isAlarming: Bool { self == .judged(.warning) || self == .judged(.critical) }

    /// Whether there is no value, or none that is recent enough.
    package var isOff: Bool { self == .offline || self == .missing }
}

extension Glance.Gauge {
    /// The value if it is finite.
    package var shownValue: Double? { value.flatMap { $0.isFinite ? $0 : nil } }

    package var mark: GaugeMark { GaugeMark(self) }

    /// Whether the device measures the quantity: it sent a value once, or should send some.
    ///
    /// What it does not measure is not shown.
    package var isMeasured: Bool { value != nil || isExpected }

    /// What the value was when it was fresh, if that was out of range: for a value that is not live.
    package var formerAlarm: Status? {
        guard mark.isOld, let formerStatus, formerStatus == .warning || formerStatus == .critical else { return nil }
        return formerStatus
    }

    /// The alert about the value that is back inside its limits, but has not ended yet.
    package func lingering(_ alerts: [AlertState.Alert]) -> AlertState.Alert? {
        guard mark.isAlarming, deviation == nil else { return nil }
        return alerts.first { $0.key.condition == .value && $0.key.quantity == quantity }
    }

    /// Whether a fresh value is expected and missing: the last one is too old, or the received ones are unusable.
    package var isWanting: Bool { mark.isOld || isExpected && mark == .missing }
}

extension Glance {
    /// One gauge for each quantity in order, empty if the glance has none.
    package var completeGauges: [Gauge] {
        Quantity.allCases.map { quantity in
            gauges.first { $0.quantity == quantity }
                ?? Gauge(
                    quantity: quantity, value: nil, status: .offline, deviation: nil, freshness: .never,
                    ageSeconds: nil, limits: quantity.facts.limits, trend: nil, history: [])
        }
    }

    /// The gauges of what the device measures, in order.
    package var measuredGauges: [Gauge] { completeGauges.filter(\.isMeasured) }

    /// The gauges of what the device measures that a face shows, in order: what belongs on faces, and what is out of range.
    ///
    /// - Parameter count: For how many there is room; those in range make room first.
    /// - Returns: The gauges, in the order of the table.
    package func faceGauges(atMost count: Int = .max) -> [Gauge] {
        let gauges = measuredGauges.filter { $0.quantity.facts.isOnFaces || $0.mark.isAlarming }
        guard gauges.count > count else { return gauges }
        let urgent = gauges.filter(\.mark.isAlarming) + gauges.filter { !$0.mark.isAlarming }
        let kept = Set(urgent.prefix(count).map(\.quantity))
        return gauges.filter { kept.contains($0.quantity) }
    }

    /// The gauges whose values are not fresh and were out of range, the most severe first.
    package var formerlyAlarmingGauges: [Gauge] {
        gauges.filter { $0.formerAlarm == .critical } + gauges.filter { $0.formerAlarm == .warning }
    }

    /// The gauges whose fresh values are out of range, the most severe first.
    package var alarmingGauges: [Gauge] {
        gauges.filter { $0.mark == .judged(.critical) } + gauges.filter { $0.mark == .judged(.warning) }
    }
}
