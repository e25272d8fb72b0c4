/// What a hub answers.
package enum HubReply: Codable, Sendable {
    /// It is done; the sentence says what.
    case done(String)
    /// It was declined and nothing has changed; the sentence says why, and the way out.
    case refused(String)
    /// A server that has devices was not removed; their names.
    case serverHasDevices(server: String, devices: [String])
    /// The invitation of a watch.
    case invitation(code: String, validForSeconds: Int64)
    /// How the trial of a server ended: its label, and why unless it succeeded.
    case trial(code: String, reason: String?)
    /// The last changes of the configuration, oldest first.
    case log([ConfigurationLogEntry])
    /// What the history answers.
    case history(HistoryAnswer)
    /// What the alerts answer.
    case alerts(AlertReport)
    /// It takes long; ask again for the outcome of this work.
    case working(job: UInt64)
    /// What a detection answers.
    case detection(DetectionAnswer)
    /// What differs between two revisions of the configuration.
    case differences([ConfigurationDifference])
    /// What was written into a file for another hub.
    case configurationExported(ConfigurationExportReport)
    /// What taking in the configuration of another hub changes, or has changed.
    case configurationImport(ConfigurationImportReport)
    /// The links to the watches.
    case links([LinkReport])
    /// The file is queued durably, and is sent as soon as the watch is there.
    case shared(SharedFile)
    /// The files that were shared.
    case shares([SharedFile])
    /// Everything that screens show, with the events after the one that was seen last, oldest first, as far as they are
    /// kept; no state if nothing changed.
    case look(HubState?, events: [EventSummary])
    /// The hub as it is.
    case state(HubState)
}
