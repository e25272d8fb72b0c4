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
            run.line.trial = AlertKeyState.Trial(count: 1, start: now, since: moment.wall, isLate: false)
        }
        run.line.isOn = true
        breakCalm(&run.line)
        put(run)
    }

    /// A condition without a value ends.
    mutating func end(_ key: AlertKey) {
        guard var run = runs[key], run.line.isOn else { return }
        run.line.isOn = false
        run.line.trial = nil
        if run.line.episode != nil {
            run.line.calm = AlertKeyState.Calm(count: settings.confirmationSamples, start: now)
        }
        put(run)
        if let device = key.deviceID { touched.formUnion(runs.keys.filter { $0.deviceID == device }) }
    }

    /// An impossible value arrived.
    ///
    /// Impossible values weigh twice as much as possible ones, so that a probe that alternates between them is
    /// detected too.
    mutating func blame(_ key: AlertKey, name: String) {
        guard settings.wants(key), var run = run(key, name: name) else { return }
        run.line.name = name.bounded
        run.line.doubt = min(run.line.doubt + 2, 12)
        if run.line.trial == nil, run.line.episode == nil {
            run.line.trial = AlertKeyState.Trial(count: 1, start: now, since: moment.wall, isLate: false)
        }
        breakCalm(&run.line)
        if run.line.doubt >= 6, run.line.episode == nil { open(&run.line, .warning) }
        put(run)
    }

    /// A possible value arrived.
    mutating func excuse(_ key: AlertKey, _ sample: AlertSample) {
        guard var run = runs[key], run.line.doubt > 0 || run.line.episode != nil else { return }
        // The four values of one message count only once for the device.
        let mark = AlertKeyState.Mark(moment: sample.sampledAt, value: 0)
        guard run.line.mark != mark else { return }
        run.line.mark = mark
        run.line.doubt = max(0, run.line.doubt - 1)
        if run.line.doubt == 0 {
            run.line.trial = nil
            if run.line.episode != nil, run.line.calm == nil {
                run.line.calm = AlertKeyState.Calm(count: settings.confirmationSamples, start: now)
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
            if severity > again.severity { worsen(&again, to: severity) } else { soften(&again, to: severity) }
            line.closed = nil
            line.episode = again
        } else if var again = line.past, line.trial?.isLate == true {
            // This continues the same old readings, of which nobody was notified.
            again.severity = severity
            again.until = nil
            line.past = nil
            line.episode = again
        } else {
            line.episodeCount += 1
            line.episode = AlertEpisode(
                id: episodeID(line.key, line.episodeCount), severity: severity, since: line.trial?.since ?? moment.wall,
                isLate: line.trial?.isLate ?? false)
        }
        line.trial = nil
        line.isDoubtful = false
        line.calm = nil
        line.eased = nil
    }

    func worsen(_ episode: inout AlertEpisode, to severity: AlertSeverity) {
        episode.severity = severity
        episode.isAcknowledged = false
        episode.snooze = nil
        episode.pausedUntil = nil
    }

    /// Lowers the severity; a later increase is notified again.
    func soften(_ episode: inout AlertEpisode, to severity: AlertSeverity) {
        episode.severity = severity
        episode.said = episode.said.map { min($0, severity) }
        episode.heard = episode.heard.map { min($0, severity) }
    }

    mutating func close(_ line: inout AlertKeyState, countsAsTurn: Bool) {
        guard let episode = line.episode else { return }
        // An end is notified only if the alert was delivered, or may have been.
        let own = line.outbox.filter { $0.notice.episodeID == episode.id }
        let attempts = runs[line.key]?.attempts ?? [:]
        let mayBeHeard = own.contains { delivery in
            delivery.legs.contains { leg in
                leg.outcome == .open
                    && attempts[.init(notice: delivery.notice.id, channel: leg.channel)]?.isOut == true
            }
        }
        line.outbox.removeAll { $0.notice.episodeID == episode.id }
        let calm = line.calm
        line.episode = nil
        line.calm = nil
        line.eased = nil
        line.isDoubtful = false
        if episode.heard != nil || mayBeHeard {
            line.closed = episode
        } else if episode.isLate, episode.said == nil, countsAsTurn {
            // It began and ended before anybody could be notified, so it does not count as a change, however often it
            // happens.
            line.past = episode
            line.past?.until = calm?.since ?? moment.wall
            return
        }
        if countsAsTurn { turn(&line) }
    }

    /// Ends the series of better samples; a flapping condition continues to count as flapping.
    func breakCalm(_ line: inout AlertKeyState) {
        guard line.calm != nil else { return }
        if isFlapping(line) { line.lastTurn = now }
        line.calm = nil
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
