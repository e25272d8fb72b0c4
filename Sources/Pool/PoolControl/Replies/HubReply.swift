package import PoolModel

/// A hub's reply to a command.
package enum HubReply: Codable, Equatable, Sendable {
    /// The command succeeded; the sentence says what was done.
    case done(String)
    /// The command was rejected and nothing was changed; the sentence says why and what to do about it.
    case refused(String)
    /// Nothing was changed, because the configuration has another revision now than the command expected.
    case revisionMoved(UInt64)
    /// A server was not removed because it has devices; their names.
    case serverHasDevices(server: String, devices: [String])
    /// An invitation for a watch.
    case invitation(code: String, validForSeconds: Int64)
    /// The result of a server test: how it ended, and the reason of a failure.
    case trial(code: ServerTestCode, reason: String?)
    /// The latest changes of the configuration, oldest first.
    case log([ConfigurationLogEntry])
    /// The reply to a history command.
    case history(HistoryAnswer)
    /// The reply to an alert command.
    case alerts(AlertReport)
    /// The command is still running. Request its result with this job number.
    case working(job: UInt64)
    /// The reply to a detection command.
    case detection(DetectionProgress)
    /// The differences between two revisions of the configuration.
    case differences([ConfigurationDifference])
    /// The result of an export of the configuration.
    case configurationExported(ConfigurationExportReport)
    /// The result or the preview of an import of a configuration.
    case configurationImport(ConfigurationImportReport)
    /// The watches with the faults of their links.
    case links([WatchConnection])
    /// The file is durably queued and will be sent when the watch is connected.
    case shared(SharedFile)
    /// The shared files.
    case shares([SharedFile])
    /// The dose is in the log; `isNew` is false if its identifier was known before.
    case dosed(Dose, isNew: Bool)
    /// The logged doses, newest first.
    case doses([Dose])
    /// Advice for a pool.
    case advice(Advice)
    /// The forecast of each quantity that a device measures; the name of the device.
    case forecasts(device: String, [Forecast])
    /// The state that screens show, nil if nothing changed, and the events after the last received one, oldest first.
    /// Old events are no longer kept.
    case look(HubState?, events: [EventSummary])
    /// The hub's state.
    case state(HubState)
}

extension HubReply {
    /// What a hub of another version says of a command that it cannot read.
    package static let unknownCommandWords =
        "this hub does not know the command: it is of another version; restart it after an upgrade"
}
