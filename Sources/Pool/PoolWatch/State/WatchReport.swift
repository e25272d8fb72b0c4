public import PoolModel

/// What a watch shows of the configuration, its edits and the open conflicts.
public struct WatchReport: Codable, Sendable {
    /// The name that the hub uses for the watch.
    public var name: String
    /// Whether a watch process is running.
    public var isRunning: Bool
    /// Whether the hub answers; nil if the watch does not run.
    public var isLinked: Bool?
    /// The revision of the configuration, nil before the first.
    public var revision: UInt64?
    /// The configuration as the watch shows it; empty before the first.
    public var configuration: WatchConfiguration
    /// The edits that wait for the hub, oldest first.
    public var pending: [PendingEditSummary]
    /// Why the hub does not accept these, in words; nil if there is no obstacle, or the watch does not run.
    public var uploadObstacle: String?
    /// The results of the last edits, oldest first; only edits since the start of a running watch.
    public var outcomes: [EditOutcomeSummary]
    /// The open conflicts, in the order of their identifiers.
    public var conflicts: [ConflictSummary]

    /// Why nothing can be changed before the first configuration.
    public static let noConfiguration =
        "The hub's configuration has not arrived here yet: there is nothing to change."
}
