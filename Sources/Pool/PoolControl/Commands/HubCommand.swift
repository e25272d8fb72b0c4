package import PoolModel

/// A command to a hub, running or not.
///
/// It names things by identity and changes them by patches.
///
/// The screens and the command line create it, and it is sent over the control socket.
package enum HubCommand: Codable, Hashable, Sendable {
    /// Edit the configuration.
    case edit(HubEdit)
    /// Test the connection to a configured server.
    case testServer(ServerID)
    /// Test the connection that a server would have after a patch; nil for a server that is not added yet. Nothing is
    /// changed.
    case tryServer(ServerID?, ServerPatch)
    /// Create an invitation for a watch.
    case invite(name: String?, validForSeconds: Int64)
    /// Unpair a watch.
    case unpair(WatchID)
    /// Return the latest changes of the configuration, at most this many.
    case log(last: Int)
    /// Run a history command.
    case history(HistoryRequest)
    /// Run an alert command.
    case alerts(AlertRequest)
    /// Run a detection command.
    case detection(DetectionRequest)
    /// Compare two revisions of the configuration; nil is the current one.
    case diff(from: UInt64, to: UInt64?)
    /// Restore the configuration of a revision, as one new change.
    case restoreRevision(UInt64)
    /// Export the configuration and its secrets to an encrypted file for another hub.
    case exportConfiguration(ConfigurationExport)
    /// Write a backup of the hub's state to a new folder at this absolute path.
    case backUp(String)
    /// Inject faults into the links to the watches, or return the injected faults.
    case links(LinkRequest)
    /// Share a file with a watch, or manage the shared files.
    case share(ShareRequest)
    /// Add, list or remove doses.
    case doses(DoseRequest)
    /// Compute advice for a pool, from its newest values and from what was typed.
    case advice(PoolID, AdviceNumbers)
    /// Forecast the quantities of a device.
    case forecast(DeviceID)
    /// Reconnect to all servers.
    case reconnect
    /// Return the state that screens show, if it changed.
    case look(LookRequest)
    /// Run a command on behalf of somebody, whose name the log of changes shows as the author.
    ///
    /// - `by`: The author; 1…``authorByteCountMax`` bytes, no control characters.
    /// - `ifRevision`: If given, an edit is rejected with ``HubReply/revisionMoved(_:)`` unless this is the revision.
    indirect case edited(by: String, ifRevision: UInt64?, HubCommand)
    /// Return the result of a long-running command, by the job number from ``HubReply/working(job:)``.
    case outcome(job: UInt64)
    /// Return which program the hub is, and since when it runs. The hub must be running.
    case about
    /// Return the hub's state.
    case state
    /// Return a state that contains only names and identities, without values, counts and passwords. It also works if
    /// the hub's history or passwords cannot be read.
    case names

    /// The maximum number of bytes of an author's name.
    package static let authorByteCountMax = 96
}

extension HubCommand {
    /// Whether it runs beside other commands.
    ///
    /// Edits do not, because they are carried out in the order of arrival.
    package var mayTakeLong: Bool {
        switch self {
        case .history, .backUp, .testServer, .tryServer, .detection, .share, .doses, .advice, .forecast,
            .alerts(.testChannel):
            true
        case .edited(_, _, let command): command.mayTakeLong
        case .edit, .invite, .unpair, .log, .alerts, .diff, .restoreRevision, .exportConfiguration, .links, .reconnect,
            .look, .outcome, .about, .names, .state:
            false
        }
    }

    /// Whether the page may send it.
    ///
    /// An attacker who takes over the page's server can do with this what an owner can do on the page: add, change and
    /// remove servers and devices, change where alerts go, and shorten the history. That attacker still names no file of
    /// the hub's machine, so none is read or written, and gets no secret: no reply contains one, and a stored password
    /// goes to no other address than the one for which it was given. What is not listed is not for the page.
    package var isForThePage: Bool {
        switch self {
        case .look, .log, .state, .outcome, .doses, .advice, .forecast, .detection, .testServer: true
        case .history(.page), .history(.series), .history(.size), .alerts(.report): true
        // Without a number to delete, the readings are only counted.
        case .history(.delete(_, _, _, let expected)): expected == nil
        case .tryServer(let id, let patch): patch.isForThePage(isNew: id == nil)
        case .edited(_, _, let command): command.isEditForThePage
        default: false
        }
    }

