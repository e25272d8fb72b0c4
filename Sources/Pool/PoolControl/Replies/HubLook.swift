package import PoolModel

/// Everything that screens show of a running hub, at one moment.
///
/// It is made from memory but for the counts of the history, which are up to a minute old.
package struct HubLook: Codable, Sendable {
    /// Now, by the hub's clock.
    package var now: Timestamp
    /// Grows with each change, save for what changes by itself with time.
    package var change: UInt64
    /// The hub as it is.
    package var report: HubReport
    /// The open alerts, with the last notices while any is open.
    package var alerts: AlertReport
    /// The events after the one that was seen last, oldest first, as far as they are kept.
    package var events: [EventSummary]
    /// The detection that runs or was the last one; nil before the first.
    package var detection: DetectionProgress?

    /// Creates a hub look.
    package init(
        now: Timestamp, change: UInt64, report: HubReport, alerts: AlertReport, events: [EventSummary],
        detection: DetectionProgress? = nil
    ) {
        self.now = now
        self.change = change
        self.report = report
        self.alerts = alerts
        self.events = events
        self.detection = detection
    }
}
