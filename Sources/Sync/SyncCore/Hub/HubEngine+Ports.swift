extension HubEngine {
    /// What a hub is told at its start and never changes.
    public struct Configuration: Sendable {
        /// The application that the hub is a part of; watches of other ones are declined.
        public var app: AppName
        /// The application for whose a watch is taken that names none, as those of before there were names.
        public var unnamedApp: AppName
        /// Which cells watches see and may change, and the versions of the records.
        public var schema: Schema
        /// The time between two pings of a watch; 10 ms…1 h, 1 s by default.
        public var heartbeat: Duration
        /// The limits of user info, messages and files.
        public var transfers: TransferConfiguration
        /// Why the application does not take a value that a watch wrote, nil if it does; the same question must always
        /// have the same answer.
        public var objection: @Sendable (CellKey, String?) -> String?

        /// Creates a configuration; by default it takes watches that name no application, and all values.
        public init(
            app: AppName, unnamedApp: AppName? = nil, schema: Schema, heartbeat: Duration = .seconds(1),
            transfers: TransferConfiguration = TransferConfiguration(),
            objection: @escaping @Sendable (CellKey, String?) -> String? = { _, _ in nil }
        ) {
            self.app = app
            self.unnamedApp = unnamedApp ?? app
            self.schema = schema
            self.heartbeat = heartbeat
            self.transfers = transfers
            self.objection = objection
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
        /// A step of the transfers with a watch is durable.
        case recorded(PeerKey, TransferRecord)
        /// A step of the transfers with a watch could not be made durable; nothing of it remains.
        case recordFailed(PeerKey, TransferRecord, reason: String)
        /// The application wants cells changed, all or none; if `expected` is given, only at that version.
        case transact(RequestID, [CellChange], expected: Version?)
        /// The application wants a conflict settled: the value that lost put back, with all of its edit, or put aside.
        case settle(RequestID, conflict: RandomID, restoring: Bool)
        /// The application knows that the store was put back: a new epoch begins, unless one did since the start.
        case beginEpoch(RequestID)
        /// The application has a newer value of a register.
        case publish(Register)
        /// Something happened to the transfers with a watch: a wish of the application, or what became of an output.
        case transfer(PeerKey, TransferInput)
        /// The application wants to invite one watch, for a time, by a name of 1…64 bytes or by the name that it wants.
        case invite(RequestID, key: PeerKey, name: String?, validMilliseconds: Int64)
        /// The application wants a watch forgotten.
        case unpair(RequestID, PeerKey)
        /// The hub is about to end: what may wait for a record is to be stored now.
        case farewell
        /// A deadline has come, or may have.
        case timeReached
    }

    /// What a hub wants done, in this order.
    public enum Output: Hashable, Sendable {
        /// Send a frame; if the transport has no room it may be dropped, time repairs it.
        case send(Frame, ConnectionID)
        /// Make a transaction durable, then say so.
        case persist(Transaction)
        /// Make a step of the transfers with a watch durable, then say so; one after the other, and in the order of the
        /// transactions.
        case record(PeerKey, TransferRecord)
        /// Do something for the transfers with a watch, and say what became of it.
        case transfer(PeerKey, TransferOutput)
        /// Close a connection, and drop what waits for it.
        case close(ConnectionID)
        /// Let exactly these keys open connections.
        case admit([PeerKey])
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Tell the application what happened.
        case event(Event)
    }

    /// The application's name for a request.
    public typealias RequestID = SyncCore.RequestID

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
        /// The cells that watches see would take this many bytes, more than a snapshot has room for beside a full log of
        /// conflicts (``HubEngine/cellByteCountMax``).
        case snapshotTooLarge(byteCount: Int)
        /// Watches see the cell, so its value has at most ``Cell/valueByteCountMax`` bytes; ``Edit/valueByteCountMax`` if
        /// they may change it.
        case valueTooLarge(CellKey, byteCount: Int)
        /// No open conflict has this name.
        case unknownConflict(RandomID)
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
        /// Values lost against others, and are in the log of conflicts.
        case conflicted([Conflict])
        /// Uploads of a watch are durable and in effect, up to this number.
        case uploadsTaken(PeerKey, highest: UInt64)
        /// Uploads of a watch wait, because the log of conflicts, or the watch's half of it, has no room: settle some.
        /// The watch is told, too (``WatchEngine/uploadObstacle``).
        case conflictsFull(PeerKey)
        /// A watch's numbering contradicts what was taken in: it was put back, or exists twice.
        case uploadsContradicted(PeerKey)
        /// A watch's clock is too far ahead; its stamps were corrected.
        case clockSuspect(PeerKey)
        /// A watch knew a past that this hub has lost; a new epoch began.
        case forked(from: Version, to: Version)
        /// Two devices with one key take the session from each other.
        case duplicateWatch(PeerKey)
        /// A key's frames cost more than one watch may take of the hub: it is not heard for ten seconds.
        ///
        /// The name is empty where no watch is paired with the key.
        case cutOff(PeerKey, name: String)
        /// A message was dropped.
        case dropped(PeerKey, Drop)
        /// A register was not taken.
        case registerRefused(key: String, RegisterFault)
        /// The store failed for something that no application waits for, such as what a watch brings; it is tried again.
        /// Told at most once in 30 s.
        case notStored(String)
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
        /// The watch's numbering contradicts what was taken in.
        case contradicted
        /// The watch's frames cost more than one watch may take of the hub.
        case cutOff
    }

    /// Why a message was dropped.
    public enum Drop: Hashable, Sendable {
        /// It is no frame.
        case fault(FrameFault)
        /// It belongs to no session of this connection.
        case foreignSession
        /// Its kind does not go from a watch to a hub.
        case wrongDirection(FrameKind)
        /// The watch asks for sessions faster than it gets them.
        case tooManyGreetings
        /// Nobody looked at it: its sender is not heard for a while.
        case notHeard
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
        /// When it was last heard since the hub started.
        public var lastHeard: Instant?
        /// The newest version that it is known to hold.
        public var acknowledged: Version?
        /// The registers' values that wait or are on their way.
        public var backlogCount: Int
        /// The registers' values that it confirmed since the hub started.
        public var confirmedCount: UInt64
        /// The registers' values that gave way to newer ones before they were sent.
        public var supersededCount: UInt64
    }
}

