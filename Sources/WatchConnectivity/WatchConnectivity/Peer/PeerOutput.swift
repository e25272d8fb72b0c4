package import SyncCore

extension PeerState {
    /// What the driver has to do for a peer, in this order.
    package enum Output: Hashable, Sendable {
        /// Make a record durable, then report it.
        case persist(Record)
        /// Send a request to the engine, in this order.
        ///
        /// The answer is ``Input/engineAnswered(_:_:)``, except for `consumedItem`, `consumedFile` and `resultTaken`,
        /// which have none.
        case engine(EngineTag, EngineRequest)
        /// Copy a file that the app sends into the device's folder, durably.
        ///
        /// The copy's name is derived from the id, so another copy for the same id replaces it.
        case copyFile(RandomID, path: String)
        /// Remove the copy of a file; it is no longer needed.
        case releaseCopy(String)
        /// Stop holding a file for its copy: the copy is recorded, or no longer needed.
        case releaseOriginal(RandomID)
        /// Call the app on the session's queue, with the result of ``PeerState/begin(_:at:)`` at that time, if there
        /// is one.
        ///
        /// There is one call at a time; the next one follows its return.
        case call(DeliveryID)
        /// The answer to ``Input/updateContext(_:hasDelegate:)``; nil if it is accepted and durable.
        case answered(WCError.Code?)
        /// Start the app in the background, because something waits for it.
        case launchApp(LaunchReason)
        /// Suspend the app, if that is possible: it was woken in the background, and has nothing left to do there.
        case suspendApp
        /// End the app's process, if that is possible: it left a background task open, or completed one twice.
        case endApp
        /// Create the phone's directory for this watch, empty, or remove it.
        case watchDirectory(exists: Bool)
        /// Write a line to the trace.
        case trace(TraceEvent)
    }

    /// Why an app is started or woken.
    package enum LaunchReason: String, Hashable, Sendable {
        case message
        case context
        case userInfo
        case complication
        case file
    }

    /// A durable step: the new values of some keys, nil to remove a key; all or none.
    package struct Record: Hashable, Sendable {
        /// The number of the record since the start, from 1.
        package var number: UInt64
        package var changes: [StoredChange]

        package init(number: UInt64, changes: [StoredChange]) {
            self.number = number
            self.changes = changes
        }
    }

    /// A value for a key; only the peer interprets the keys.
    package struct StoredChange: Hashable, Sendable {
        package var key: String
        package var value: [UInt8]?

        package init(key: String, value: [UInt8]?) {
            self.key = key
            self.value = value
        }
    }
}
