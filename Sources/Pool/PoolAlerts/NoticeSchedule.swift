import PoolModel

/// Decides which notices of a key are due, and makes them.
struct NoticeSchedule {
    let context: AlertContext
    let surroundings: AlertSurroundings
    /// Until when more old samples may follow, which could change the result again; nil if none may.
    let settlesAt: Int64?

    private var now: Int64 { context.now }

    /// Puts the due notices in the outbox of a state.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - isSent: Whether a notice was sent to a channel.
    ///   - wakes: The times at which notices may be due are added here.
    /// - Returns: Requests for the permissions that the notices need and that are unknown.
    func makeNotices(
        _ state: inout AlertKeyState, isSent: (AlertNotice.ID) -> Bool, _ wakes: inout [Int64]
    ) -> [AlertOutput] {
        notifyRecovery(&state, &wakes)
        let asksForPast = notifyPast(&state, &wakes)
        let asksForEpisode = notifyEpisode(&state, isSent, &wakes)
        return asksForPast || asksForEpisode ? context.unknownChannels.map { .askAuthorization($0) } : []
    }

    private func notifyRecovery(_ state: inout AlertKeyState, _ wakes: inout [Int64]) {
        guard let episode = state.closed, !isSettling(&wakes) else { return }
        let channels = context.openChannels
        guard context.settings.tellsRecoveries, channels.contains(where: \.notifiesPeople) else {
            state.closed = nil
            return
        }
        if let left = context.quietMilliseconds { return wakes.append(now + left) }
        state.closed = nil
        make(.recovered, episode, &state, channels)
    }

    /// Notifies of an episode that began and ended in old readings; returns whether that needs permissions.
    private func notifyPast(_ state: inout AlertKeyState, _ wakes: inout [Int64]) -> Bool {
        guard let past = state.past, !isSettling(&wakes) else { return false }
        if let left = context.quietMilliseconds {
            wakes.append(now + left)
            return false
        }
        let channels = context.openChannels
        if channels.contains(where: \.notifiesPeople) {
            state.past = nil
            make(.late, past, &state, channels)
        } else if context.unknownChannels.isEmpty {
            // The episode is over: it waits for a permission that was not answered yet, but not for one that was
            // denied.
            state.past = nil
        }
        return true
    }

    /// Notifies of the open episode; returns whether that needs permissions.
    private func notifyEpisode(
        _ state: inout AlertKeyState, _ isSent: (AlertNotice.ID) -> Bool, _ wakes: inout [Int64]
    ) -> Bool {
        guard var episode = state.episode, let kind = dueNotice(episode, state, isSent, &wakes) else { return false }
        if let left = context.quietMilliseconds {
            let passes = episode.severity == .critical && context.settings.quietHours?.letsCriticalPass == true
            if !passes {
                wakes.append(now + left)
                return false
            }
        }
        let channels = context.openChannels
        guard channels.contains(where: \.notifiesPeople) else { return true }
        if kind == .repeated { episode.repeats += 1 } else { episode.repeats = 0 }
        episode.lastNotified = episode.severity
        episode.snooze = nil
        episode.pausedUntil = nil
        episode.notices += 1
        state.episode = episode
        make(kind, episode, &state, channels)
        return true
    }

