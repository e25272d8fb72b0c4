extension HubEngine {
    /// What a hub is told at its start and never changes.
    public struct Configuration: Hashable, Sendable {
        /// Which cells watches see, and the versions of the records.
        public var schema: Schema
        /// The time between two pings of a watch; 10 ms…1 h, 1 s by default.
        public var heartbeat: Duration

        /// Creates a configuration.
        public init(schema: Schema, heartbeat: Duration = .seconds(1)) {
            self.schema = schema
            self.heartbeat = heartbeat
        }
    }

    /// What happens to a hub.
    public enum Input: Hashable, Sendable {
        /// A message arrived on a connection whose peer the transport authenticated.
        case received(parts: [[UInt8]], connection: ConnectionID, peer: PeerKey)
        /// The transport no longer knows the connection.
        case unroutable(ConnectionID)
        /// A transaction that was put out is durable.
        case persisted(Transaction)
        /// A transaction that was put out could not be made durable; nothing of it remains.
        case persistFailed(Transaction, reason: String)
        /// The application wants cells changed, all or none; if `expected` is given, only at that version.
        case transact(RequestID, [CellChange], expected: Version?)
        /// The application has a newer value of a register.
        case publish(Register)
        /// The application wants to invite one watch, for a time, by a name of 1…64 bytes or by the name that it wants.
        case invite(RequestID, key: PeerKey, name: String?, validMilliseconds: Int64)
        /// The application wants a watch forgotten.
        case unpair(RequestID, PeerKey)
        /// A deadline has come, or may have.
        case timeReached
    }

    /// What a hub wants done, in this order.
    public enum Output: Hashable, Sendable {
        /// Send a frame; if the transport has no room it may be dropped, time repairs it.
        case send(Frame, ConnectionID)
        /// Make a transaction durable, then say so.
        case persist(Transaction)
        /// Let exactly these keys open connections.
        case admit([PeerKey])
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Tell the application what happened.
        case event(Event)
    }

    /// The application's name for a request.
    public struct RequestID: Hashable, Sendable {
        /// The number that the application chose.
        public let number: UInt64

        /// Creates a name.
        public init(number: UInt64) {
            self.number = number
        }
    }

    /// What became of a request.
    public enum Answer: Hashable, Sendable {
        /// It is durable, and this is the version now.
        case done(Version)
        /// It was declined, and nothing has changed.
        case refused(Fault)
    }

    /// Why a request was declined.
    public enum Fault: Error, Hashable, Sendable {
        /// The configuration has moved on to this version.
        case versionMoved(Version)
        /// The kind is reserved for the engine.
        case reservedKind(String)
        /// A name of a cell or of a watch is empty or longer than its limit.
        case badName(String)
        /// The snapshot for watches would take this many bytes, more than ``Snapshot/byteCountMax``.
        case snapshotTooLarge(byteCount: Int)
        /// The store could not keep it.
        case notStored(String)
        /// No watch has this key.
        case unknownWatch(PeerKey)
        /// Too many requests wait already; try again later.
        case busy
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// A watch opened a session, and frames go in both directions.
        case linked(PeerKey, name: String)
        /// The session of a linked watch ended.
        case unlinked(PeerKey, name: String, EndReason)
        /// A watch holds a version durably.
        case acknowledged(PeerKey, Version)
        /// A watch was paired.
        case paired(PairedWatch)
        /// A watch was declined.
        case refused(PeerKey, Refusal)
        /// The configuration has a new version.
        case committed(Version)
        /// A watch knew a past that this hub has lost; a new epoch began.
        case forked(from: Version, to: Version)
        /// Two devices with one key take the session from each other.
        case duplicateWatch(PeerKey)
        /// A message was dropped.
        case dropped(PeerKey, Drop)
        /// A register was not taken.
        case registerRefused(key: String, RegisterFault)
    }

    /// Why a session ended.
    public enum EndReason: Hashable, Sendable {
        /// The watch was silent for three heartbeats.
        case silent
        /// The transport lost the connection.
        case unroutable
        /// The watch said goodbye.
        case farewell
        /// A newer session of the same watch began.
        case takenOver
        /// The watch was unpaired.
        case unpaired
    }

    /// Why a message was dropped.
    public enum Drop: Hashable, Sendable {
        /// It is no frame.
        case fault(FrameFault)
        /// It belongs to no session of this connection.
        case foreignSession
        /// Its kind does not go from a watch to a hub.
        case wrongDirection(FrameKind)
    }

    /// Why a register was not taken.
    public enum RegisterFault: Hashable, Sendable {
        /// There is no room for another register.
        case full
        /// Its key or its value is over the limit.
        case tooLarge
    }

    /// What the hub knows of one watch.
    public struct WatchStatus: Hashable, Sendable {
        /// The watch.
        public var watch: PairedWatch
        /// Whether it has a session now through which frames go in both directions.
        public var isLinked: Bool
        /// When it was last heard in this life of the hub.
        public var lastHeard: Instant?
        /// The newest version that it is known to hold.
        public var acknowledged: Version?
        /// The registers' values that wait or are on their way.
        public var backlogCount: Int
        /// The registers' values that it confirmed in this life of the hub.
        public var confirmedCount: UInt64
        /// The registers' values that gave way to newer ones before they were sent.
        public var supersededCount: UInt64
    }
}
