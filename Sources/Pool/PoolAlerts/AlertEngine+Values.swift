import PoolModel

extension AlertEngine {
    mutating func take(_ sample: AlertSample) {
        guard sample.value.isFinite else {
            return raiseFaultScore(.fault(sample.deviceID, sample.quantity), name: sample.deviceName)
        }
        switch sample.standing {
        case .outOfOrder, .retained: return
        case .quarantined:
            confirmPresence(of: sample)
            raiseFaultScore(.fault(sample.deviceID, sample.quantity), name: sample.deviceName)
        case .live:
            confirmPresence(of: sample)
            end(.missing(sample.deviceID, sample.quantity))
            lowerFaultScore(.fault(sample.deviceID, sample.quantity), sample)
            lowerFaultScore(.fault(sample.deviceID, nil), sample)
            evaluate(sample)
        case .late, .backlog:
            lowerFaultScore(.fault(sample.deviceID, sample.quantity), sample)
            lowerFaultScore(.fault(sample.deviceID, nil), sample)
            evaluate(sample)
        case .known: evaluate(sample)
        }
    }

    private mutating func confirmPresence(of sample: AlertSample) {
        end(.missing(sample.deviceID, nil))
    }

    /// Compares a sample with the limits on both sides.
    private mutating func evaluate(_ sample: AlertSample) {
        guard sample.limits.isOrdered else { return }
        let subject = Subject(deviceID: sample.deviceID, quantity: sample.quantity)
        let previous = newest[subject]
        let isJump = previous.map { isImplausible($0, sample) } ?? false
        if newest[subject] != nil || newest.count < AlertRecord.countMax { newest[subject] = sample }
        for side in [Limits.Deviation.low, .high] {
            let key = AlertKey.value(sample.deviceID, sample.quantity, side)
            guard settings.wants(key), var run = run(key, name: sample.deviceName) else { continue }
            let mark = AlertKeyState.Mark(moment: sample.sampledAt, value: sample.value)
            // The same sample again, for example after a restart; it was already judged.
            guard run.line.mark != mark || sample.standing == .backlog else { continue }
            let before = run.line
            if sample.isOld { passTime(&run.line, until: sample, previous, side) }
            let place = LimitPosition(sample, side, hysteresis: hysteresis(of: sample))
            run.line.name = sample.deviceName.bounded
            step(&run.line, sample, place, isJump: isJump)
            if sample.isOld { noteWorst(&run.line, sample, side) }
            // The samples of a backlog may have the same time as the one before them, so an equal mark does not mean
            // the same sample.
            if sample.standing == .backlog { run.line.mark = nil } else if run.line != before { run.line.mark = mark }
            if sample.standing == .live { run.settlesAt = nil }
            if sample.isOld { run.settlesAt = now + Self.settlingMilliseconds }
            put(run)
        }
    }

    /// Applies the time between two old samples as if they were new.
    private mutating func passTime(
        _ line: inout AlertKeyState, until sample: AlertSample, _ previous: AlertSample?, _ side: Limits.Deviation
    ) {
        guard settings.confirmationSeconds > 0 else { return }
        let patience = Int64(settings.confirmationSeconds) * 1000
        if line.episode == nil, !line.isDoubtful, let candidate = line.candidate, candidate.isLate,
            sample.sampledAt.milliseconds(since: candidate.since) >= patience
        {
            open(&line, .warning)
            if let previous { noteWorst(&line, previous, side) }
        }
        if line.episode != nil, let since = line.recovery?.since, !isFlapping(line),
            sample.sampledAt.milliseconds(since: since) >= patience
        {
            close(&line, countsAsTurn: true)
        }
    }

    /// Records the worst value while nobody was notified.
    private func noteWorst(_ line: inout AlertKeyState, _ sample: AlertSample, _ side: Limits.Deviation) {
        let place = LimitPosition(sample, side, hysteresis: 0)
        guard let episode = line.episode, episode.lastNotified == nil, place.isOutside, !line.isDoubtful else { return }
        if let worst = episode.worst {
            let isWorse = side == .high ? sample.value > worst.value : sample.value < worst.value
            guard isWorse else { return }
        }
        line.episode?.worst = AlertPeak(
            severity: place.severity, value: sample.value, limit: sample.limits.limit(side, place.severity))
    }

    /// Judges a sample again because the limits or the settings changed; it needs no confirmation.
    mutating func reevaluate(_ sample: AlertSample, hysteresis: Double?, mayOpen: Bool) {
        guard runs[.missing(sample.deviceID, nil)]?.line.isOn != true else { return }
        for side in [Limits.Deviation.low, .high] {
            let key = AlertKey.value(sample.deviceID, sample.quantity, side)
            guard settings.wants(key), var run = run(key, name: sample.deviceName), !run.line.isDoubtful else {
                continue
            }
            let place = LimitPosition(sample, side, hysteresis: hysteresis ?? self.hysteresis(of: sample))
            if place.isInside {
                run.line.candidate = nil
                close(&run.line, countsAsTurn: false)
            } else if place.isOutside, mayOpen, run.line.episode == nil {
                run.line.candidate = run.line.candidate ?? candidate(of: sample)
                open(&run.line, place.severity)
            } else if var episode = run.line.episode, mayOpen {
                let severity: AlertSeverity = place.isCritical ? .critical : .warning
                if severity > episode.severity {
                    raiseSeverity(&episode, to: severity)
                } else {
                    lowerSeverity(&episode, to: severity)
                }
                run.line.episode = episode
                run.line.deescalation = nil
            }
            put(run)
        }
    }

