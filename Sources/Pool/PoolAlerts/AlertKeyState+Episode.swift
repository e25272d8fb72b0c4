import PoolModel

extension AlertKeyState {
    /// The time within which a third recovery counts as flapping.
    static let flapWindowMilliseconds: Int64 = 1_800_000

    /// Opens an episode, or continues one that people do not know to be over.
    mutating func open(_ severity: AlertSeverity, _ context: AlertContext) {
        if var again = closed {
            // Nobody was notified of its end, so for people it never ended.
            if severity > again.severity { again.raise(to: severity) } else { again.lower(to: severity) }
            closed = nil
            episode = again
        } else if var again = past, candidate?.isLate == true {
            // This continues the same old readings, of which nobody was notified.
            again.severity = severity
            again.until = nil
            past = nil
            episode = again
        } else {
            episodeCount += 1
            episode = AlertEpisode(
                id: context.episodeID(key, episodeCount), severity: severity,
                since: candidate?.since ?? context.moment.wall, isLate: candidate?.isLate ?? false)
        }
        candidate = nil
        isDoubtful = false
        recovery = nil
        deescalation = nil
    }

    /// Closes the open episode.
    ///
    /// - Parameters:
    ///   - countsAsTurn: Whether it counts as a recovery that can be a part of flapping.
    ///   - mayBeDelivered: Whether a notice of it is on its way.
    ///   - context: The time.
    mutating func close(countsAsTurn: Bool, mayBeDelivered: Bool, _ context: AlertContext) {
        guard let ended = episode else { return }
        outbox.removeAll { $0.notice.episodeID == ended.id }
        let recoveredAt = recovery?.since
        episode = nil
        recovery = nil
        deescalation = nil
        isDoubtful = false
        // An end is notified only if the alert was delivered, or may have been.
        if ended.lastDelivered != nil || mayBeDelivered {
            closed = ended
        } else if ended.isLate, ended.lastNotified == nil, countsAsTurn {
            // It began and ended before anybody could be notified, so it does not count as a change, however often it
            // happens.
            past = ended
            past?.until = recoveredAt ?? context.moment.wall
            return
        }
        if countsAsTurn { turn(at: context.now) }
    }

    /// Ends the series of better samples; a flapping condition continues to count as flapping.
    mutating func cancelRecovery(at now: Int64) {
        guard recovery != nil else { return }
        if isFlapping(at: now) { lastTurn = now }
        recovery = nil
    }

    /// Whether the next recovery must last before it counts, because there have been two or more in a short time.
    func isFlapping(at now: Int64) -> Bool {
        turns >= 2 && now - lastTurn < Self.flapWindowMilliseconds
    }

    /// Counts a recovery.
    mutating func turn(at now: Int64) {
        if now - lastTurn >= Self.flapWindowMilliseconds { turns = 0 }
        turns = min(turns + 1, 100)
        lastTurn = now
    }
}

extension AlertEpisode {
    /// Raises the severity; what a person did about the lower one no longer applies.
    mutating func raise(to severity: AlertSeverity) {
        self.severity = severity
        isAcknowledged = false
        snooze = nil
        pausedUntil = nil
    }

    /// Lowers the severity; a later increase is notified again.
    mutating func lower(to severity: AlertSeverity) {
        self.severity = severity
        lastNotified = lastNotified.map { min($0, severity) }
        lastDelivered = lastDelivered.map { min($0, severity) }
    }
}
