import Dispatch
import SyncCore

/// What runs a device's end of the link: a phone's for many watches, or a watch's for one phone.
protocol DeviceLink: AnyObject, Sendable {
    /// Begins to look for counterparts; returns at once.
    func start()
    /// Says goodbye and ends; returns when it has, or after a time.
    func stop(atMost patience: DispatchTimeInterval)
    /// Forgets a counterpart, and what is queued for it (rule R157).
    func unpair(_ counterpart: Peer) async throws
}

/// What a link tells its device.
struct DeviceEvents: Sendable {
    /// A counterpart was paired, or is no longer, or got its name.
    var counterpartsChanged: @Sendable () -> Void
    /// A line of the trace.
    var trace: @Sendable (TraceEvent) -> Void
}
