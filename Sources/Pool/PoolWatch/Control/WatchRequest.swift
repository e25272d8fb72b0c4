public import PoolModel

/// What a command asks of a watch, running or at rest.
public enum WatchRequest: Codable, Sendable {
    /// Give a device another name; the device by its name or the start of its id.
    case rename(String, to: String)
    /// Give a pool another name; the pool by its name or the start of its id.
    case renamePool(String, to: String)
    /// Give a device other limits of a quantity.
    case limits(String, Quantity, LimitsDraft)
    /// Select a device; nil selects none.
    case select(String?)
    /// Settle a conflict, named by the beginning of its name: put back the value that lost, or put it aside.
    case settle(String, restoring: Bool)
    /// Acknowledge an open alert: its number in the list, its key, or the start of its episode.
    case acknowledge(String)
    /// Let an open alert be quiet for so many seconds, 1…604800.
    case snooze(String, seconds: Int)
    /// Show the alerts.
    case alerts
    /// Show the files that came here and are kept.
    case files
    /// Remove a file, by its number, its name or the start of its id.
    case removeFile(String)
    /// Show the edits and the conflicts.
    case report
    /// Show what a face shows: of a device, by its name or the start of its id, or of the one that the watch shows; with
    /// a patience, ask the hub first, for so many milliseconds at most.
    case glance(device: String?, clock: String, patience: Int?)
    /// Wait until the hub has an edit, named by its id, for so many milliseconds at most.
    case deliver(String, patience: Int)
}

/// What a person says of limits; what is nil stays as it is.
public struct LimitsDraft: Codable, Hashable, Sendable {
    /// The lowest value that is not critical.
    public var criticalLow: Double?
    /// The lowest value that is normal.
    public var low: Double?
    /// The highest value that is normal.
    public var high: Double?
    /// The highest value that is not critical.
    public var criticalHigh: Double?
    /// Whether the standard limits shall hold; then the others do not count.
    public var isStandard = false

    /// Creates a draft that says nothing.
    public init() {}

    /// The limits with what the draft says.
    func applied(to limits: Limits) -> Limits {
        Limits(
            criticalLow: criticalLow ?? limits.criticalLow, low: low ?? limits.low, high: high ?? limits.high,
            criticalHigh: criticalHigh ?? limits.criticalHigh)
    }
}

/// What a watch answers.
public enum WatchAnswer: Codable, Sendable {
    /// It is durable here and shown, and waits for the hub.
    case waiting(PendingEditSummary)
    /// Everything stands as it was wanted already.
    case unchanged(String)
    /// It was declined and nothing has changed; the sentence says why, and the way out.
    case refused(String)
    /// The alerts.
    case alerts(WatchAlerts)
    /// The files that are kept, in the order in which they came.
    case files([ReceivedFile])
    /// The file is not kept any more.
    case removedFile(ReceivedFile)
    /// The watch as it is.
    case report(WatchReport)
    /// What a face shows.
    case glance(Glance)
    /// What became of an edit.
    case delivery(EditDelivery)
}

/// The edits of a watch and the open conflicts.
public struct WatchReport: Codable, Sendable {
    /// The name by which the hub knows the watch.
    public var name: String
    /// Whether a watch process is running.
    public var isRunning: Bool
    /// Whether the hub answers; nil at rest.
    public var isLinked: Bool?
    /// The revision of the configuration, nil before the first.
    public var revision: UInt64?
    /// The edits that wait for the hub, oldest first.
    public var pending: [PendingEditSummary]
    /// Why the hub does not take these in, in words; nil if nothing keeps them, or at rest.
    public var uploadObstacle: String?
    /// What became of the last edits, oldest first; of those of this life of a running watch.
    public var outcomes: [EditOutcomeSummary]
    /// The open conflicts, in the order of their names.
    public var conflicts: [ConflictSummary]
}
