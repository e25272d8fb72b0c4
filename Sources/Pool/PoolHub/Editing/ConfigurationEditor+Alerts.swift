import Platform
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore
import SyncCore
import SyncTransport

extension ConfigurationEditor {
    /// The times that an answer is tried again because somebody else edited in between.
    private static let alertAttemptLimit = 8

    /// Does what a command asks of the alerts.
    ///
    /// - Parameters:
    ///   - request: What is asked.
    ///   - store: Where the log is.
    ///   - report: The open alerts, of a running hub or of one at rest.
    ///   - test: Sends a test notice; nil at rest.
    /// - Returns: The answer.
    /// - Throws: What is wrong with the request, in words.
    func perform(
        _ request: AlertRequest, store: AlertStore, report: () async throws -> AlertReport,
        test: (() async -> Void)?
    ) async throws -> HubReply {
        switch request {
        case .report(let count):
            var report = try await report()
            report.settings = try await configuration().configuration.alerts
            report.notices = try store.events(limit: count).compactMap { event in
                // What another version wrote is left out.
                try? CanonicalJSON.decode(AlertNotice.self, from: event.json)
            }
            return .alerts(report)
        case .acknowledge(let episode):
            let alert = try await report().state.open(episode)
            try await put(AlertState.acknowledgement(of: alert))
            return .done("acknowledged: \(alert.summary)")
        case .snooze(let episode, let seconds):
            guard (1...604_800).contains(seconds) else {
                return .refused("an alert can be quiet for 1 s to 7 days, not for \(seconds) s")
            }
            let alert = try await report().state.open(episode)
            let until = Timestamp.now.advanced(byMilliseconds: Int64(seconds) * 1000)
            try await put(AlertState.snooze(of: alert, until: until))
            return .done("quiet until \(until.iso8601): \(alert.summary)")
        case .test:
            guard let test else {
                return .refused("no hub runs here, so nobody sends alerts: start it with: poolsensors hub")
            }
            await test()
            return .done("a test alert is on its way to every channel that is switched on and may be used")
        case .change(let patch):
            return try await change { old in
                (try old.alerting(patch.applied(to: old.alerts, in: old)), "changed the settings of alerts")
            }
        case .replace(let settings):
            return try await change { old in (try old.alerting(settings), "changed the settings of alerts") }
        case .setSigningSecret(let secret, let name):
            guard (1...128).contains(name.utf8.count) else {
                return .refused("the name of a secret has 1 to 128 bytes")
            }
            try secrets.setSigningSecret(secret.isEmpty ? nil : secret, named: name)
            return .done(secret.isEmpty ? "forgot the secret \(name)" : "keeps the secret \(name)")
        }
    }

    /// Gives an answer to an alert, as a watch would.
    private func put(_ answer: PoolModel.AlertAnswer) async throws {
        try await settle([answer.change])
    }

    /// Removes the answers to alerts that are over.
    func removeAnswers(to keys: [AlertKey]) async throws {
        try await settle(keys.map(PoolModel.AlertAnswer.removal))
    }

    private func settle(_ changes: [ConfigurationChange]) async throws {
        for _ in 0..<Self.alertAttemptLimit {
            let version = try await ledger.contents().version
            do {
                return try await ledger.transact(changes.map(\.cellChange), expected: version)
            } catch LinkError.refused(.versionMoved(_)) {
                continue
            }
        }
        throw LinkError.refused(.versionMoved(try await ledger.contents().version))
    }
}

extension AlertState {
    /// The open alert of an episode.
    ///
    /// - Throws: `AlertMatchError` if it is over.
    fileprivate func open(_ episode: AlertEpisodeID) throws(AlertMatchError) -> Alert {
        guard let alert = alerts.first(where: { $0.episodeID == episode }) else {
            throw .notFound("\(episode)", count: alerts.count)
        }
        return alert
    }
}

extension AlertReport {
    /// The alerts of a hub at rest, as they were when it ended.
    ///
    /// - Throws: `HistoryError`.
    init(resting store: AlertStore, _ configuration: PoolConfiguration) throws {
        let engine = AlertEngine(
            records: try AlertMemory(store).records, settings: configuration.alerts, at: .now)
        self.init(
            isRunning: false, state: engine.state, notices: [], settings: configuration.alerts,
            channels: AlertChannel.allCases.map { channel in
                Channel(
                    channel: channel, isEnabled: configuration.alerts.channels.enabled.contains(channel),
                    authorization: channel.initialAuthorization, trouble: nil)
            }, droppedCount: 0, refusedCount: 0)
    }
}
