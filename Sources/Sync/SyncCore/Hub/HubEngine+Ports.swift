extension HubEngine {
    /// What a hub gets at its start; it never changes.
    public struct Configuration: Sendable {
        /// The application that the hub is a part of.
        ///
        /// Watches of other applications are refused.
        public var app: AppName
        /// The application that is assumed for a watch that names none, as watches did before applications had names.
        public var unnamedApp: AppName
        /// Which cells watches see and may change, and the versions of the records.
        public var schema: Schema
        /// The time between two pings of a watch; 10 ms…1 h, 1 s by default.
        public var heartbeat: Duration
        /// The limits of user info, messages and files.
        public var transfers: TransferConfiguration
        /// Why the application does not accept a value that a watch wrote; nil if it accepts it.
        ///
        /// The function must be pure: the same arguments always give the same result.
        public var objection: @Sendable (CellKey, String?) -> String?

        /// Whether a watch may write a cell that ``schema`` lets watches write; true by default.
        ///
        /// It is asked when an edit is merged, so that what counts is what the watch may do then. An edit that it may not
        /// make changes nothing, and goes into the conflict log with ``Conflict/Rule/readOnly``.
        public var mayWrite: @Sendable (PeerKey, CellKey) -> Bool = { _, _ in true }

        /// Creates a configuration.
        ///
        /// By default it accepts watches that name no application, and all values.
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
        /// A message arrived on a connection whose peer the transport has authenticated.
        case received(parts: [[UInt8]], connection: ConnectionID, peer: PeerKey)
        /// The transport has lost the connection.
        case unroutable(ConnectionID)
        /// The transactions from one ``Output/persist(_:)`` are durable.
        case persisted([Transaction])
        /// The transactions from one ``Output/persist(_:)`` could not be made durable; nothing of them was stored.
        case persistFailed([Transaction], reason: String)
        /// A step of the transfers with a watch is durable.
        case recorded(PeerKey, TransferRecord)
        /// A step of the transfers with a watch could not be made durable; nothing of it remains.
        case recordFailed(PeerKey, TransferRecord, reason: String)
        /// The application wants cells changed, all or none; if `expected` is given, only if that is the current
        /// version.
        case transact(RequestID, [CellChange], expected: Version?)
        /// The application wants a conflict settled: the losing value restored together with its whole edit, or the
        /// conflict dismissed.
        case settle(RequestID, conflict: RandomID, restoring: Bool)
        /// The application knows that the store was restored from a backup: start a new epoch, unless one started
        /// since the hub started.
        case beginEpoch(RequestID)
        /// A request on behalf of somebody: ``transact(_:_:expected:)``, ``settle(_:conflict:restoring:)``,
        /// ``invite(_:key:name:validMilliseconds:)`` or ``unpair(_:_:)``, whose transaction names its author.
        ///
        /// Any other input is handled as if no author were named.
        indirect case authored(by: String, Input)
        /// The application has a newer value of a register.
        case publish(Register)
        /// Something happened to the transfers with a watch: a request of the application, or the result of an
        /// output.
        case transfer(PeerKey, TransferInput)
        /// The application wants to invite one watch for a limited time.
        ///
        /// `name` has 1…64 bytes; nil uses the name that the watch asks for.
        case invite(RequestID, key: PeerKey, name: String?, validMilliseconds: Int64)
        /// The application wants to remove a watch.
        case unpair(RequestID, PeerKey)
        /// The hub is about to stop: store now what was waiting for a later record.
        case farewell
        /// A deadline has passed, or may have.
        case timeReached
    }

    /// What the driver has to do for a hub, in this order.
    public enum Output: Hashable, Sendable {
        /// Send a frame.
        ///
        /// The transport may drop it when it has no room; the engine sends what is missing again later.
        case send(Frame, ConnectionID)
        /// Make a group of 1…``HubEngine/groupCountMax`` transactions durable in one step, all or none, then report
        /// ``Input/persisted(_:)`` or ``Input/persistFailed(_:reason:)`` once for all of them.
        ///
        /// Each transaction is for the version that results from the one before it.
        case persist([Transaction])
        /// Make a step of the transfers with a watch durable, then report it.
        ///
        /// Do this one at a time, and in order with the transactions.
        case record(PeerKey, TransferRecord)
        /// Carry out an output of the transfers with a watch, and report the result.
        case transfer(PeerKey, TransferOutput)
        /// Close a connection, and drop the frames that wait for it.
        case close(ConnectionID)
        /// Allow exactly these keys to open connections.
        case admit([PeerKey])
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Notify the application.
        case event(Event)
    }

    /// The application's identifier of a request.
    public typealias RequestID = SyncCore.RequestID

    /// The result of a request.
    public enum Answer: Hashable, Sendable {
        /// The request is durable; this is the version that results from it.
        case done(Version)
        /// The request was refused; nothing has changed.
        case refused(RequestError)
    }

    /// Why a request was refused.
    public enum RequestError: Error, Hashable, Sendable {
        /// The configuration already has this newer version.
        case versionMoved(Version)
        /// The kind is reserved for the engine.
        case reservedKind(String)
        /// A name of a cell or of a watch is empty or longer than its limit.
        case badName(String)
        /// The cells that watches see would take this many bytes: more than ``HubEngine/cellByteCountMax``, which
        /// leaves room in a snapshot for a full conflict log.
        case snapshotTooLarge(byteCount: Int)
        /// The value is too long for a cell that watches see: at most ``Cell/valueByteCountMax`` bytes, or
        /// ``Edit/valueByteCountMax`` if watches may change the cell.
        case valueTooLarge(CellKey, byteCount: Int)
        /// No open conflict has this identifier.
        case unknownConflict(RandomID)
        /// The store could not write it, for this reason.
        case notStored(String)
        /// No watch has this key.
        case unknownWatch(PeerKey)
        /// Too many requests wait already; try again later.
        case busy
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// A watch opened a session, and frames pass in both directions.
        case linked(PeerKey, name: String)
        /// The session of a linked watch ended.
        case unlinked(PeerKey, name: String, EndReason)
        /// A watch holds a version durably.
        case acknowledged(PeerKey, Version)
        /// A watch was paired.
        case paired(PairedWatch)
        /// A watch was refused.
        case refused(PeerKey, Refusal)
        /// The configuration has a new version.
        case committed(Version)
        /// Values lost against others, and are now in the conflict log.
        case conflicted([Conflict])
        /// Uploads of a watch are durable and in effect, up to this number.
        case uploadsTaken(PeerKey, highest: UInt64)
        /// Uploads of a watch wait, because the conflict log, or the half of it that one watch may fill, is full.
        ///
        /// They go on when conflicts are settled. The watch is notified, too (``WatchEngine/uploadObstacle``).
        case conflictsFull(PeerKey)
        /// A watch's numbering contradicts what the hub has taken in: its store was restored from a backup, or
        /// cloned.
        case uploadsContradicted(PeerKey)
        /// A watch's clock is too far ahead; the hub corrected its stamps.
        case clockSuspect(PeerKey)
        /// A watch knows a part of the history that this hub has lost; the hub started a new epoch.
        case forked(from: Version, to: Version)
        /// Two devices with the same key take the session from each other.
        case duplicateWatch(PeerKey)
        /// The frames of a key cost the hub more than its budget allows; the hub ignores the key for ten seconds.
        ///
        /// The name is empty if no watch is paired with the key.
        case cutOff(PeerKey, name: String)
        /// A message was dropped.
        case dropped(PeerKey, Drop)
        /// A register was not accepted.
        case registerRefused(key: String, RegisterProblem)
        /// The store failed for something that no application request waits for, such as an upload.
        ///
        /// The hub tries again. It reports this at most once in 30 s.
        case notStored(String)
    }

    /// Why a session ended.
    public enum EndReason: Hashable, Sendable {
        /// The hub received nothing from the watch for three heartbeats.
        case silent
        /// The transport lost the connection.
        case unroutable
        /// The watch sent BYE.
        case farewell
        /// A newer session of the same watch began.
        case takenOver
        /// The watch was unpaired.
        case unpaired
        /// The watch's numbering contradicts what the hub has taken in.
        case contradicted
        /// The watch's frames cost the hub more than its budget allows.
        case cutOff
    }

    /// Why a message was dropped.
    public enum Drop: Hashable, Sendable {
        /// It is not a valid frame.
        case fault(FrameError)
        /// It belongs to no session of this connection.
        case foreignSession
        /// Its kind does not go from a watch to a hub.
        case wrongDirection(FrameKind)
        /// The watch asks for sessions faster than the hub opens them.
        case tooManyGreetings
        /// The hub did not read it, because it ignores the sender for a while.
        case notHeard
    }

    /// Why a register was not accepted.
    public enum RegisterProblem: Hashable, Sendable {
        /// There is no room for another register.
        case full
        /// Its key or its value exceeds the limit.
        case tooLarge
    }

    /// What the hub knows of one watch.
    public struct WatchStatus: Hashable, Sendable {
        /// The watch.
        public var watch: PairedWatch
        /// Whether it has a session now in which frames pass in both directions.
        public var isLinked: Bool
        /// When the hub last received something from it since the hub started.
        public var lastHeard: Instant?
        /// The newest version that it has acknowledged.
        public var acknowledged: Version?
        /// The number of register values that wait for it or are on their way.
        public var backlogCount: Int
        /// The number of register values that it confirmed since the hub started.
        public var confirmedCount: UInt64
        /// The number of register values that a newer one replaced before they were sent.
        public var supersededCount: UInt64
    }
}

