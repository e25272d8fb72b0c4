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

/// What a device tells, on any thread.
struct DeviceObserver: Sendable {
    /// A counterpart came, went or got its name.
    var counterpartsChanged: @Sendable () -> Void = {}
    /// An app that does not run, or is suspended, is to be started in the background.
    ///
    /// By default the app's process is this one, so that it only becomes awake.
    var launchApp: (@Sendable (PeerState.LaunchReason) -> Void)?
    /// A line of the trace.
    var trace: @Sendable (TraceEvent) -> Void = { _ in }

    init() {}
}
