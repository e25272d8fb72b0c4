/// What a face may claim about one gauge.
package enum GaugeMark: Equatable, Sendable {
    /// A fresh value and how it was judged.
    case judged(Status)
    /// A value that is stale or of unknown age: nothing is claimed about it but the side of the limits it was on.
    case outdated
    /// A value that is too old to count, or that nobody can judge.
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

    /// Whether there is a value, but not one of now.
    package var isOld: Bool {
        switch self {
        case .outdated, .offline: true
        case .judged, .missing: false
        }
    }

    /// Whether the value is fresh and out of range.
    package var isAlarming: Bool { self == .judged(.warning) || self == .judged(.critical) }

    /// Whether there is no value, or none that counts.
    package var isOff: Bool { self == .offline || self == .missing }
}

extension Glance.Gauge {
    /// The value if it is a number.
    package var shownValue: Double? { value.flatMap { $0.isFinite ? $0 : nil } }

    package var mark: GaugeMark { GaugeMark(self) }

    /// Whether there should be a fresh value and there is none: the one there is has grown old, or what comes is of no
    /// use.
    package var isWanting: Bool { mark.isOld || isExpected && mark == .missing }
}

extension Glance {
    /// One gauge for each quantity in their order, empty ones where the glance has none.
    package var completeGauges: [Gauge] {
        Quantity.allCases.map { quantity in
            gauges.first { $0.quantity == quantity }
                ?? Gauge(
                    quantity: quantity, value: nil, status: .offline, deviation: nil, freshness: .never,
                    ageSeconds: nil, limits: .standard(for: quantity), trend: nil, history: [])
        }
    }

    /// The gauges whose fresh values are out of range, the most severe first.
    package var alarmingGauges: [Gauge] {
        gauges.filter { $0.mark == .judged(.critical) } + gauges.filter { $0.mark == .judged(.warning) }
    }
}
