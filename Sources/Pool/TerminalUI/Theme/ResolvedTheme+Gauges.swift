import PoolModel

extension Ring {
    /// The ring of a gauge; its knob is at the value as it is printed, and moves only when the printed value changes.
    init(_ gauge: Glance.Gauge, scale: GaugeScale, look: ResolvedTheme, size: Size) {
        let theme = look.theme
        let (knobInk, deviationInk, bandInk) = Self.inks(gauge, theme: theme)
        let band = scale.bandFractions
        var knob: Knob?
        var deviation: Deviation?
        if let value = gauge.shownValue {
            let fraction = scale.fraction(gauge.quantity.rounded(value))
            knob = Knob(fraction: fraction, isHollow: gauge.mark.isOff, ink: knobInk)
            let edge = min(band.upperBound, max(band.lowerBound, fraction))
            if edge != fraction, let deviationInk {
                deviation = Deviation(from: min(fraction, edge), to: max(fraction, edge), ink: deviationInk)
            }
        }
        var isDashed = true
        if case .judged = gauge.mark { isDashed = false }
        self.init(
            size: size, background: theme.background, track: theme.track, band: bandInk,
            bandStart: band.lowerBound, bandEnd: band.upperBound, isDashed: isDashed, knob: knob, deviation: deviation)
    }

    private static func inks(_ gauge: Glance.Gauge, theme: Theme) -> (
        knob: AdaptiveColor, deviation: AdaptiveColor?, band: AdaptiveColor
    ) {
        switch gauge.mark {
        case .judged(let status):
            return (theme.ink(status), status == .normal ? nil : theme.tint(status, 0.72), theme.tint(.normal, 0.52))
        case .outdated:
            let isOutside = gauge.deviation != nil
            return (
                theme.tint(isOutside ? .warning : .normal, 0.55), isOutside ? theme.tint(.warning, 0.4) : nil,
                theme.tint(.normal, 0.3)
            )
        case .offline, .missing:
            return (theme.ink(.offline), nil, theme.tint(.offline, 0.5))
        }
    }
}

extension Quantity {
    /// The value that ``text(_:)`` shows.
    fileprivate func rounded(_ value: Double) -> Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return (value * scale).rounded() / scale
    }
}

extension ResolvedTheme {
    /// The ink of a column of a history: old samples are dimmed, the newest stands out if it is fresh.
    func historyInk(_ status: Status, mark: GaugeMark, isNewest: Bool) -> AdaptiveColor {
        switch mark {
        case .judged: isNewest ? theme.ink(status) : theme.tint(status, status == .normal ? 0.45 : 0.6)
        case .outdated: theme.tint(status, 0.38)
        case .offline, .missing: theme.tint(.offline, isNewest ? 0.75 : 0.5)
        }
    }
}
