public import PoolModel

extension AlertEngine {
    /// The open alerts at the time of the last input, including those that nobody was notified of.
    public var state: AlertState { AlertState(open) }

    /// All open alerts at the time of the last input, without a limit, in the order of their keys.
    public var open: [AlertState.Alert] {
        let alerts = runs.values.compactMap { run -> AlertState.Alert? in
            guard let episode = run.line.episode else { return nil }
            let (value, limit) = measured(episode, run.line.key)
            let snooze = episode.snooze.map { moment.wall.advanced(byMilliseconds: max(0, $0.until - now)) }
            return AlertState.Alert(
                episodeID: episode.id, key: run.line.key, name: run.line.name, severity: episode.severity,
                since: episode.since, value: value, limit: limit, isAcknowledged: episode.isAcknowledged,
                snoozedUntil: snooze)
        }
        return alerts.sorted { $0.key < $1.key }
    }
}
