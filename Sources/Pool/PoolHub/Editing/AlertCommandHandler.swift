import Platform
import PoolAlerts
import PoolControl
import PoolModel
import PoolStore

/// Carries out the commands about alerts, for a running hub or on its folder.
struct AlertCommandHandler: Sendable {
    let editor: ConfigurationEditor
    let secrets: Secrets
    /// The store with the log of notices.
    let store: AlertStore

    /// Carries out a command.
    ///
    /// - Parameters:
    ///   - request: The command.
    ///   - report: Returns the open alerts.
    ///   - test: Sends a test notice; nil if no hub runs.
    /// - Returns: The reply.
    /// - Throws: The error in the command, in words.
    func perform(
        _ request: AlertRequest, report: () async throws -> AlertReport, test: (() async -> Void)?
    ) async throws -> HubReply {
        switch request {
        case .report(let count):
            var report = try await report()
            report.settings = try await editor.configuration().configuration.alerts
            report.notices = try store.events(limit: count).compactMap { event in
                // A notice that another version wrote differently is left out.
                try? CanonicalJSON.decode(AlertNotice.self, from: event.json)
            }
            return .alerts(report)
        case .acknowledge(let episode):
            let alert = try await report().state.open(episode)
            try await editor.put([AlertState.acknowledgement(of: alert).change])
            return .done("acknowledged: \(alert.summary)")
        case .snooze(let episode, let seconds):
            guard (1...604_800).contains(seconds) else {
                return .refused("an alert can be quiet for 1 s to 7 days, not for \(seconds) s")
            }
            let alert = try await report().state.open(episode)
            let until = Timestamp.now.advanced(byMilliseconds: Int64(seconds) * 1000)
            try await editor.put([AlertState.snooze(of: alert, until: until).change])
            return .done("quiet for \(DurationText.text(.seconds(seconds))): \(alert.summary)")
        case .test:
            guard let test else {
                return .refused("no hub is running here, so no alerts are sent: start it with: poolsensors hub")
            }
            await test()
            return .done("a test alert is on its way to every channel that is switched on and may be used")
        case .change(let patch):
            return try await editor.change { old in
                ConfigurationEdit(
                    try old.alerting(patch.applied(to: old.alerts, in: old)), "changed the settings of alerts")
            }
        case .setSigningSecret(let secret, let name):
            guard (1...128).contains(name.utf8.count) else {
                return .refused("the name of a secret has 1 to 128 bytes")
            }
            try secrets.setSigningSecret(secret.isEmpty ? nil : secret, named: name)
            return .done(secret.isEmpty ? "forgot the secret \(name)" : "keeps the secret \(name)")
        }
    }
}

extension AlertState {
    /// The open alert of an episode.
    ///
    /// - Throws: `AlertMatchError` if it has ended.
    fileprivate func open(_ episode: AlertEpisodeID) throws(AlertMatchError) -> Alert {
        guard let alert = alerts.first(where: { $0.episodeID == episode }) else {
            throw .notFound("\(episode)", count: alerts.count)
        }
        return alert
    }
}

extension AlertReport {
    /// The alerts at the end of the last run, for a hub that does not run.
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
