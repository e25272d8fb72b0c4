public import PoolModel

/// What a person wants of a watch; the code that runs the watch does it, and tells what came of it in ``WatchFacts``.
public enum WatchIntent: Equatable, Sendable {
    /// Look at a device on this watch only.
    case look(DeviceID)
    /// Select a device, here and everywhere.
    case select(DeviceID)
    /// Say that an alert was seen.
    case acknowledge(AlertEpisodeID)
    /// Let an alert be quiet for so many seconds.
    case snooze(AlertEpisodeID, seconds: Int)
    /// Ask the hub for what is newest of the shown device, and say what came.
    case refresh
    /// Ask the hub what does not alert, without a word to the person.
    case learnAlerting
    /// Let a quantity alert, or let it not.
    case setAlerting(Quantity, isOn: Bool)
    /// Give a device other limits of a quantity; nil for those that it has without any of its own.
    case setLimits(DeviceID, Quantity, Limits?)
    /// Give a device another name.
    case renameDevice(DeviceID, to: String)
    /// Give a pool another name.
    case renamePool(PoolID, to: String)
    /// Settle a conflict: take the value back that is not shown, or let it be.
    case settle(conflict: String, restoring: Bool)
    /// Ask the hub for a course, unless a fresh one is there.
    case loadChart(ChartQuery)
}
