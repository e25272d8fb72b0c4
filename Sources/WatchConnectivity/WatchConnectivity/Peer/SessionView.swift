package import SyncCore

/// The app's view of its session between two calls.
///
/// Comparing two views is cheap, because unchanged parts are shared.
package struct SessionView: Hashable, Sendable {
    /// The number of ended app processes since the start; a session's objects of a process end with it.
    package var endedProcessCount: UInt64 = 0
    package var activationState = WCSessionActivationState.notActivated
    package var hasContentPending = false
    package var isPaired = false
    /// Whether the counterpart has its app; on a watch the same as ``isCompanionAppInstalled``.
    package var isWatchAppInstalled = false
    package var isComplicationEnabled = false
    package var remainingComplicationUserInfoTransfers = 0
    /// Whether there is a directory for the watch.
    package var hasWatchDirectory = false
    /// Whether the counterpart has its app; on a phone the same as ``isWatchAppInstalled``.
    package var isCompanionAppInstalled = false
    package var isReachable = false
    package var iOSDeviceNeedsUnlockAfterRebootForReachability = false
    /// The encoded contexts; nil for none.
    package var applicationContext: [UInt8]?
    package var receivedApplicationContext: [UInt8]?

    package init() {}
}

extension PeerState {
    /// Whether content arrived that the app has not received yet.
    var hasContentPending: Bool { contexts.waitingCount > 0 || infoInbox.hasArrived || fileInbox.hasArrived }

    /// The app's present view; while the session is not active, nearly empty.
    package var view: SessionView {
        var view = SessionView()
        view.endedProcessCount = endedProcessCount
        view.activationState = core.activation
        guard core.activation != .notActivated else { return view }
        let facts = core.facts
        view.hasContentPending = hasContentPending
        view.isPaired = facts.isPaired
        view.isWatchAppInstalled = facts.isCounterpartInstalled
        view.isCompanionAppInstalled = facts.isCounterpartInstalled
        view.isComplicationEnabled = facts.isComplicationEnabled
        view.remainingComplicationUserInfoTransfers = infos.budget.remaining(core)
        view.hasWatchDirectory = core.role == .phone && facts.isCounterpartInstalled
        view.isReachable = facts.isReachable && core.activation == .activated
        view.iOSDeviceNeedsUnlockAfterRebootForReachability =
            core.role == .watch && core.device.counterpartNow?.isLocked == true
        view.applicationContext = contexts.own?.payload
        view.receivedApplicationContext = contexts.shown
        return view
    }

    /// The user info that is not received, failed or cancelled yet, oldest first.
    package var outstandingUserInfo: [OutstandingUserInfo] {
        core.activation == .notActivated ? [] : infos.outstanding
    }

    /// The files that are not received, failed or cancelled yet, oldest first.
    package var outstandingFiles: [OutstandingFile] {
        core.activation == .notActivated ? [] : files.outstanding
    }

    /// One of the outstanding user info entries, nil if it is not outstanding any more.
    package func userInfo(_ id: RandomID) -> OutstandingUserInfo? {
        core.activation == .notActivated ? nil : infos.outstanding(id)
    }

    /// One of the outstanding files, nil if it is not outstanding any more.
    package func file(_ id: RandomID) -> OutstandingFile? {
        core.activation == .notActivated ? nil : files.outstanding(id)
    }

    /// The names of the copies in use; any other copy of this pairing is left from a crash.
    package var copies: Set<String> { Set(files.transfers.all.compactMap(\.entry.copy?.file)) }

    /// The files that still have to be copied; any other held file is left from a crash.
    package var filesToCopy: Set<RandomID> {
        Set(files.transfers.all.filter { $0.entry.stage == .copying }.map(\.entry.id))
    }

    /// User info that is not received, failed or cancelled yet.
    package struct OutstandingUserInfo: Hashable, Sendable {
        package var id: RandomID
        package var payload: [UInt8]
        /// Whether it is the newest complication user info.
        package var isCurrentComplicationInfo: Bool

        package init(id: RandomID, payload: [UInt8], isCurrentComplicationInfo: Bool) {
            self.id = id
            self.payload = payload
            self.isCurrentComplicationInfo = isCurrentComplicationInfo
        }
    }

    /// A file that is not received, failed or cancelled yet.
    package struct OutstandingFile: Hashable, Sendable {
        package var id: RandomID
        /// The path that the app gave.
        package var path: String
        package var metadata: [UInt8]?
        package var sentByteCount: UInt64
        /// The size of the file in bytes; nil until it is copied.
        package var byteCount: UInt64?

        package init(
            id: RandomID, path: String, metadata: [UInt8]?, sentByteCount: UInt64 = 0, byteCount: UInt64? = nil
        ) {
            self.id = id
            self.path = path
            self.metadata = metadata
            self.sentByteCount = sentByteCount
            self.byteCount = byteCount
        }
    }
}
