package import PoolModel

/// A hub's reply to a command, as it is sent; below, each ``HubRequest`` takes its own out of it.
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
    /// Which program the hub is.
    case about(HubInfo)
    /// The hub's state.
    case state(HubState)
}

/// Which program a running hub is.
package struct HubInfo: Codable, Equatable, Sendable {
    /// The version of the program.
    package var version: String
    /// The identifier of its process.
    package var processID: Int32
    /// When it started, by its clock.
    package var startedAt: Timestamp
    /// The absolute path of its folder.
    package var folder: String
    /// The endpoint to which watches connect.
    package var endpoint: String

    /// Creates a description.
    package init(version: String, processID: Int32, startedAt: Timestamp, folder: String, endpoint: String) {
        self.version = version
        self.processID = processID
        self.startedAt = startedAt
        self.folder = folder
        self.endpoint = endpoint
    }
}

extension HubReply {
    /// What a hub of another version says of a command that it cannot read.
    package static let unknownCommandWords =
        "this hub does not know the command: it is of another version; restart it after an upgrade"
}

// MARK: - The requests, by the types of their replies

extension HubRequest<String> {
    /// A command whose reply is a sentence that says what was done.
    private init(change command: HubCommand) {
        self.init(command) { if case .done(let sentence) = $0 { sentence } else { nil } }
    }

    /// Edit the configuration; for an import see ``importConfiguration(_:)``.
    package static func edit(_ edit: HubEdit) -> Self { Self(change: .edit(edit)) }
    /// Unpair a watch.
    package static func unpair(_ watch: WatchID) -> Self { Self(change: .unpair(watch)) }
    /// Change something about alerts; to read them see ``alertReport(notices:)``.
    package static func alerts(_ request: AlertRequest) -> Self { Self(change: .alerts(request)) }
    /// Change the faults on links; to read them see ``links``.
    package static func links(_ request: LinkRequest) -> Self { Self(change: .links(request)) }
    /// Cancel a file that is queued or being sent.
    package static func cancelFile(_ file: SharedFileID) -> Self { Self(change: .share(.cancel(file))) }
    /// Remove a dose.
    package static func removeDose(_ dose: DoseID) -> Self { Self(change: .doses(.remove(dose))) }
    /// Restore the configuration of a revision, as one new change.
    package static func restoreRevision(_ revision: UInt64) -> Self { Self(change: .restoreRevision(revision)) }
    /// Write a backup of the hub's state to a new folder at this absolute path.
    package static func backUp(_ path: String) -> Self { Self(change: .backUp(path)) }
}

extension HubRequest<HubState> {
    private init(_ command: HubCommand) {
        self.init(command) { if case .state(let state) = $0 { state } else { nil } }
    }

    /// Return the hub's state.
    package static var state: Self { Self(.state) }
    /// Return the names and the identities only; see ``HubCommand/names``.
    package static var names: Self { Self(.names) }
}

extension HubRequest<HubInfo> {
    /// Return which program the hub is, and since when it runs.
    package static var about: Self { Self(.about) { if case .about(let info) = $0 { info } else { nil } } }
}

extension HubRequest<(state: HubState?, events: [EventSummary])> {
    /// Return the state that screens show, nil if it did not change, and the events since.
    package static func look(_ request: LookRequest) -> Self {
        Self(.look(request)) { if case .look(let state, let events) = $0 { (state, events) } else { nil } }
    }
}

extension HubRequest<ServerTestResult> {
    private init(_ command: HubCommand) {
        self.init(command) {
            if case .trial(let code, let reason) = $0 { ServerTestResult(code, reason: reason) } else { nil }
        }
    }

    /// Test the connection to a configured server.
    package static func testServer(_ server: ServerID) -> Self { Self(.testServer(server)) }
    /// Test the connection that a server would have after a patch; nil for one that is not added yet.
    package static func tryServer(_ server: ServerID?, _ patch: ServerPatch) -> Self { Self(.tryServer(server, patch)) }
}

extension HubRequest<(code: String, validForSeconds: Int64)> {
    /// Create an invitation for a watch.
    package static func invite(name: String?, validForSeconds seconds: Int64) -> Self {
        Self(.invite(name: name, validForSeconds: seconds)) {
            if case .invitation(let code, let seconds) = $0 { (code, seconds) } else { nil }
        }
    }
}

extension HubRequest<[ConfigurationLogEntry]> {
    /// Return the latest changes of the configuration, oldest first; at most this many.
    package static func log(last count: Int) -> Self {
        Self(.log(last: count)) { if case .log(let entries) = $0 { entries } else { nil } }
    }
}

extension HubRequest<[ConfigurationDifference]> {
    /// Compare two revisions of the configuration; nil is the current one.
    package static func diff(from first: UInt64, to second: UInt64?) -> Self {
        Self(.diff(from: first, to: second)) { if case .differences(let found) = $0 { found } else { nil } }
    }
}

extension HubRequest<ConfigurationExportReport> {
    /// Export the configuration and its secrets to an encrypted file for another hub.
    package static func exportConfiguration(_ export: ConfigurationExport) -> Self {
        Self(.exportConfiguration(export)) { if case .configurationExported(let report) = $0 { report } else { nil } }
    }
}

extension HubRequest<ConfigurationImportReport> {
    /// Import the configuration of another hub, or preview the import.
    package static func importConfiguration(_ file: ConfigurationImport) -> Self {
        Self(.edit(.importConfiguration(file))) {
            if case .configurationImport(let report) = $0 { report } else { nil }
        }
    }
}

