extension WatchEngine {
    /// What a watch gets at its start; it never changes.
    public struct Configuration: Hashable, Sendable {
        /// The name that the watch asks for; at most 256 bytes.
        public var name: String
        /// The application that the watch is a part of; nil to name none, as watches did before applications had
        /// names.
        public var app: AppName?
        /// The record versions that the watch can read.
        public var schemaVersions: ClosedRange<UInt32>
        /// The number of register values that the watch accepts before the hub must wait for credit; 1…1024, 64 by
        /// default.
        public var window: UInt32
        /// The node of the watch's stamps (``PeerKey/node``), which decides between two edits of the same moment.
        public var node: UInt64
        /// The limits of user info, messages and files.
        public var transfers: TransferConfiguration
        /// Whether the hub may send what has changed in place of a whole snapshot; true by default.
        public var takesDeltas: Bool
        /// Whether the hub may send several register values in one frame; true by default.
        public var takesRegisters: Bool

        /// Creates a configuration.
        public init(
            name: String, app: AppName?, schemaVersions: ClosedRange<UInt32>, window: UInt32 = 64, node: UInt64 = 1,
            transfers: TransferConfiguration = TransferConfiguration(), takesDeltas: Bool = true,
            takesRegisters: Bool = true
        ) {
            self.takesDeltas = takesDeltas
            self.takesRegisters = takesRegisters
            self.transfers = transfers
            self.node = node
            self.name = name
            self.app = app
            self.schemaVersions = schemaVersions
            self.window = window
        }
    }

    /// Everything that a watch remembers: what a store loads when a watch starts.
    public struct State: Hashable, Sendable {
        /// The configuration: the last snapshot, and the person's changes since then.
        public var replica: ReplicaState
        /// The registers by key.
        public var registers: SortedMap<String, HeldRegister>
        /// User info and files.
        public var transfers: TransferState

        /// Creates the state of a store.
        public init(
            replica: ReplicaState, registers: SortedMap<String, HeldRegister> = SortedMap(),
            transfers: TransferState = TransferState()
        ) {
            self.transfers = transfers
            self.replica = replica
            self.registers = registers
        }

        /// Creates the state of a watch that never ran.
        ///
        /// - Parameter incarnation: 128 random bits, the name of its first numbering of uploads.
        public init(newIncarnation incarnation: RandomID) {
            self.init(replica: ReplicaState(incarnation: incarnation))
        }
    }

    /// Something to make durable.
    public enum Record: Hashable, Sendable {
        /// A step of the configuration.
        case replica(ReplicaRecord)
        /// Registers, each of which replaces its older value.
        case registers([HeldRegister], EpochFence)
        /// A step of the transfers.
        case transfer(TransferRecord)
    }

    /// What happens to a watch.
    public enum Input: Hashable, Sendable {
        /// The transport has an encrypted connection to the hub.
        case connected
        /// The transport lost its connection.
        case disconnected
        /// A message arrived.
        case received(parts: [[UInt8]])
        /// A record from ``Output/persist(_:)`` is durable.
        case persisted(Record)
        /// A record from ``Output/persist(_:)`` could not be made durable.
        case persistFailed(Record, reason: String)
        /// The person wants cells changed, all or none.
        case edit(RequestID, [CellChange])
        /// The person wants a conflict settled: the losing value restored together with its whole edit, or the
        /// conflict dismissed.
        case settle(RequestID, conflict: RandomID, restoring: Bool)
        /// Something happened to the transfers: a request of the application, or the result of an output.
        case transfer(TransferInput)
        /// The person wants an immediate new attempt to connect.
        case retry
        /// The process is about to stop: send BYE and store what waits.
        case farewell
        /// A deadline has passed, or may have.
        case timeReached
    }

    /// What the driver has to do for a watch, in this order.
    public enum Output: Hashable, Sendable {
        /// Send a frame.
        ///
        /// The transport may drop it when it has no room; the engine sends what is missing again later.
        case send(Frame)
        /// Close the connection and open another.
        case reconnect
        /// Make a record durable, then report ``Input/persisted(_:)`` or ``Input/persistFailed(_:reason:)``.
        case persist(Record)
        /// Carry out an output of the transfers, and report the result.
        case transfer(TransferOutput)
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Notify the application.
        case event(Event)
    }

    /// The result of a request.
    public enum Answer: Hashable, Sendable {
        /// The edit is durable and shown; it will be sent to the hub.
        case accepted(Edit)
        /// The cells already have the requested values.
        case unchanged
        /// The request was refused; nothing has changed.
        case refused(EditError)
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// The state of the link changed.
        case linkChanged(Link)
        /// A newer snapshot is durable and shown.
        case snapshotChanged(Snapshot)
        /// The hub has confirmed edits of this watch, with the snapshot that shows their effect.
        case editsConfirmed([ConfirmedEdit])
        /// A register has a newer value.
        case registerChanged(Register)
        /// The hub is back on an epoch that this watch has left before.
        case hubForked(Epoch)
        /// A message was dropped.
        case dropped(Drop)
        /// A record could not be stored; the watch tries again.
        case notStored(String)
    }

    /// The state of the link, as the watch knows it.
    public enum Link: Hashable, Sendable {
        /// The hub has not answered yet since the watch started.
        case waiting
        /// The hub answers.
        case linked
        /// The hub no longer answers; this was its last answer.
        case lost(lastAnswer: Instant)
        /// The hub refused the session.
        case refused(Refusal)
    }

    /// Why a message was dropped.
    public enum Drop: Hashable, Sendable {
        /// It is not a valid frame.
        case fault(FrameError)
        /// It belongs to another session.
        case foreignSession
        /// Its kind does not go from a hub to a watch.
        case wrongDirection(FrameKind)
        /// It is a duplicate, or older than what the watch holds.
        case old(FrameKind)
        /// It is a delta of a snapshot that the watch does not hold; the hub sends a whole one soon.
        case foreignBase
    }

    /// The hub's wall clock at the moment when the watch received it.
    public struct HubTime: Hashable, Sendable {
        /// The milliseconds since 1970 in UTC.
        public var milliseconds: Int64
        /// When the watch received it, on the watch's monotonic clock.
        public var at: Instant

        /// The hub's wall clock at a later moment.
        ///
        /// It is extrapolated with the watch's monotonic clock, so a jump of the watch's own wall clock does not
        /// matter.
        public func milliseconds(at now: Instant) -> Int64 {
            milliseconds &+ at.duration(to: now).wholeNanoseconds / 1_000_000
        }
    }
}