    /// Whether the page may send it on behalf of somebody.
    private var isEditForThePage: Bool {
        switch self {
        case .edit(let edit): edit.isForThePage
        case .invite, .unpair, .alerts(.acknowledge), .alerts(.snooze), .alerts(.change), .alerts(.setSigningSecret),
            .alerts(.setPhoneSecret), .alerts(.testChannel):
            true
        default: false
        }
    }

    /// The file or the folder that the hub opens because a person named it; nil if there is none.
    package var path: String? {
        switch self {
        case .backUp(let path): path
        case .history(.export(let export)): export.path
        case .exportConfiguration(let export): export.path
        case .edit(.importConfiguration(let file)): file.path
        case .share(.send(let file)): file.path
        default: nil
        }
    }
}

/// An edit of the configuration at a hub, running or not.
package enum HubEdit: Codable, Hashable, Sendable {
    /// Add a server.
    case addServer(ServerPatch)
    /// Change a server; fields that are nil in the patch stay.
    case editServer(ServerID, ServerPatch)
    /// Remove a server, and also its devices if `cascading` is true.
    case removeServer(ServerID, cascading: Bool)
    /// Add a device.
    case addDevice(DevicePatch)
    /// Change a device; fields that are nil in the patch stay.
    case editDevice(DeviceID, DevicePatch)
    /// Remove a device.
    case removeDevice(DeviceID)
    /// Select a device; nil selects none.
    case selectDevice(DeviceID?)
    /// Add a pool.
    case addPool(PoolPatch)
    /// Change a pool; fields that are nil in the patch stay.
    case editPool(PoolID, PoolPatch)
    /// Remove a pool; its devices stay.
    case removePool(PoolID)
    /// Set the limits of a quantity for a device or a pool; nil removes them.
    case setLimits(LimitsOwner, Quantity, Limits?)
    /// Remove the limits of several quantities of a device or a pool, in one change.
    case clearLimits(LimitsOwner, [Quantity])
    /// Replace all own limits of a device or a pool, in one change.
    case replaceLimits(LimitsOwner, QuantityMap<Limits>)
    /// Set all limits of a device or a pool from a preset.
    case applyPreset(String, LimitsOwner)
    /// Add a calibration of a quantity of a device. `isForced` accepts a worn electrode; `dropsOldest` removes the
    /// oldest calibration if the series is full.
    case addCalibration(DeviceID, Quantity, Calibration, isForced: Bool, dropsOldest: Bool)
    /// Remove the calibration of a quantity that is valid from this time; the last one if it is nil.
    case removeCalibration(DeviceID, Quantity, validFrom: Timestamp?)
    /// Change how long the history is kept.
    case setHistory(HistorySettings)
    /// Set up the periodic export; nil turns it off.
    case setExport(ExportSettings?)
    /// Change the period and the format of the periodic export, which must be on; its folder stays.
    case changeExport(ExportSettings.Period, ExportSettings.Format)
    /// Resolve a conflict: restore the rejected value, or dismiss it.
    case settle(conflict: ConflictID, restoring: Bool)
    /// Import the configuration of another hub, or preview the import.
    case importConfiguration(ConfigurationImport)
}

extension HubEdit {
    /// Whether the page may send it on behalf of somebody.
    fileprivate var isForThePage: Bool {
        switch self {
        case .addServer(let patch): patch.isForThePage(isNew: true)
        case .editServer(_, let patch): patch.isForThePage(isNew: false)
        // A folder of the hub's machine is not for the page: it may only switch the export off, or change the rest.
        case .setExport(let settings): settings == nil
        case .removeServer, .addDevice, .editDevice, .removeDevice, .addPool, .editPool, .removePool, .replaceLimits,
            .addCalibration, .removeCalibration, .setHistory, .changeExport, .settle:
            true
        default: false
        }
    }
}

extension RecordPatch<Server> {
    /// Whether the page may send it: it names no file, and a patch that changes where or how the hub sends a password
    /// comes with one, so that the stored password is never sent there.
    fileprivate func isForThePage(isNew: Bool) -> Bool {
        fields.allSatisfy { $0.editor != nil } && (isNew || !changesAddress || self.password != nil)
    }
}

/// The owner of limits.
package enum LimitsOwner: Codable, Hashable, Sendable {
    /// One device.
    case device(DeviceID)
    /// A pool; its limits apply to its devices that have no own limits.
    case pool(PoolID)
}