extension HubRequest<AlertReport> {
    /// Return the open alerts and at most this many of the latest notices.
    package static func alertReport(notices count: Int) -> Self {
        Self(.alerts(.report(notices: count))) { if case .alerts(let report) = $0 { report } else { nil } }
    }
}

extension HubRequest<DetectionProgress> {
    /// Run a detection command.
    package static func detection(_ request: DetectionRequest) -> Self {
        Self(.detection(request)) { if case .detection(let progress) = $0 { progress } else { nil } }
    }
}

extension HubRequest<[WatchConnection]> {
    /// Return the watches with the faults of their links.
    package static var links: Self {
        Self(.links(.show)) { if case .links(let watches) = $0 { watches } else { nil } }
    }
}

extension HubRequest<SharedFile> {
    /// Send a file of this machine to a watch; it is durably queued then.
    package static func sendFile(_ file: FileToShare) -> Self {
        Self(.share(.send(file))) { if case .shared(let file) = $0 { file } else { nil } }
    }
}

extension HubRequest<[SharedFile]> {
    /// List the files that are queued, being sent or recently finished.
    package static var files: Self {
        Self(.share(.list)) { if case .shares(let files) = $0 { files } else { nil } }
    }
}

extension HubRequest<(dose: Dose, isNew: Bool)> {
    /// Add a dose; `isNew` is false if its identifier was known before.
    package static func addDose(_ dose: Dose) -> Self {
        Self(.doses(.add(dose))) { if case .dosed(let dose, let isNew) = $0 { (dose, isNew) } else { nil } }
    }
}

extension HubRequest<[Dose]> {
    /// Return the newest doses of a pool, or of all pools if it is nil; see ``DoseRequest/list(pool:limit:)``.
    package static func doses(of pool: PoolID?, limit: Int) -> Self {
        Self(.doses(.list(pool: pool, limit: limit))) { if case .doses(let doses) = $0 { doses } else { nil } }
    }
}

extension HubRequest<Advice> {
    /// Compute advice for a pool, from its newest values and from what was typed.
    package static func advice(_ pool: PoolID, _ numbers: AdviceNumbers) -> Self {
        Self(.advice(pool, numbers)) { if case .advice(let advice) = $0 { advice } else { nil } }
    }
}

extension HubRequest<(device: String, forecasts: [Forecast])> {
    /// Forecast the quantities of a device; the reply has its name.
    package static func forecast(_ device: DeviceID) -> Self {
        Self(.forecast(device)) { if case .forecasts(let name, let found) = $0 { (name, found) } else { nil } }
    }
}

// MARK: The history

extension HubRequest<HistoryExtent> {
    /// Return the size of the history.
    package static var historySize: Self {
        Self(.history(.size)) { if case .history(.size(let extent)) = $0 { extent } else { nil } }
    }
}

extension HubRequest<[HistoryRow]> {
    /// Return the newest readings; see ``HistoryRequest/page(device:before:limit:)``.
    package static func readings(of device: DeviceID?, before place: HistoryPlace?, limit: Int) -> Self {
        Self(.history(.page(device: device, before: place, limit: limit))) {
            if case .history(.page(let rows)) = $0 { rows } else { nil }
        }
    }
}

extension HubRequest<(text: String, count: Int, last: HistoryPlace?)> {
    /// Return the newest readings as JSON, one line for each, with their number and the place of the last one.
    package static func readingLines(of device: DeviceID?, before place: HistoryPlace?, limit: Int) -> Self {
        Self(.history(.lines(device: device, before: place, limit: limit))) {
            if case .history(.lines(let text, let count, let last)) = $0 { (text, count, last) } else { nil }
        }
    }
}

extension HubRequest<(device: String, series: TimeSeries)> {
    /// Return the time series of a quantity, with the device's name; see ``HistoryRequest/series(device:quantity:from:through:points:)``.
    package static func series(
        of device: DeviceID, _ quantity: Quantity, from first: Timestamp, through last: Timestamp, points: Int
    ) -> Self {
        Self(.history(.series(device: device, quantity: quantity, from: first, through: last, points: points))) {
            if case .history(.series(let name, let series)) = $0 { (name, series) } else { nil }
        }
    }
}

extension HubRequest<(path: String, readings: Int, byteCount: Int)> {
    /// Write readings to a file on the hub's machine.
    package static func exportReadings(_ export: HistoryExport) -> Self {
        Self(.history(.export(export))) {
            if case .history(.exported(let path, let readings, let byteCount)) = $0 {
                (path, readings, byteCount)
            } else {
                nil
            }
        }
    }
}

extension HubRequest<Int> {
    /// Count or delete the readings of a time range; the reply is their number.
    ///
    /// See ``HistoryRequest/delete(device:from:through:expected:)``.
    package static func deleteReadings(
        of device: DeviceID?, from first: Timestamp, through last: Timestamp, expected: Int?
    ) -> Self {
        Self(.history(.delete(device: device, from: first, through: last, expected: expected))) {
            if case .history(.deletion(let readings, _)) = $0 { readings } else { nil }
        }
    }
}

extension HubRequest<(before: Int, after: Int)> {
    /// Rewrite the history's file without its unused pages; its size in bytes before and after.
    package static var compactHistory: Self {
        Self(.history(.compact)) {
            if case .history(.compacted(let before, let after)) = $0 { (before, after) } else { nil }
        }
    }
}
