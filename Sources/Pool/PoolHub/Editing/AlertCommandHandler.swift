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
    ///   - service: Sends test notices; nil if no hub runs.
    /// - Returns: The reply.
    /// - Throws: The error in the command, in words.
    func perform(
        _ request: AlertRequest, report: () async throws -> AlertReport, service: AlertService?
    ) async throws -> HubReply {
        switch request {
        case .report(let count):
            var report = try await report()
            report.settings = try await editor.configuration().configuration.alerts
            try addSecrets(to: &report)
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
            guard let service else {
                return .refused("no hub is running here, so no alerts are sent: start it with: poolsensors hub")
            }
            await service.test()
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
        case .setPhoneSecret(let secret, let channel, let field, let server):
            return try keep(secret, of: channel, field: field, server: server)
        case .testChannel(let channel): return try await test(channel, service)
        }
    }

    /// Adds which secrets of the services for phones are stored; never the secrets themselves.
    private func addSecrets(to report: inout AlertReport) throws {
        for index in report.channels.indices {
            let channel = report.channels[index].channel
            guard let service = channel.phoneService else { continue }
            let address = service.address(in: report.settings.channels.phones[channel] ?? PhoneSettings())
            report.channels[index].secrets = try secrets.secrets(of: service, at: address).keys.sorted()
        }
    }

    private func keep(
        _ secret: String, of channel: AlertChannel, field name: String, server: String
    ) throws -> HubReply {
        guard let service = channel.phoneService,
            let field = service.secretFields.first(where: { $0.name == name })
        else { return .refused("\(channel.rawValue) has no secret \(Excerpt(name))") }
        guard secret.isEmpty || field.isValid(secret) else {
            return .refused("the \(name) of \(service.name) is not valid: give \(field.expected)")
        }
        guard PhoneService.serverField.isValid(server) else {
            return .refused("the server of \(service.name) is not valid: give \(PhoneService.serverField.expected)")
        }
        let address = service.address(in: PhoneSettings([PhoneService.serverField.name: server]))
        try secrets.keep([.phone(channel, field: name, address: address): secret.isEmpty ? nil : secret])
        return .done("\(secret.isEmpty ? "forgot" : "keeps") the \(name) of \(service.name) for \(address)")
    }

    private func test(_ channel: AlertChannel, _ service: AlertService?) async throws -> HubReply {
        let settings = try await editor.configuration().configuration.alerts
        let phone = channel.phoneService
        guard settings.channels.enabled.contains(channel) else {
            let command =
                phone == nil ? "`poolsensors alerts settings`" : "`poolsensors alerts channel \(channel.rawValue)`"
            return .refused("the channel \(channel.rawValue) is off: switch it on with \(command)")
        }
        let moment = AlertTime.now
        let episode = AlertEpisodeID(
            high: .random(in: 0...UInt64.max), low: .random(in: 0...UInt64.max))
        let notice = AlertNotice(
            id: "\(episode)/1", episodeID: episode, key: .test, kind: .test, severity: .warning, name: "Test",
            since: moment.wall, at: moment.wall, repeats: 0)
        let outcome: AlertOutcome
        if let service {
            outcome = await service.test(over: channel, notice, settings)
        } else if let phone {
            outcome = await PhoneClient(secrets: secrets, poster: HTTPPoster()).send(
                notice, to: phone, settings.channels.phones[channel] ?? PhoneSettings(), in: settings.language,
                at: moment
            ).outcome
        } else {
            return .refused("no hub is running here, so no alerts are sent: start it with: poolsensors hub")
        }
        switch outcome {
        case .delivered:
            let place =
                phone.map { phone in
                    "\(phone.name) at \(phone.address(in: settings.channels.phones[channel] ?? PhoneSettings()))"
                } ?? "the channel \(channel.rawValue)"
            return .done("\(place) accepted a test notice")
        case .failed(let reason, _), .refused(let reason): return .refused("the test notice failed: \(reason)")
        case .denied: return .refused("the channel \(channel.rawValue) may not be used here")
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
