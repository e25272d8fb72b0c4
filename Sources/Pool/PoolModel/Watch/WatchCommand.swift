/// What a person can ask of a watch, running or not: things by identity.
///
/// The faces emit the edits, the command line sends all of them, and it is what goes over a watch's control socket.
public enum WatchCommand: Codable, Hashable, Sendable {
    /// Change something here, and then at the hub and on all watches.
    case edit(WatchEdit)
    /// Show the alerts.
    case alerts
    /// Show the received files that are kept.
    case files
    /// Remove a file, given by the identifier of its transfer: 32 hexadecimal digits.
    case removeFile(String)
    /// Show the configuration, the edits and the conflicts.
    case report
    /// Show what a face shows of a device, or of the one that the watch shows; with a patience, ask the hub first,
    /// waiting at most this many milliseconds.
    ///
    /// The device is given by its name or the start of its identity, because the watch may first have to wait for the
    /// configuration that has it.
    case glance(device: String?, clock: String, patience: Int?)
    /// Wait until the hub has received an edit, given by its id, for at most this many milliseconds.
    case deliver(String, patience: Int)
    /// Log a dose; it is durable here before it goes to the hub, which makes the watch its author.
    case dose(Dose)
    /// Wait until the hub has received a dose, for at most this many milliseconds.
    case deliverDose(DoseID, patience: Int)
}

/// A change that a person makes at a watch; it is durable there before it goes to the hub.
public enum WatchEdit: Codable, Hashable, Sendable {
    /// Give a device another name.
    case renameDevice(DeviceID, to: String)
    /// Give a pool another name.
    case renamePool(PoolID, to: String)
    /// Set the limits of a quantity of a device; nil removes the device's own limits.
    case setLimits(DeviceID, Quantity, Limits?)
    /// Select a device on the hub and on all watches; nil selects none.
    case select(DeviceID?)
    /// Settle a conflict: restore the value that lost, or dismiss the conflict.
    case settle(conflict: ConflictID, restoring: Bool)
    /// Acknowledge an open alert.
    case acknowledge(AlertEpisodeID)
    /// Snooze an open alert for this many seconds, 1…604800.
    case snooze(AlertEpisodeID, seconds: Int)
}