extension HubEngine.RequestError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .versionMoved(let version):
            "the configuration has changed to revision \(version.revision): check it and try again"
        case .reservedKind(let kind): "records of the kind \(kind) are the hub's own: choose another kind"
        case .badName(let name):
            "\(name.isEmpty ? "an empty text" : name) is not a valid name: names have 1 to 64 bytes"
        case .snapshotTooLarge(let byteCount):
            "the configuration would become too large for the watches, \(byteCount) bytes of "
                + "\(HubEngine.cellByteCountMax) at most: remove what is not needed, or shorten names"
        case .valueTooLarge(let key, let byteCount):
            "the value of \(key.kind)/\(key.group) has \(byteCount) bytes, more than watches can be sent: shorten it"
        case .unknownConflict: "there is no such open conflict: it has been settled"
        case .notStored(let reason): "it could not be stored, and was not changed: \(reason)"
        case .unknownWatch: "no watch with this key is paired: it has been unpaired"
        case .busy: "too many changes wait to be stored already: try again in a moment"
        }
    }
}

extension HubEngine.EndReason: CustomStringConvertible {
    /// The reason, as a clause.
    public var description: String {
        switch self {
        case .silent: "it fell silent"
        case .unroutable: "the connection is gone"
        case .farewell: "it said goodbye"
        case .takenOver: "a newer session of the same watch began"
        case .unpaired: "it was unpaired"
        case .contradicted: "it renumbers its edits"
        case .cutOff: "it sent faulty frames, or more than one watch may"
        }
    }
}

extension HubEngine.RegisterProblem: CustomStringConvertible {
    /// The reason, as a clause.
    public var description: String {
        switch self {
        case .full: "the hub keeps \(RegisterTable.countMax) values for watches already"
        case .tooLarge: "it is larger than watches can be sent"
        }
    }
}
