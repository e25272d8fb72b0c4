import PoolModel

extension AlertEngine {
    enum DeliveryResult {
        case delivered
        case failed
        case denied
    }

    /// Sends due notices that are durable, or whose record cannot be stored at the moment, and removes finished ones.
    mutating func deliver(_ run: inout Running, _ wakes: inout [Int64]) {
        run.line.outbox.removeAll(where: \.isDone)
        let ids = Set(run.line.outbox.map(\.notice.id))
        run.attempts = run.attempts.filter { ids.contains($0.key.notice) }
        run.unwritten = run.unwritten.filter { ids.contains($0.key) }
        run.left.formIntersection(ids)
        // A failing store must not suppress an alert, in particular not the alert about the store.
        for delivery in run.line.outbox where isDurable(delivery, run) || run.rewriteAt != nil {
            var due: [AlertChannel] = []
            for channelDelivery in delivery.channelDeliveries where channelDelivery.outcome == .open {
                let key = Attempt.Key(notice: delivery.notice.id, channel: channelDelivery.channel)
                var attempt = run.attempts[key] ?? Attempt()
                if attempt.isInProgress { continue }
                if let retryAt = attempt.retryAt, retryAt > now {
                    wakes.append(retryAt)
                    continue
                }
                attempt.isInProgress = true
                attempt.count += 1
                attempt.retryAt = nil
                run.attempts[key] = attempt
                due.append(channelDelivery.channel)
            }
            if due.isEmpty { continue }
            run.left.insert(delivery.notice.id)
            emit(.send(delivery.notice, due))
        }
    }

    private func isDurable(_ delivery: AlertDelivery, _ run: Running) -> Bool {
        let id = delivery.notice.id
        return run.unwritten[id] == nil
            && run.written?.outbox.contains { $0.notice.id == id } == true
    }

    /// Ends the deliveries over channels that were switched off or denied meanwhile.
    func withdrawClosedChannels(_ run: inout Running) {
        let open = Set(openChannels)
        for position in run.line.outbox.indices {
            var delivery = run.line.outbox[position]
            let isChanged = delivery.channelDeliveries.contains { $0.outcome == .open && !open.contains($0.channel) }
            guard isChanged else { continue }
            for channelDelivery in delivery.channelDeliveries.indices
            where delivery.channelDeliveries[channelDelivery].outcome == .open {
                if !open.contains(delivery.channelDeliveries[channelDelivery].channel) {
                    delivery.channelDeliveries[channelDelivery].outcome = .abandoned
                }
            }
            run.line.outbox[position] = delivery
            restoreUndelivered(delivery, &run, pause: 0)
        }
    }

    /// Restores the state before a notice that reached nobody: it is due again, and it does not count as a repetition.
    private func restoreUndelivered(_ delivery: AlertDelivery, _ run: inout Running, pause: Int64) {
        guard delivery.isDone, !delivery.isDelivered, var episode = run.line.episode,
            episode.id == delivery.notice.episodeID
        else { return }
        episode.lastNotified = episode.lastDelivered
        if delivery.notice.kind == .repeated { episode.repeats -= 1 }
        if pause > 0 { episode.pausedUntil = now + pause }
        run.line.episode = episode
    }

    mutating func result(of id: AlertNotice.ID, _ channel: AlertChannel, _ result: DeliveryResult) {
        guard let key = runs.first(where: { $0.value.line.outbox.contains { $0.notice.id == id } })?.key,
            var run = runs[key], let position = run.line.outbox.firstIndex(where: { $0.notice.id == id }),
            let channelDelivery = run.line.outbox[position].channelDeliveries.firstIndex(where: {
                $0.channel == channel && $0.outcome == .open
            })
        else { return }
        var delivery = run.line.outbox[position]
        let attemptKey = Attempt.Key(notice: id, channel: channel)
        var attempt = run.attempts[attemptKey] ?? Attempt()
        attempt.isInProgress = false
        switch result {
        case .delivered:
            let wasDelivered = delivery.isDelivered
            delivery.channelDeliveries[channelDelivery].outcome = .delivered
            if delivery.isDelivered, !wasDelivered { recordDelivery(of: delivery.notice, &run) }
        case .denied: delivery.channelDeliveries[channelDelivery].outcome = .abandoned
        case .failed:
            if attempt.count >= Self.attemptMax {
                delivery.channelDeliveries[channelDelivery].outcome = .abandoned
            } else {
                // The pauses are 5, 10, 20 … 300 s.
                attempt.retryAt = now + min(5000 << Int64(max(0, attempt.count - 1)), Self.pauseMilliseconds)
            }
        }
        run.attempts[attemptKey] = attempt
        run.line.outbox[position] = delivery
        restoreUndelivered(delivery, &run, pause: result == .failed ? Self.pauseMilliseconds : 0)
        put(run)
    }

    /// Records that a notice was delivered; its cooldown begins now.
    private func recordDelivery(of notice: AlertNotice, _ run: inout Running) {
        guard var episode = run.line.episode, episode.id == notice.episodeID else { return }
        episode.lastDelivered = min(notice.severity, episode.severity)
        episode.lastDeliveredAt = now
        run.line.episode = episode
    }

    mutating func persisted(_ key: AlertKey, _ ticket: UInt64) {
        guard var run = runs[key], ticket <= run.ticket else { return }
        run.unwritten = run.unwritten.filter { $0.value > ticket }
        put(run)
    }

    mutating func persistFailed(_ key: AlertKey, _ ticket: UInt64) {
        // A newer write that is already in progress contains everything of this one.
        guard var run = runs[key], ticket == run.ticket else { return }
        for id in run.unwritten.keys { run.unwritten[id] = ticket + 1 }
        run.written = nil
        run.rewriteAt = now + Self.rewriteMilliseconds
        put(run)
    }
}