extension HubEngine.Fault: CustomStringConvertible {
    /// What is wrong, and the way out.
    public var description: String {
        switch self {
        case .versionMoved(let version):
            "the configuration has changed meanwhile, to revision \(version.revision): look at it, and try again"
        case .reservedKind(let kind): "records of the kind \(kind) are the hub's own: choose another kind"
        case .badName(let name): "\(name.isEmpty ? "an empty text" : name) is no name here: names have 1 to 64 bytes"
        case .snapshotTooLarge(let byteCount):
            "the configuration would become too large for the watches, \(byteCount) bytes of "
                + "\(HubEngine.cellByteCountMax) at most: remove what is not needed, or shorten names"
        case .valueTooLarge(let key, let byteCount):
            "the value of \(key.kind)/\(key.group) has \(byteCount) bytes, more than watches can be sent: shorten it"
        case .unknownConflict: "there is no such open conflict: it was settled meanwhile"
        case .notStored(let reason): "it could not be stored, and was not changed: \(reason)"
        case .unknownWatch: "no watch with this key is paired: it was unpaired meanwhile"
        case .busy: "too many changes wait to be stored already: try again in a moment"
        }
    }
}

extension HubEngine.EndReason: CustomStringConvertible {
    /// The reason, in a clause.
    public var description: String {
        switch self {
        case .silent: "it fell silent"
        case .unroutable: "the connection is gone"
        case .farewell: "it said goodbye"
        case .takenOver: "a newer session of the same watch began"
        case .unpaired: "it was unpaired"
        case .contradicted: "it numbers its edits anew"
        case .cutOff: "it sent faulty frames, or more than one watch may"
        }
    }
}

extension HubEngine.RegisterFault: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .full: "the hub keeps \(RegisterTable.countMax) values for watches already"
        case .tooLarge: "it is larger than watches can be sent"
        }
    }
}
