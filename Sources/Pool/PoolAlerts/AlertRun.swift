import PoolModel

/// The state of a key, with data that is not stored.
struct AlertRun: Sendable {
    /// How long the engine waits for another old sample.
    private static let settlingMilliseconds: Int64 = 5000
    /// The pause before an alert that reached nobody is repeated.
    private static let pauseMilliseconds: Int64 = 300_000

    /// The state that is stored.
    var state: AlertKeyState
    /// When the key must be settled again even without an input; nil for never.
    private(set) var wakeAt: Int64?
    private var writes: RecordWrites
    private var attempts = DeliveryAttempts()
    /// Until when more old samples may follow.
    private var settlesAt: Int64?

    /// The state of a key about which nothing is known.
    init(key: AlertKey, name: String) {
        state = AlertKeyState(key: key, name: name.bounded)
        writes = RecordWrites(written: nil)
    }

    /// The state in a record.
    init(_ record: AlertRecord, at now: Int64) {
        state = record.line.clamped(to: now, pauseMilliseconds: Self.pauseMilliseconds)
        writes = RecordWrites(written: record.line)
        if record.line.episode?.isLate == true { settlesAt = now + Self.settlingMilliseconds }
    }

    /// Whether the store may have a record of the key.
    var hasRecord: Bool { writes.hasRecord }

    // MARK: Samples

    /// Judges a new sample; returns false if it was already judged.
    mutating func judge(_ judge: ValueJudge, after previous: AlertSample?) -> Bool {
        let sample = judge.sample
        let mark = AlertKeyState.Mark(moment: sample.sampledAt, value: sample.value)
        // The same sample again, for example after a restart; it was already judged.
        guard state.mark != mark || sample.standing == .backlog else { return false }
        let before = state
        judge.judge(&self, after: previous)
        // The samples of a backlog may have the same time as the one before them, so an equal mark does not mean the
        // same sample.
        if sample.standing == .backlog { state.mark = nil } else if state != before { state.mark = mark }
        if sample.standing == .live { settlesAt = nil }
        if sample.isOld { settlesAt = judge.context.now + Self.settlingMilliseconds }
        return true
    }

    /// Closes the open episode.
    mutating func close(countsAsTurn: Bool, _ context: AlertContext) {
        guard let episode = state.episode else { return }
        let own = state.outbox.filter { $0.notice.episodeID == episode.id }
        state.close(
            countsAsTurn: countsAsTurn, mayBeDelivered: own.contains { attempts.isInProgress($0) }, context)
    }

    // MARK: Settling

    /// Completes the processing of the key at this time: timers, notices, deliveries, and the next wake-up.
    ///
    /// - Returns: Requests for permissions, also those that were asked before, and notices to send.
    mutating func settle(_ context: AlertContext, _ surroundings: AlertSurroundings) -> [AlertOutput] {
        guard context.settings.wants(state.key) else {
            state = state.silenced(context)
            attempts.removeAttempts()
            wakeAt = nil
            return []
        }
        var wakes: [Int64] = []
        withdrawClosedChannels(context)
        runTimers(context, surroundings, &wakes)
        let schedule = NoticeSchedule(
            context: context, surroundings: surroundings, settlesAt: settlesAt.flatMap { $0 > context.now ? $0 : nil })
        var outputs = schedule.makeNotices(&state, isSent: attempts.isSent, &wakes)
        outputs += deliver(at: context.now, &wakes)
        if let due = writes.pauseEnd(at: context.now) { wakes.append(due) }
        wakeAt = wakes.min()
        return outputs
    }

    private mutating func runTimers(
        _ context: AlertContext, _ surroundings: AlertSurroundings, _ wakes: inout [Int64]
    ) {
        let now = context.now
        if let candidate = state.candidate, state.episode == nil,
            let delay = state.confirmationMilliseconds(context, surroundings)
        {
            if now - candidate.start >= delay {
                state.open(.warning, context)
            } else {
                wakes.append(candidate.start + delay)
            }
        } else if state.candidate != nil, state.episode == nil, surroundings.isExplainedByHub {
            // No input triggers this check when the hub works again.
            wakes.append(now + AlertKeyState.hubRecoveryMilliseconds)
        }
        if let recovery = state.recovery, state.episode != nil, let due = state.end(of: recovery, context, surroundings)
        {
            if due <= now { close(countsAsTurn: true, context) } else { wakes.append(due) }
        }
        if let deescalation = state.deescalation, state.episode != nil,
            let due = state.end(of: deescalation, context, surroundings)
        {
            if due <= now {
                state.episode?.lower(to: .warning)
                state.deescalation = nil
                state.turn(at: now)
            } else {
                wakes.append(due)
            }
        }
        if state.turns > 0 {
            let end = state.lastTurn + AlertKeyState.flapWindowMilliseconds
            if end <= now, state.episode == nil { state.turns = 0 }
            if end > now { wakes.append(end) }
        }
    }