    private func candidate(of sample: AlertSample) -> AlertKeyState.Candidate {
        AlertKeyState.Candidate(count: 0, start: now, since: sample.sampledAt, isLate: sample.isOld)
    }

    private mutating func step(_ line: inout AlertKeyState, _ sample: AlertSample, _ place: LimitPosition, isJump: Bool)
    {
        if line.episode == nil {
            stepToOpen(&line, sample, place, isJump: isJump)
        } else {
            stepOpen(&line, sample, place, isJump: isJump)
        }
    }

    private mutating func stepToOpen(
        _ line: inout AlertKeyState, _ sample: AlertSample, _ place: LimitPosition, isJump: Bool
    ) {
        guard place.isOutside else {
            if place.isInside || line.isDoubtful {
                line.candidate = nil
                line.isDoubtful = false
            }
            return
        }
        var candidate = line.candidate ?? candidate(of: sample)
        candidate.count = min(candidate.count + 1, 20)
        candidate.isLate = candidate.isLate && sample.isOld
        line.candidate = candidate
        line.isDoubtful = isJump && !line.isDoubtful
        guard !line.isDoubtful else { return }
        if place.isCritical || candidate.count >= settings.confirmationSamples { open(&line, place.severity) }
    }

    private mutating func stepOpen(
        _ line: inout AlertKeyState, _ sample: AlertSample, _ place: LimitPosition, isJump: Bool
    ) {
        guard var episode = line.episode else { return }
        if sample.standing == .live, place.isOutside { episode.isLate = false }
        if place.isOutside {
            cancelRecovery(&line)
        } else if place.isInside {
            line.recovery = better(line.recovery, sample)
        }
        if place.isCritical {
            line.deescalation = nil
            if episode.severity == .warning {
                line.isDoubtful = isJump && !line.isDoubtful
                if !line.isDoubtful { raiseSeverity(&episode, to: .critical) }
            }
        } else {
            line.isDoubtful = false
            if episode.severity == .critical, place.isBelowCritical {
                line.deescalation = better(line.deescalation, sample)
            }
        }
        line.episode = episode
    }

    private func better(_ recovery: AlertKeyState.Recovery?, _ sample: AlertSample) -> AlertKeyState.Recovery {
        var recovery = recovery ?? AlertKeyState.Recovery(count: 0, start: now, since: sample.sampledAt)
        recovery.count = min(recovery.count + 1, settings.confirmationSamples)
        return recovery
    }

    private func hysteresis(of sample: AlertSample) -> Double {
        let quantity = sample.quantity
        let wanted =
            sample.hysteresis ?? settings.hysteresis[quantity] ?? AlertSettings.standardHysteresis(for: quantity)
        return wanted.isFinite ? max(0, wanted) : 0
    }

    private func isImplausible(_ old: AlertSample, _ new: AlertSample) -> Bool {
        // After an hour, any change of the water is possible.
        guard (0...3_600_000).contains(new.sampledAt.milliseconds(since: old.sampledAt)) else { return false }
        return abs(new.value - old.value) > AlertSettings.plausibleJump(for: new.quantity)
    }
}

extension AlertSample {
    /// Whether it is an old reading.
    var isOld: Bool { standing == .late || standing == .backlog }
}

extension Limits {
    /// The limit on a side for a severity.
    func limit(_ side: Limits.Deviation, _ severity: AlertSeverity) -> Double {
        switch (side, severity) {
        case (.low, .warning): low
        case (.low, .critical): criticalLow
        case (.high, .warning): high
        case (.high, .critical): criticalHigh
        }
    }
}

/// The position of a value on one side of its limits; a value equal to a limit is inside.
struct LimitPosition {
    let isOutside: Bool
    let isCritical: Bool
    /// Whether it is far enough inside for an alert to end.
    let isInside: Bool
    /// Whether it is far enough inside the critical limit for an alert to become a warning.
    let isBelowCritical: Bool

    init(_ sample: AlertSample, _ side: Limits.Deviation, hysteresis: Double) {
        let limits = sample.limits
        // With the sign reversed, the low side is handled like the high side.
        let sign: Double = side == .high ? 1 : -1
        let value = sign * sample.value
        let limit = sign * (side == .high ? limits.high : limits.low)
        let critical = sign * (side == .high ? limits.criticalHigh : limits.criticalLow)
        // A dead band wider than a quarter of the range would leave too little room for a recovery.
        let band = min(hysteresis, (limits.high - limits.low) / 4)
        // The rounding error of sums of decimal fractions.
        let noise = 1e-9
        isOutside = value > limit
        isCritical = value > critical
        isInside = value <= limit - band + (band > 0 ? noise : 0)
        let criticalBand = min(hysteresis, critical - limit)
        isBelowCritical = value <= critical - criticalBand + (criticalBand > 0 ? noise : 0)
    }

    var severity: AlertSeverity { isCritical ? .critical : .warning }
}
