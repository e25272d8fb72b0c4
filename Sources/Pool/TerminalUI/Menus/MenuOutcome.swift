public import PoolModel

/// What a key or a click at a watch's face leads to.
///
/// The code that runs the watch carries it out, and reports the result in ``WatchFacts``.
public enum MenuOutcome: Equatable, Sendable {
    /// Change something on the watch.
    case edit(WatchEdit)
    /// Show a device on this watch only.
    case look(DeviceID)
    /// Ask the hub for the newest values of the shown device, and report the answer.
    case refresh
    /// Ask the hub which quantities do not alert, without a remark to the person.
    case learnAlerting
    /// Switch the alerts of a quantity on or off.
    case setAlerting(Quantity, isOn: Bool)
    /// Ask the hub for the data of a chart, unless it is there and fresh.
    case loadChart(ChartQuery)
}