    /// The notice that is due now; nil if no notice is due, with the time at which one may be due added to `wakes`.
    private func dueNotice(
        _ episode: AlertEpisode, _ state: AlertKeyState, _ isSent: (AlertNotice.ID) -> Bool, _ wakes: inout [Int64]
    ) -> AlertNotice.Kind? {
        // The last sample was inside: the episode ends soon, or continues with the next sample.
        if state.recovery != nil || isSettling(&wakes) { return nil }
        let settings = context.settings
        let own = state.outbox.filter { $0.notice.episodeID == episode.id }
        let isWorse = episode.lastNotified.map { episode.severity > $0 } ?? false
        var times: [Int64] = [episode.pausedUntil ?? now]
        if let snooze = episode.snooze, episode.severity <= snooze.severity { times.append(snooze.until) }
        if episode.lastNotified != nil, !isWorse {
            guard settings.repeatsUntilAcknowledged || episode.snooze != nil, !episode.isAcknowledged,
                let lastDeliveredAt = episode.lastDeliveredAt, !surroundings.isUnknown, own.allSatisfy(\.isDelivered)
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
        if isWorse {
            let isKnown = episode.lastDelivered != nil || own.contains { isSent($0.notice.id) }
            return isKnown ? .escalated : .raised
        }
        if episode.lastNotified != nil { return .repeated }
        return episode.isLate ? .late : .raised
    }

    private func isSettling(_ wakes: inout [Int64]) -> Bool {
        if let settlesAt { wakes.append(settlesAt) }
        return settlesAt != nil
    }

    private func make(
        _ kind: AlertNotice.Kind, _ episode: AlertEpisode, _ state: inout AlertKeyState, _ channels: [AlertChannel]
    ) {
        let wall = context.moment.wall
        var measured = episode.measured(state.key, surroundings.sample, context)
        var severity = episode.severity
        if episode.until != nil, let worst = episode.worst {
            (measured.value, measured.limit, severity) = (worst.value, worst.limit, worst.severity)
        }
        let number = kind == .recovered || episode.until != nil ? episode.notices + 1 : episode.notices
        let notice = AlertNotice(
            id: "\(episode.id)/\(number)", episodeID: episode.id, key: state.key, kind: kind, severity: severity,
            name: state.name, value: measured.value, limit: measured.limit, normal: measured.normal,
            release: measured.release, opposite: measured.opposite, reason: state.reason, detail: state.detail,
            since: episode.since, until: episode.until, at: wall, repeats: episode.repeats)
        // An episode that is over does not change a complication.
        let used = channels.filter { kind.changesBand && episode.until == nil || $0 != .watchComplication }
        // A newer notice replaces the older ones of its episode, even if they are still being delivered.
        state.outbox.removeAll { $0.notice.episodeID == episode.id }
        state.outbox.append(AlertDelivery(notice, over: used))
        if state.episode?.id == episode.id {
            state.episode?.value = measured.value
            state.episode?.limit = measured.limit
        }
    }
}

extension AlertEpisode {
    /// A value with the limits that matter for its alert; nothing for other alerts.
    struct Measured {
        var value: Double?
        /// The limit of the severity.
        var limit: Double?
        /// The end of the normal range on the alert's side, and on the other one.
        var normal: Double?
        var opposite: Double?
        /// The value at which the alert may end.
        var release: Double?
    }

    /// The value of the newest sample, and its limits.
    func measured(_ key: AlertKey, _ sample: AlertSample?, _ context: AlertContext) -> Measured {
        guard case .value(_, _, let side) = key, let sample else { return Measured(value: value, limit: limit) }
        return Measured(
            value: sample.value, limit: sample.limits.limit(side, severity),
            normal: sample.limits.limit(side, .warning), opposite: sample.limits.limit(side.opposite, .warning),
            release: LimitPosition(sample, side, hysteresis: context.hysteresis(of: sample)).release)
    }
}

extension AlertDelivery {
    /// A notice that is not delivered yet.
    init(_ notice: AlertNotice, over channels: [AlertChannel]) {
        self.init(notice: notice, channelDeliveries: channels.map { ChannelDelivery(channel: $0, outcome: .open) })
    }
}

extension AlertSettings {
    /// The pause in milliseconds after a delivered alert with this many repetitions.
    func pause(afterRepeats count: Int) -> Int64 {
        let longest = Int64(max(longestRepeatSeconds, cooldownSeconds)) * 1000
        return min(Int64(cooldownSeconds) * 1000 << Int64(min(max(0, count), 20)), longest)
    }
}
