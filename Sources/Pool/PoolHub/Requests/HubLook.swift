public import PoolModel

/// What somebody who looks has seen already.
public struct LookRequest: Codable, Hashable, Sendable {
    /// The ``HubLook/change`` of the last look; nil to see everything in any case.
    public var after: UInt64?
    /// The number of the last event that was seen; 0 for none.
    public var eventsAfter: UInt64

    /// Creates a request.
    public init(after: UInt64? = nil, eventsAfter: UInt64 = 0) {
        self.after = after
        self.eventsAfter = eventsAfter
    }
}

/// Everything that screens show of a running hub, at one moment.
///
/// It is made from memory but for the counts of the history, which are up to a minute old.
public struct HubLook: Codable, Sendable {
    /// Now, by the hub's clock.
    public var now: Timestamp
    /// Grows with each change, save for what changes by itself with time.
    public var change: UInt64
    /// The hub as it is.
    public var report: HubReport
    /// The open alerts, with the last notices while any is open.
    public var alerts: AlertReport
    /// The events after the one that was seen last, oldest first, as far as they are kept.
    public var events: [EventSummary]
    /// The detection that runs or was the last one; nil before the first.
    public var detection: DetectionProgress?
}
