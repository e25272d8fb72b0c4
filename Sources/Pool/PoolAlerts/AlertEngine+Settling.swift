import PoolModel

extension AlertEngine {
    /// Completes the processing of a key at this time: timers, notices, deliveries, and the next wake-up.
    mutating func settle(_ run: inout Running) {
        guard settings.wants(run.line.key) else { return silence(&run) }
        var wakes: [Int64] = []
        withdrawClosedChannels(&run)
        runTimers(&run.line, &wakes)
        notifyRecovery(&run, &wakes)
        notifyPast(&run, &wakes)
        notifyEpisode(&run, &wakes)
        deliver(&run, &wakes)
        if let due = run.rewriteAt {
            if due <= now { run.rewriteAt = nil } else { wakes.append(due) }
        }
        run.wakeAt = wakes.min()
    }

    /// Removes everything about an alert that the settings exclude, except whether the condition holds.
    private func silence(_ run: inout Running) {
        var blank = AlertKeyState(key: run.line.key, name: run.line.name)
        blank.serverID = run.line.serverID
        blank.reason = run.line.reason
        blank.isOn = run.line.isOn
        blank.episodeCount = run.line.episodeCount
        if blank.isOn { blank.candidate = .init(count: 1, start: now, since: moment.wall, isLate: false) }
        // The start of the candidate would move with each call, and a change of nothing else must not be stored.
        if blank.isOn, run.line.episode == nil, run.line.outbox.isEmpty, let candidate = run.line.candidate {
            blank.candidate = candidate
        }
        run.line = blank
        run.attempts = [:]
        run.wakeAt = nil
    }

    // MARK: Timers

    private mutating func runTimers(_ line: inout AlertKeyState, _ wakes: inout [Int64]) {
        if let candidate = line.candidate, line.episode == nil, let delay = delay(of: line) {
            if now - candidate.start >= delay {
                open(&line, .warning)
            } else {
                wakes.append(candidate.start + delay)
            }
        } else if line.candidate != nil, line.episode == nil, isExplainedByHub(line) {
            // No input triggers this check when the hub works again.
            wakes.append(now + Self.hubRecoveryMilliseconds)
        }
        if let recovery = line.recovery, line.episode != nil {
            if let due = due(recovery, line), due <= now {
                close(&line, countsAsTurn: true)
            } else if let due = due(recovery, line) {
                wakes.append(due)
            }
        }
        if let deescalation = line.deescalation, var episode = line.episode {
            if let due = due(deescalation, line), due <= now {
                lowerSeverity(&episode, to: .warning)
                line.episode = episode
                line.deescalation = nil
                turn(&line)
            } else if let due = due(deescalation, line) {
                wakes.append(due)
            }
        }
        if line.turns > 0 {
            let end = line.lastTurn + Self.flapWindowMilliseconds
            if end <= now, line.episode == nil { line.turns = 0 }
            if end > now { wakes.append(end) }
        }
    }

    /// The time after which a candidate counts as confirmed by itself; nil if it never does.
    private func delay(of line: AlertKeyState) -> Int64? {
        switch line.key.condition {
        case .value:
            guard !line.isDoubtful, settings.confirmationSeconds > 0 else { return nil }
            guard !isUnknown(line) else { return nil }
            return Int64(settings.confirmationSeconds) * 1000
        case .missing: return isExplained(line) ? nil : Int64(settings.missingDelaySeconds) * 1000
        case .connection: return isExplained(line) ? nil : Int64(settings.connectionDelaySeconds) * 1000
        case .hub: return 0
        case .fault, .test: return nil
        }
    }

    /// When a run of better samples counts as confirmed; nil if only more samples can confirm it.
    private func due(_ recovery: AlertKeyState.Recovery, _ line: AlertKeyState) -> Int64? {
        if isFlapping(line) { return isUnknown(line) ? nil : recovery.start + 2000 * Int64(settings.cooldownSeconds) }
        if line.key.condition == .hub { return recovery.start + Self.hubRecoveryMilliseconds }
        if recovery.count >= settings.confirmationSamples { return now }
        if isUnknown(line) { return nil }
        return settings.confirmationSeconds > 0 ? recovery.start + Int64(settings.confirmationSeconds) * 1000 : nil
    }

    // MARK: Notices

    private mutating func notifyRecovery(_ run: inout Running, _ wakes: inout [Int64]) {
        guard let episode = run.line.closed, !isSettling(run, &wakes) else { return }
        let channels = openChannels
        guard settings.tellsRecoveries, channels.contains(where: \.notifiesPeople) else {
            run.line.closed = nil
            return
        }
        if let left = settings.quietHours?.millisecondsLeft(at: moment) { return wakes.append(now + left) }
        run.line.closed = nil
        make(.recovered, episode, &run, channels)
    }

    /// Notifies of an episode that began and ended in old readings.
    private mutating func notifyPast(_ run: inout Running, _ wakes: inout [Int64]) {
        guard let past = run.line.past, !isSettling(run, &wakes) else { return }
        if let left = settings.quietHours?.millisecondsLeft(at: moment) { return wakes.append(now + left) }
        askForChannels()
        let channels = openChannels
        guard channels.contains(where: \.notifiesPeople) else {
            // The episode is over: it waits for a permission that was not answered yet, but not for one that was
            // denied.
            if !settings.channels.enabled.contains(where: { authorization(of: $0) == .unknown }) { run.line.past = nil }
            return
        }
        run.line.past = nil
        make(.late, past, &run, channels)
    }

