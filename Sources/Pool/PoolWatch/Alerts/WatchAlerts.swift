public import PoolModel
internal import SyncCore
internal import SyncStore

/// The alerts as a watch shows them.
public struct WatchAlerts: Hashable, Codable, Sendable {
    /// The open alerts, including this watch's own answers that still wait for the hub.
    public var state: AlertState
    /// The keys of the alerts whose answers wait for the hub.
    public var pending: Set<AlertKey>
    /// The last notices, newest first.
    public var notices: [AlertNotice]

    /// Applies waiting answers to the state from the hub; they are in the configuration as it is shown here.
    init(_ received: AlertState, answers: [AlertAnswer], pending edits: [Edit], notices: [AlertNotice]) {
        state = received
        self.notices = notices
        let waiting = Set(edits.flatMap(\.changes).map(\.key))
        pending = []
        for index in state.alerts.indices {
            let alert = state.alerts[index]
            guard let answer = answers.first(where: { $0.key == alert.key && $0.episodeID == alert.episodeID }),
                case .upsert(let entry) = answer.change
            else { continue }
            let cell = CellKey(
                kind: entry.key.kind, record: RandomID(high: entry.key.record.high, low: entry.key.record.low),
                group: entry.key.group)
            // Answers that the hub has received are already in its state, which also knows if the alert got worse
            // since.
            guard waiting.contains(cell) else { continue }
            pending.insert(alert.key)
            state.alerts[index].isAcknowledged = answer.isAcknowledged
            state.alerts[index].snoozedUntil = answer.snoozedUntil
        }
    }

    /// Creates the alerts of a watch that does not run.
    init(_ received: AlertState, _ entries: [ConfigurationEntry], pending: [Edit], notices: [AlertNotice]) {
        self.init(
            received, answers: WatchConfiguration(entries: entries).answers, pending: pending, notices: notices)
    }
}

extension WatchStore {
    /// The last open alerts from the hub; none if they cannot be read.
    var restingAlerts: AlertState {
        // The error is reported by the code that opens the store for more.
        guard let state = try? load() else { return AlertState() }
        for register in state.registers.values.map(\.register) where register.key == RegisterKey.alerts.text {
            if case .alerts(let alerts) = ReceivedRegister(register) { return alerts }
        }
        return AlertState()
    }
}
