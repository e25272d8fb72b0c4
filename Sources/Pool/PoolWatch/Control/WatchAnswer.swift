public import PoolModel

/// A request of a command to a watch, running or not.
public enum WatchRequest: Codable, Sendable {
    /// Rename a device, given by its name or the start of its id.
    case rename(String, to: String)
    /// Rename a pool, given by its name or the start of its id.
    case renamePool(String, to: String)
    /// Change a device's limits for a quantity.
    case limits(String, Quantity, LimitsDraft)
    /// Select a device; nil selects none.
    case select(String?)
    /// Settle a conflict, given by the start of its identifier: restore the value that lost, or dismiss the conflict.
    case settle(String, restoring: Bool)
    /// Acknowledge an open alert: its number in the list, its key, or the start of its episode.
    case acknowledge(String)
    /// Mute an open alert for this many seconds, 1…604800.
    case snooze(String, seconds: Int)
    /// Show the alerts.
    case alerts
    /// Show the received files that are kept.
    case files
    /// Remove a file, given by its number, its name or the start of its id.
    case removeFile(String)
    /// Show the edits and the conflicts.
    case report
    /// Show what a face shows of a device, given by its name or the start of its id, or of the one that the watch
    /// shows; with a patience, ask the hub first, waiting at most this many milliseconds.
    case glance(device: String?, clock: String, patience: Int?)
    /// Wait until the hub has received an edit, given by its id, for at most this many milliseconds.
    case deliver(String, patience: Int)
}

/// Changes to limits; nil values stay as they are.
public struct LimitsDraft: Codable, Hashable, Sendable {
    /// The lowest value that is not critical.
    public var criticalLow: Double?
    /// The lowest value that is normal.
    public var low: Double?
    /// The highest value that is normal.
    public var high: Double?
    /// The highest value that is not critical.
    public var criticalHigh: Double?
    /// Whether to use the standard limits; then the other values are ignored.
    public var isStandard = false

    /// Creates a draft without changes.
    public init() {}

    /// The limits with the draft applied.
    func applied(to limits: Limits) -> Limits {
        Limits(
            criticalLow: criticalLow ?? limits.criticalLow, low: low ?? limits.low, high: high ?? limits.high,
            criticalHigh: criticalHigh ?? limits.criticalHigh)
    }
}

/// The answer of a watch.
public enum WatchAnswer: Codable, Sendable {
    /// The edit is durable and shown here, and waits for the hub.
    case waiting(PendingEditSummary)
    /// Nothing to change: everything already has the requested value.
    case unchanged(String)
    /// The request was rejected and nothing has changed; the sentence says why, and what to do about it.
    case refused(String)
    /// The alerts.
    case alerts(WatchAlerts)
    /// The files that are kept, in the order of arrival.
    case files([ReceivedFile])
    /// The file was removed.
    case removedFile(ReceivedFile)
    /// The edits and the conflicts.
    case report(WatchReport)
    /// What a face shows.
    case glance(Glance)
    /// The state of an edit.
    case delivery(EditDelivery)
}

/// The edits of a watch and the open conflicts.
public struct WatchReport: Codable, Sendable {
    /// The name that the hub uses for the watch.
    public var name: String
    /// Whether a watch process is running.
    public var isRunning: Bool
    /// Whether the hub answers; nil if the watch does not run.
    public var isLinked: Bool?
    /// The revision of the configuration, nil before the first.
    public var revision: UInt64?
    /// The edits that wait for the hub, oldest first.
    public var pending: [PendingEditSummary]
    /// Why the hub does not accept these, in words; nil if there is no obstacle, or the watch does not run.
    public var uploadObstacle: String?
    /// The results of the last edits, oldest first; only edits since the start of a running watch.
    public var outcomes: [EditOutcomeSummary]
    /// The open conflicts, in the order of their identifiers.
    public var conflicts: [ConflictSummary]
}