    private mutating func notifyEpisode(_ run: inout Running, _ wakes: inout [Int64]) {
        guard var episode = run.line.episode, let kind = dueNotice(episode, run, &wakes) else { return }
        if let left = settings.quietHours?.millisecondsLeft(at: moment) {
            let passes = episode.severity == .critical && settings.quietHours?.letsCriticalPass == true
            if !passes { return wakes.append(now + left) }
        }
        askForChannels()
        let channels = openChannels
        guard channels.contains(where: \.notifiesPeople) else { return }
        if kind == .repeated { episode.repeats += 1 } else { episode.repeats = 0 }
        episode.lastNotified = episode.severity
        episode.snooze = nil
        episode.pausedUntil = nil
        episode.notices += 1
        run.line.episode = episode
        make(kind, episode, &run, channels)
    }

    /// The notice that is due now; nil if no notice is due, with the time at which one may be due added to `wakes`.
    private func dueNotice(_ episode: AlertEpisode, _ run: Running, _ wakes: inout [Int64]) -> AlertNotice.Kind? {
        // The last sample was inside: the episode ends soon, or continues with the next sample.
        if run.line.recovery != nil || isSettling(run, &wakes) { return nil }
        let isWorse = episode.lastNotified.map { episode.severity > $0 } ?? false
        var times: [Int64] = [episode.pausedUntil ?? now]
        if let snooze = episode.snooze, episode.severity <= snooze.severity { times.append(snooze.until) }
        if episode.lastNotified != nil, !isWorse {
            guard settings.repeatsUntilAcknowledged || episode.snooze != nil, !episode.isAcknowledged,
                let lastDeliveredAt = episode.lastDeliveredAt, !isUnknown(run.line),
                !run.line.outbox.contains(where: { $0.notice.episodeID == episode.id && !$0.isDelivered })
            else { return nil }
            if episode.snooze == nil { times.append(lastDeliveredAt + settings.pause(afterRepeats: episode.repeats)) }
        } else if episode.lastNotified == nil, episode.isAcknowledged {
            return nil
        }
        let due = times.max() ?? now
        if due > now {
            wakes.append(due)
            return nil
        }
        if isWorse { return hasLeft(episode, run) ? .escalated : .raised }
        if episode.lastNotified != nil { return .repeated }
        return episode.isLate ? .late : .raised
    }

    /// Whether more old samples may follow, which could change the result again.
    private func isSettling(_ run: Running, _ wakes: inout [Int64]) -> Bool {
        guard let settlesAt = run.settlesAt, settlesAt > now else { return false }
        wakes.append(settlesAt)
        return true
    }

    private func hasLeft(_ episode: AlertEpisode, _ run: Running) -> Bool {
        episode.lastDelivered != nil
            || run.line.outbox.contains { $0.notice.episodeID == episode.id && run.left.contains($0.notice.id) }
    }

    /// Whether it is unknown at the moment if the condition still holds.
    private func isUnknown(_ line: AlertKeyState) -> Bool {
        if isExplained(line) { return true }
        guard line.key.condition == .value, let device = line.key.deviceID else { return false }
        return runs[.missing(device, nil)]?.line.isOn == true
    }

    private func make(
        _ kind: AlertNotice.Kind, _ episode: AlertEpisode, _ run: inout Running, _ channels: [AlertChannel]
    ) {
        let line = run.line
        var (value, limit) = measured(episode, line.key)
        var severity = episode.severity
        if episode.until != nil, let worst = episode.worst {
            (value, limit, severity) = (worst.value, worst.limit, worst.severity)
        }
        let number = kind == .recovered || episode.until != nil ? episode.notices + 1 : episode.notices
        let notice = AlertNotice(
            id: "\(episode.id)/\(number)", episodeID: episode.id, key: line.key, kind: kind, severity: severity,
            name: line.name, value: value, limit: limit, since: episode.since, until: episode.until, at: moment.wall,
            repeats: episode.repeats,
            text: AlertNotice.sentence(
                line.key, kind, severity, name: line.name, value: value, limit: limit, reason: line.reason,
                detail: line.detail, lasted: (episode.until ?? moment.wall).milliseconds(since: episode.since),
                endedBefore: episode.until.map { moment.wall.milliseconds(since: $0) }))
        // An episode that is over does not change a complication.
        let used = channels.filter { kind.changesBand && episode.until == nil || $0 != .watchComplication }
        // A newer notice replaces the older ones of its episode, even if they are still being delivered.
        run.line.outbox.removeAll { $0.notice.episodeID == episode.id }
        run.line.outbox.append(
            AlertDelivery(notice: notice, channelDeliveries: used.map { .init(channel: $0, outcome: .open) }))
        if run.line.episode?.id == episode.id {
            run.line.episode?.value = value
            run.line.episode?.limit = limit
        }
    }

    /// The newest value, and the limit for the severity.
    func measured(_ episode: AlertEpisode, _ key: AlertKey) -> (value: Double?, limit: Double?) {
        guard case .value(let device, let quantity, let side) = key,
            let sample = newest[Subject(deviceID: device, quantity: quantity)]
        else { return (episode.value, episode.limit) }
        return (sample.value, sample.limits.limit(side, episode.severity))
    }
}

extension AlertSettings {
    /// The pause in milliseconds after a delivered alert with this many repetitions.
    func pause(afterRepeats count: Int) -> Int64 {
        let longest = Int64(max(longestRepeatSeconds, cooldownSeconds)) * 1000
        return min(Int64(cooldownSeconds) * 1000 << Int64(min(max(0, count), 20)), longest)
    }
}
