package import PoolModel

/// What a person can ask of a hub, running or at rest: things by identity, changes by patches.
///
/// The screens emit it, the command line sends it, and it is what goes over the control socket.
package enum HubCommand: Codable, Hashable, Sendable {
    /// Add a server.
    case addServer(ServerPatch)
    /// Change a server; what the patch leaves nil stays.
    case editServer(ServerID, ServerPatch)
    /// Remove a server; with its devices if `cascading`.
    case removeServer(ServerID, cascading: Bool)
    /// Try a server that is configured.
    case testServer(ServerID)
    /// Add a device.
    case addDevice(DevicePatch)
    /// Change a device; what the patch leaves nil stays.
    case editDevice(DeviceID, DevicePatch)
    /// Remove a device.
    case removeDevice(DeviceID)
    /// Select a device; nil selects none.
    case selectDevice(DeviceID?)
    /// Add a pool.
    case addPool(PoolPatch)
    /// Change a pool; what the patch leaves nil stays.
    case editPool(PoolID, PoolPatch)
    /// Remove a pool; its devices stay.
    case removePool(PoolID)
    /// Give a device or a pool other limits of a quantity; nil takes its own away.
    case setLimits(LimitsOwner, Quantity, Limits?)
    /// Take a device's or a pool's own limits of some quantities away, all in one change.
    case clearLimits(LimitsOwner, [Quantity])
    /// Give a device or a pool all limits of a preset.
    case applyPreset(String, LimitsOwner)
    /// Begin a calibration of a quantity of a device; `isForced` accepts a worn electrode, `dropsOldest` makes room in a
    /// full series.
    case addCalibration(DeviceID, Quantity, Calibration, isForced: Bool, dropsOldest: Bool)
    /// Remove the calibration of a quantity that begins at a moment; nil for the last one.
    case removeCalibration(DeviceID, Quantity, validFrom: Timestamp?)
    /// Keep the history for other times.
    case setHistory(HistorySettings)
    /// Export the history by itself, or not any more.
    case setExport(ExportSettings?)
    /// Invite a watch.
    case invite(name: String?, validForSeconds: Int64)
    /// Forget a watch, by name.
    case unpair(String)
    /// Settle a conflict, by its whole name: put back the value that lost, or put it aside.
    case settle(conflict: String, restoring: Bool)
    /// Show the last changes of the configuration, so many at most.
    case log(last: Int)
    /// Ask the history.
    case history(HistoryRequest)
    /// Ask the alerts.
    case alerts(AlertRequest)
    /// Detect devices.
    case detection(DetectionRequest)
    /// Compare the configuration of two revisions; nil for the present one.
    case diff(from: UInt64, to: UInt64?)
    /// Make the configuration what it was at a revision, by one more change.
    case restoreRevision(UInt64)
    /// Write the configuration and its secrets into a file for another hub, sealed.
    case exportConfiguration(ConfigurationExport)
    /// Take the configuration of another hub in, or say what that would change.
    case importConfiguration(ConfigurationImport)
    /// Copy the hub's state into a new folder of this absolute path.
    case backUp(String)
    /// Disturb the links to the watches on purpose, or ask how they are disturbed.
    case links(LinkRequest)
    /// Share a file with a watch, or ask what became of those that were shared.
    case share(ShareRequest)
    /// Connect to all servers anew (P63).
    case reconnect
    /// Look at everything that screens show.
    case look(LookRequest)
    /// Ask for the answer to a request that took long, by the number that the hub gave.
    case outcome(job: UInt64)
    /// Show the hub.
    case state
    /// Show what the hub's things are called: a state without values, counts and passwords, which also a hub gives whose
    /// history or passwords cannot be read.
    case names
}

/// Whose limits are meant.
package enum LimitsOwner: Codable, Hashable, Sendable {
    /// One device.
    case device(DeviceID)
    /// All devices of a pool that have none of their own.
    case pool(PoolID)
}
