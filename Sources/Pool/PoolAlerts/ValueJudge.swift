import PoolModel

/// Judges a sample by one side of its limits.
struct ValueJudge {
    let sample: AlertSample
    let side: Limits.Deviation
    let context: AlertContext

    /// Applies a new sample to the state of its key, with the sample before it.
    func judge(_ run: inout AlertRun, after previous: AlertSample?) {
        if sample.isOld { passTime(&run, previous) }
        let position = position(hysteresis: context.hysteresis(of: sample))
        let isJump = previous.map { isImplausible(after: $0) } ?? false
        run.state.name = sample.deviceName.bounded
        if run.state.episode == nil {
            stepToOpen(&run.state, position, isJump: isJump)
        } else {
            stepOpen(&run.state, position, isJump: isJump)
        }
        if sample.isOld { noteWorst(&run.state, sample) }
    }

    /// Judges the newest sample again because the limits or the settings changed; it needs no confirmation.
    func judgeAgain(_ run: inout AlertRun, hysteresis: Double?, mayOpen: Bool) {
        let position = position(hysteresis: hysteresis ?? context.hysteresis(of: sample))
        if position.isInside {
            run.state.candidate = nil
            run.close(countsAsTurn: false, context)
        } else if position.isOutside, mayOpen, run.state.episode == nil {
            run.state.candidate = run.state.candidate ?? candidate
            run.state.open(position.severity, context)
        } else if var episode = run.state.episode, mayOpen {
            let severity: AlertSeverity = position.isCritical ? .critical : .warning
            if severity > episode.severity { episode.raise(to: severity) } else { episode.lower(to: severity) }
            run.state.episode = episode
            run.state.deescalation = nil
        }
    }

    /// Applies the time between two old samples as if they were new.
    private func passTime(_ run: inout AlertRun, _ previous: AlertSample?) {
        guard context.settings.confirmationSeconds > 0 else { return }
        let patience = Int64(context.settings.confirmationSeconds) * 1000
        let state = run.state
        if state.episode == nil, !state.isDoubtful, let candidate = state.candidate, candidate.isLate,
            sample.sampledAt.milliseconds(since: candidate.since) >= patience
        {
            run.state.open(.warning, context)
            if let previous { noteWorst(&run.state, previous) }
        }
        if run.state.episode != nil, let since = run.state.recovery?.since, !run.state.isFlapping(at: context.now),
            sample.sampledAt.milliseconds(since: since) >= patience
        {
            run.close(countsAsTurn: true, context)
        }
    }

    /// Records the worst value while nobody was notified.
    private func noteWorst(_ state: inout AlertKeyState, _ sample: AlertSample) {
        let position = LimitPosition(sample, side, hysteresis: 0)
        guard let episode = state.episode, episode.lastNotified == nil, position.isOutside, !state.isDoubtful else {
            return
        }
        if let worst = episode.worst {
            let isWorse = side == .high ? sample.value > worst.value : sample.value < worst.value
            guard isWorse else { return }
        }
        state.episode?.worst = AlertPeak(
            severity: position.severity, value: sample.value, limit: sample.limits.limit(side, position.severity))
    }

    private func stepToOpen(_ state: inout AlertKeyState, _ position: LimitPosition, isJump: Bool) {
        guard position.isOutside else {
            if position.isInside || state.isDoubtful {
                state.candidate = nil
                state.isDoubtful = false
            }
            return
        }
        var candidate = state.candidate ?? candidate
        candidate.count = min(candidate.count + 1, 20)
        candidate.isLate = candidate.isLate && sample.isOld
        state.candidate = candidate
        state.isDoubtful = isJump && !state.isDoubtful
        guard !state.isDoubtful else { return }
        if position.isCritical || candidate.count >= context.settings.confirmationSamples {
            state.open(position.severity, context)
        }
    }

    private func stepOpen(_ state: inout AlertKeyState, _ position: LimitPosition, isJump: Bool) {
        guard var episode = state.episode else { return }
        if sample.standing == .live, position.isOutside { episode.isLate = false }
        if position.isOutside {
            state.cancelRecovery(at: context.now)
        } else if position.isInside {
            state.recovery = extended(state.recovery)
        }
        if position.isCritical {
            state.deescalation = nil
            if episode.severity == .warning {
                state.isDoubtful = isJump && !state.isDoubtful
                if !state.isDoubtful { episode.raise(to: .critical) }
            }
        } else {
            state.isDoubtful = false
            if episode.severity == .critical, position.isBelowCritical {
                state.deescalation = extended(state.deescalation)
            }
        }
        state.episode = episode
    }

    private var candidate: AlertKeyState.Candidate {
        AlertKeyState.Candidate(count: 0, start: context.now, since: sample.sampledAt, isLate: sample.isOld)
    }

    /// A series of better samples with this sample.
    private func extended(_ recovery: AlertKeyState.Recovery?) -> AlertKeyState.Recovery {
        var recovery = recovery ?? AlertKeyState.Recovery(count: 0, start: context.now, since: sample.sampledAt)
        recovery.count = min(recovery.count + 1, context.settings.confirmationSamples)
        return recovery
    }

    private func position(hysteresis: Double) -> LimitPosition { LimitPosition(sample, side, hysteresis: hysteresis) }

    private func isImplausible(after old: AlertSample) -> Bool {
        // After an hour, any change of the water is possible.
        guard (0...3_600_000).contains(sample.sampledAt.milliseconds(since: old.sampledAt)) else { return false }
        return abs(sample.value - old.value) > sample.quantity.facts.plausibleJump
    }
}

extension AlertSample {
    /// Whether it is an old reading.
    var isOld: Bool { standing == .late || standing == .backlog }

    /// The last moment at which it is fresh.
    var freshUntil: Timestamp {
        // Ages are whole seconds.
        sampledAt.advanced(byMilliseconds: 3000 * Int64(max(1, expectedIntervalSeconds)) + 999)
    }

    /// Whether it is fresh at a moment.
    func isFresh(at moment: Timestamp) -> Bool { moment <= freshUntil }
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
    /// The value at which an alert may end.
    let release: Double

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
        release = sign * (limit - band)
        isOutside = value > limit
        isCritical = value > critical
        isInside = value <= limit - band + (band > 0 ? noise : 0)
        let criticalBand = min(hysteresis, critical - limit)
        isBelowCritical = value <= critical - criticalBand + (criticalBand > 0 ? noise : 0)
    }

    var severity: AlertSeverity { isCritical ? .critical : .warning }
}