    // MARK: Deliveries

    /// The notices to send now: those that are durable, or whose record cannot be stored at the moment.
    private mutating func deliver(at now: Int64, _ wakes: inout [Int64]) -> [AlertOutput] {
        state.outbox.removeAll(where: \.isDone)
        let ids = Set(state.outbox.map(\.notice.id))
        attempts.keepOnly(ids)
        writes.keepOnly(ids)
        var outputs: [AlertOutput] = []
        for delivery in state.outbox where writes.permitsSending(delivery.notice.id) {
            let due = attempts.begin(delivery, at: now, &wakes)
            if !due.isEmpty { outputs.append(.send(delivery.notice, due)) }
        }
        return outputs
    }

    /// Ends the deliveries over channels that were switched off or denied meanwhile.
    private mutating func withdrawClosedChannels(_ context: AlertContext) {
        let open = Set(context.openChannels)
        for position in state.outbox.indices {
            var delivery = state.outbox[position]
            let isChanged = delivery.channelDeliveries.contains { $0.outcome == .open && !open.contains($0.channel) }
            guard isChanged else { continue }
            for index in delivery.channelDeliveries.indices
            where delivery.channelDeliveries[index].outcome == .open
                && !open.contains(delivery.channelDeliveries[index].channel)
            {
                delivery.channelDeliveries[index].outcome = .abandoned
            }
            state.outbox[position] = delivery
            restoreUndelivered(delivery, pausedUntil: nil)
        }
    }

    /// Applies the result of an attempt; returns false if there is no such delivery.
    mutating func end(
        _ id: AlertNotice.ID, over channel: AlertChannel, _ result: DeliveryAttempts.Result, at now: Int64
    ) -> Bool {
        guard let position = state.outbox.firstIndex(where: { $0.notice.id == id }) else { return false }
        var delivery = state.outbox[position]
        guard
            let index = delivery.channelDeliveries.firstIndex(where: { $0.channel == channel && $0.outcome == .open })
        else { return false }
        let wasDelivered = delivery.isDelivered
        delivery.channelDeliveries[index].outcome = attempts.end(id, over: channel, result, at: now)
        if delivery.isDelivered, !wasDelivered { recordDelivery(of: delivery.notice, at: now) }
        state.outbox[position] = delivery
        restoreUndelivered(delivery, pausedUntil: result == .denied ? nil : now + Self.pauseMilliseconds)
        return true
    }

    /// Restores the state before a notice that reached nobody: it is due again, and it does not count as a repetition.
    private mutating func restoreUndelivered(_ delivery: AlertDelivery, pausedUntil: Int64?) {
        guard delivery.isDone, !delivery.isDelivered, var episode = state.episode,
            episode.id == delivery.notice.episodeID
        else { return }
        episode.lastNotified = episode.lastDelivered
        if delivery.notice.kind == .repeated { episode.repeats -= 1 }
        if let pausedUntil { episode.pausedUntil = pausedUntil }
        state.episode = episode
    }

    /// Records that a notice was delivered; its cooldown begins now.
    private mutating func recordDelivery(of notice: AlertNotice, at now: Int64) {
        guard var episode = state.episode, episode.id == notice.episodeID else { return }
        episode.lastDelivered = min(notice.severity, episode.severity)
        episode.lastDeliveredAt = now
        state.episode = episode
    }

    // MARK: Writes

    /// Begins a write of the record if the state changed; returns its number.
    mutating func beginWrite() -> UInt64? { writes.begin(state, isSent: attempts.isSent) }

    /// A write is durable; returns false for a write that was not begun.
    mutating func finishWrite(_ ticket: UInt64) -> Bool { writes.finish(ticket) }

    /// A write failed; returns false if a newer one was begun.
    mutating func failWrite(_ ticket: UInt64, at now: Int64) -> Bool { writes.fail(ticket, at: now) }
}

extension AlertKeyState {
    /// A stored state in which no wait is longer than possible, whatever the record contains.
    fileprivate func clamped(to now: Int64, pauseMilliseconds: Int64) -> AlertKeyState {
        var state = self
        state.lastTurn = min(lastTurn, now)
        if let start = candidate?.start { state.candidate?.start = min(start, now) }
        if let start = recovery?.start { state.recovery?.start = min(start, now) }
        if let start = deescalation?.start { state.deescalation?.start = min(start, now) }
        if let at = episode?.lastDeliveredAt { state.episode?.lastDeliveredAt = min(at, now) }
        if let until = episode?.pausedUntil { state.episode?.pausedUntil = min(until, now + pauseMilliseconds) }
        if let until = episode?.snooze?.until { state.episode?.snooze?.until = min(until, now + 604_800_000) }
        return state
    }
}
