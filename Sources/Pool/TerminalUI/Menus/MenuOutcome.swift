public import PoolModel

/// A person's command to a watch.
///
/// The code that runs the watch carries it out, and reports the result in ``WatchFacts``.
public enum WatchIntent: Equatable, Sendable {
    /// Show a device on this watch only.
    case look(DeviceID)
    /// Select a device on all devices.
    case select(DeviceID)
    /// Acknowledge an alert.
    case acknowledge(AlertEpisodeID)
    /// Snooze an alert for a number of seconds.
    case snooze(AlertEpisodeID, seconds: Int)
    /// Ask the hub for the newest values of the shown device, and report the answer.
    case refresh
    /// Ask the hub which quantities do not alert, without a remark to the person.
    case learnAlerting
    /// Switch the alerts of a quantity on or off.
    case setAlerting(Quantity, isOn: Bool)
    /// Set the limits of a quantity of a device; nil to remove the device's own limits.
    case setLimits(DeviceID, Quantity, Limits?)
    /// Give a device another name.
    case renameDevice(DeviceID, to: String)
    /// Give a pool another name.
    case renamePool(PoolID, to: String)
    /// Settle a conflict: restore the value that lost, or dismiss the conflict.
    case settle(conflict: String, restoring: Bool)
    /// Ask the hub for the data of a chart, unless it is there and fresh.
    case loadChart(ChartQuery)
}
