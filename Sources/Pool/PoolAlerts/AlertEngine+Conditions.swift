import PoolModel

extension AlertEngine {
    /// A condition without a value begins; it becomes an episode after its delay.
    mutating func begin(
        _ key: AlertKey, name: String, server: ServerID?, reason: MissingReason?, detail: String? = nil
    ) {
        guard var run = run(key, name: name) else { return }
        run.line.name = name.bounded
        run.line.serverID = server
        run.line.reason = reason
        run.line.detail = detail?.bounded
        if !run.line.isOn, run.line.episode == nil {
            run.line.candidate = AlertKeyState.Candidate(count: 1, start: now, since: moment.wall, isLate: false)
        }
        run.line.isOn = true
        cancelRecovery(&run.line)
        put(run)
    }

    /// A condition without a value ends.
    mutating func end(_ key: AlertKey) {
        guard var run = runs[key], run.line.isOn else { return }
        run.line.isOn = false
        run.line.candidate = nil
        if run.line.episode != nil {
            run.line.recovery = AlertKeyState.Recovery(count: settings.confirmationSamples, start: now)
        }
        put(run)
        if let device = key.deviceID { touched.formUnion(runs.keys.filter { $0.deviceID == device }) }
    }

    /// An impossible value arrived.
    ///
    /// Impossible values weigh twice as much as possible ones, so that a probe that alternates between them is
    /// detected too.
    mutating func raiseFaultScore(_ key: AlertKey, name: String) {
        guard settings.wants(key), var run = run(key, name: name) else { return }
        run.line.name = name.bounded
        run.line.faultScore = min(run.line.faultScore + 2, 12)
        if run.line.candidate == nil, run.line.episode == nil {
            run.line.candidate = AlertKeyState.Candidate(count: 1, start: now, since: moment.wall, isLate: false)
        }
        cancelRecovery(&run.line)
        if run.line.faultScore >= 6, run.line.episode == nil { open(&run.line, .warning) }
        put(run)
    }

    /// A possible value arrived.
    mutating func lowerFaultScore(_ key: AlertKey, _ sample: AlertSample) {
        guard var run = runs[key], run.line.faultScore > 0 || run.line.episode != nil else { return }
        // The four values of one message count only once for the device.
        let mark = AlertKeyState.Mark(moment: sample.sampledAt, value: 0)
        guard run.line.mark != mark else { return }
        run.line.mark = mark
        run.line.faultScore = max(0, run.line.faultScore - 1)
        if run.line.faultScore == 0 {
            run.line.candidate = nil
            if run.line.episode != nil, run.line.recovery == nil {
                run.line.recovery = AlertKeyState.Recovery(count: settings.confirmationSamples, start: now)
            }
        }
        put(run)
    }

    /// Whether the hub's own problem, or a lost connection, explains why nothing arrives.
    func isExplained(_ line: AlertKeyState) -> Bool {
        switch line.key.condition {
        case .missing:
            if isExplainedByHub(line) { return true }
            return line.serverID.flatMap { runs[.connection($0)]?.line.isOn } == true
        case .connection: return isExplainedByHub(line)
        case .value, .fault, .hub, .test: return false
        }
    }

    /// Whether the hub itself ends its connections, because it cannot store what arrives on them.
    func isExplainedByHub(_ line: AlertKeyState) -> Bool {
        (line.key.condition == .missing || line.key.condition == .connection)
            && runs[.hub(.storage)]?.line.episode != nil
    }

    // MARK: Episodes

    mutating func open(_ line: inout AlertKeyState, _ severity: AlertSeverity) {
        if var again = line.closed {
            // Nobody was notified of its end, so for people it never ended.
            if severity > again.severity {
                raiseSeverity(&again, to: severity)
            } else {
                lowerSeverity(&again, to: severity)
            }
            line.closed = nil
            line.episode = again
        } else if var again = line.past, line.candidate?.isLate == true {
            // This continues the same old readings, of which nobody was notified.
            again.severity = severity
            again.until = nil
            line.past = nil
            line.episode = again
        } else {
            line.episodeCount += 1
            line.episode = AlertEpisode(
                id: episodeID(line.key, line.episodeCount), severity: severity,
                since: line.candidate?.since ?? moment.wall,
                isLate: line.candidate?.isLate ?? false)
        }
        line.candidate = nil
        line.isDoubtful = false
        line.recovery = nil
        line.deescalation = nil
    }

    func raiseSeverity(_ episode: inout AlertEpisode, to severity: AlertSeverity) {
        episode.severity = severity
        episode.isAcknowledged = false
        episode.snooze = nil
        episode.pausedUntil = nil
    }

    /// Lowers the severity; a later increase is notified again.
    func lowerSeverity(_ episode: inout AlertEpisode, to severity: AlertSeverity) {
        episode.severity = severity
        episode.lastNotified = episode.lastNotified.map { min($0, severity) }
        episode.lastDelivered = episode.lastDelivered.map { min($0, severity) }
    }

    mutating func close(_ line: inout AlertKeyState, countsAsTurn: Bool) {
        guard let episode = line.episode else { return }
        // An end is notified only if the alert was delivered, or may have been.
        let own = line.outbox.filter { $0.notice.episodeID == episode.id }
        let attempts = runs[line.key]?.attempts ?? [:]
        let mayBeHeard = own.contains { delivery in
            delivery.channelDeliveries.contains { channelDelivery in
                channelDelivery.outcome == .open
                    && attempts[.init(notice: delivery.notice.id, channel: channelDelivery.channel)]?.isInProgress
                        == true
            }
        }
        line.outbox.removeAll { $0.notice.episodeID == episode.id }
        let recovery = line.recovery
        line.episode = nil
        line.recovery = nil
        line.deescalation = nil
        line.isDoubtful = false
        if episode.lastDelivered != nil || mayBeHeard {
            line.closed = episode
        } else if episode.isLate, episode.lastNotified == nil, countsAsTurn {
            // It began and ended before anybody could be notified, so it does not count as a change, however often it
            // happens.
            line.past = episode
            line.past?.until = recovery?.since ?? moment.wall
            return
        }
        if countsAsTurn { turn(&line) }
    }

    /// Ends the series of better samples; a flapping condition continues to count as flapping.
    func cancelRecovery(_ line: inout AlertKeyState) {
        guard line.recovery != nil else { return }
        if isFlapping(line) { line.lastTurn = now }
        line.recovery = nil
    }

    /// Whether the next recovery must last before it counts, because there have been two or more in a short time.
    func isFlapping(_ line: AlertKeyState) -> Bool {
        line.turns >= 2 && now - line.lastTurn < Self.flapWindowMilliseconds
    }

    func turn(_ line: inout AlertKeyState) {
        if now - line.lastTurn >= Self.flapWindowMilliseconds { line.turns = 0 }
        line.turns = min(line.turns + 1, 100)
        line.lastTurn = now
    }
}
