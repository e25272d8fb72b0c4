#if Processes
    import Dispatch
    import SyncCore

    /// A device's end of the link: a phone's for many watches, or a watch's for one phone.
    protocol DeviceLink: AnyObject, Sendable {
        /// Starts looking for counterparts; returns at once.
        func start()
        /// Sends BYE and ends; returns when that is done, or after the time limit.
        func stop(atMost patience: DispatchTimeInterval)
        /// Removes a counterpart and what is queued for it.
        func unpair(_ counterpart: Peer) async throws
        /// The records that the device shares with its counterparts.
        var records: LinkRecords { get }
    }

    /// Notifications of a device, on any thread.
    struct DeviceObserver: Sendable {
        /// A counterpart was added, removed or renamed.
        var counterpartsChanged: @Sendable () -> Void = {}
        /// An app that does not run, or is suspended, should be started in the background.
        ///
        /// By default the app's process is this one, so the app is only woken.
        var launchApp: (@Sendable (PeerState.LaunchReason) -> Void)?
        /// The app that was woken in the background has nothing left to do there.
        var suspendApp: @Sendable () -> Void = {}
        /// The next watch of a phone should be the active one.
        var switchWatch: @Sendable () -> Void = {}
        /// The shared records may have changed.
        var recordsChanged: @Sendable () -> Void = {}
        /// A line of the trace.
        var trace: @Sendable (TraceEvent) -> Void = { _ in }

        init() {}
    }
#endif
