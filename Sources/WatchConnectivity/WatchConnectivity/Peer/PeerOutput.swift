package import SyncCore

extension PeerState {
    /// What a companion wants done, in this order.
    package enum Output: Hashable, Sendable {
        /// Make a record durable, then say so.
        case persist(Record)
        /// Hand a request to the engine, in this order; the answer comes by ``Input/engineAnswered(_:_:)``, except to
        /// `consumedItem`, `consumedFile` and `resultTaken`, which have none.
        case engine(EngineTag, EngineRequest)
        /// Copy a file that the app sends into the device's folder, durably, under a name that follows from the id, so
        /// that another copy for the same id replaces it.
        case copyFile(RandomID, path: String)
        /// The copy of a file is not needed any more.
        case releaseCopy(String)
        /// A file need not be held for its copying any more: its copy is recorded, or nobody wants it.
        case letGo(RandomID)
        /// Call the app, on the session's queue, with what ``PeerState/begin(_:at:)`` gives then, if it gives
        /// anything. There is one call at a time; the next follows its return.
        case call(DeliveryID)
        /// The answer to ``Input/updateContext(_:hasDelegate:)``; nil if it is accepted and durable.
        case answered(WCError.Code?)
        /// Start the app in the background: something waits for it (rules R39, R87, R105, R109, R134).
        case launchApp(LaunchReason)
        /// End the app's process, if that can be: it left a background task open (rule R135).
        case endApp
        /// Remove the phone's directory for this watch, or make it anew, empty (rule R32).
        case watchDirectory(exists: Bool)
        /// A line for the trace.
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

    /// A durable step: what is stored under these keys from now on, nil for nothing any more; all or none.
    package struct Record: Hashable, Sendable {
        /// The number of the record since the start, from 1.
        package var number: UInt64
        package var changes: [StoredChange]

        package init(number: UInt64, changes: [StoredChange]) {
            self.number = number
            self.changes = changes
        }
    }

    /// A value under a key; the keys are the companion's own affair.
    package struct StoredChange: Hashable, Sendable {
        package var key: String
        package var value: [UInt8]?

        package init(key: String, value: [UInt8]?) {
            self.key = key
            self.value = value
        }
    }
}
