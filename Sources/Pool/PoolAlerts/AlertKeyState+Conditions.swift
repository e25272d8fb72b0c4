import PoolModel

extension AlertKeyState {
    /// How long the hub must work again before its alert ends.
    static let hubRecoveryMilliseconds: Int64 = 60_000
    /// How long a device must say that it is offline, or a broker must refuse its topics, at most: these are statements,
    /// unlike silence, but a will is often followed by a birth within seconds.
    static let statedAbsenceMilliseconds: Int64 = 10_000

    /// A condition without a value begins; it becomes an episode after its delay.
    mutating func begin(
        name: String, server: ServerID?, reason: MissingReason?, detail: String?, _ context: AlertContext
    ) {
        self.name = name.bounded
        serverID = server
        self.reason = reason
        self.detail = detail?.bounded
        if !isOn, episode == nil { candidate = Self.candidate(context) }
        isOn = true
        cancelRecovery(at: context.now)
    }

    /// A condition without a value ends.
    mutating func end(_ context: AlertContext) {
        isOn = false
        candidate = nil
        if episode != nil { recovery = Self.recovery(context) }
    }

    /// An impossible value arrived.
    ///
    /// Impossible values weigh twice as much as possible ones, so that a probe that alternates between them is
    /// detected too.
    mutating func raiseFaultScore(name: String, detail: String?, _ context: AlertContext) {
        self.name = name.bounded
        // An open alert keeps its words, as it is told once.
        if episode == nil { self.detail = detail?.bounded }
        faultScore = min(faultScore + 2, 12)
        if candidate == nil, episode == nil { candidate = Self.candidate(context) }
        cancelRecovery(at: context.now)
        if faultScore >= 6, episode == nil { open(.warning, context) }
    }

    /// A possible value arrived; returns whether it counts.
    mutating func lowerFaultScore(_ sample: AlertSample, _ context: AlertContext) -> Bool {
        // The four values of one message count only once for the device.
        let mark = Mark(moment: sample.sampledAt, value: 0)
        guard faultScore > 0 || episode != nil, self.mark != mark else { return false }
        self.mark = mark
        faultScore = max(0, faultScore - 1)
        if faultScore == 0 {
            candidate = nil
            if episode != nil, recovery == nil { recovery = Self.recovery(context) }
        }
        return true
    }

    /// The state of an alert that the settings exclude: nothing but whether the condition holds.
    func silenced(_ context: AlertContext) -> AlertKeyState {
        var blank = AlertKeyState(key: key, name: name)
        blank.serverID = serverID
        blank.reason = reason
        blank.isOn = isOn
        blank.episodeCount = episodeCount
        if isOn { blank.candidate = Self.candidate(context) }
        // The start of the candidate would move with each call, and a change of nothing else must not be stored.
        if isOn, episode == nil, outbox.isEmpty, let candidate { blank.candidate = candidate }
        return blank
    }

    /// The time after which a candidate counts as confirmed by itself; nil if it never does.
    func confirmationMilliseconds(_ context: AlertContext, _ surroundings: AlertSurroundings) -> Int64? {
        let settings = context.settings
        switch key.condition {
        case .value:
            guard !isDoubtful, settings.confirmationSeconds > 0, !surroundings.isUnknown else { return nil }
            return Int64(settings.confirmationSeconds) * 1000
        case .missing:
            guard !surroundings.isExplained else { return nil }
            let delay = Int64(settings.missingDelaySeconds) * 1000
            return reason == nil || reason == .silent ? delay : min(delay, Self.statedAbsenceMilliseconds)
        case .connection: return surroundings.isExplained ? nil : Int64(settings.connectionDelaySeconds) * 1000
        case .hub: return 0
        case .fault, .test: return nil
        }
    }

    /// When a run of better samples counts as confirmed; nil if only more samples can confirm it.
    func end(of recovery: Recovery, _ context: AlertContext, _ surroundings: AlertSurroundings) -> Int64? {
        let settings = context.settings
        if isFlapping(at: context.now) {
            return surroundings.isUnknown ? nil : recovery.start + 2000 * Int64(settings.cooldownSeconds)
        }
        if key.condition == .hub { return recovery.start + Self.hubRecoveryMilliseconds }
        if recovery.count >= settings.confirmationSamples { return context.now }
        if surroundings.isUnknown { return nil }
        return settings.confirmationSeconds > 0 ? recovery.start + Int64(settings.confirmationSeconds) * 1000 : nil
    }

    private static func candidate(_ context: AlertContext) -> Candidate {
        Candidate(count: 1, start: context.now, since: context.moment.wall, isLate: false)
    }

    private static func recovery(_ context: AlertContext) -> Recovery {
        Recovery(count: context.settings.confirmationSamples, start: context.now)
    }
}
