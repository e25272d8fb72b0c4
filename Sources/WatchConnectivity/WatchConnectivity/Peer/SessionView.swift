package import SyncCore

/// What an app sees of its session between two calls.
///
/// Cheap to compare: what is not changed is shared.
package struct SessionView: Hashable, Sendable {
    /// How often the app's process ended since the start; what a session keeps of a process ends with it.
    package var endedProcessCount: UInt64 = 0
    package var activationState = WCSessionActivationState.notActivated
    package var hasContentPending = false
    package var isPaired = false
    /// Whether the counterpart has its app; on a watch the same as ``isCompanionAppInstalled`` (trap T4).
    package var isWatchAppInstalled = false
    package var isComplicationEnabled = false
    package var remainingComplicationUserInfoTransfers = 0
    /// Whether there is a directory for the watch.
    package var hasWatchDirectory = false
    /// Whether the counterpart has its app; on a phone the same as ``isWatchAppInstalled`` (trap T4).
    package var isCompanionAppInstalled = false
    package var isReachable = false
    package var iOSDeviceNeedsUnlockAfterRebootForReachability = false
    /// The encoded contexts; nil for none.
    package var applicationContext: [UInt8]?
    package var receivedApplicationContext: [UInt8]?

    package init() {}
}

extension PeerState {
    /// User info that is not received, failed or cancelled yet.
    package struct OutstandingUserInfo: Hashable, Sendable {
        package var id: RandomID
        package var payload: [UInt8]
        /// Whether it is the newest complication user info (rule R111).
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
        /// The bytes of the file, nil until it is copied.
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
