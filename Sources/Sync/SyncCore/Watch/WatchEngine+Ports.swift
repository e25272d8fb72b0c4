extension WatchEngine {
    /// What a watch is told at its start and never changes.
    public struct Configuration: Hashable, Sendable {
        /// The name that the watch would like to be called; at most 256 bytes.
        public var name: String
        /// The application that the watch is a part of; nil to name none, as watches did before there were names.
        public var app: AppName?
        /// The versions of the records that the watch reads.
        public var schemaVersions: ClosedRange<UInt32>
        /// The live frames that the watch takes before the hub must wait for credit; 1…1024, 64 by default.
        public var window: UInt32
        /// The node of the watch's stamps (``PeerKey/node``), which decides between two edits of the same moment.
        public var node: UInt64
        /// The limits of user info, messages and files.
        public var transfers: TransferConfiguration

        /// Creates a configuration.
        public init(
            name: String, app: AppName?, schemaVersions: ClosedRange<UInt32>, window: UInt32 = 64, node: UInt64 = 1,
            transfers: TransferConfiguration = TransferConfiguration()
        ) {
            self.transfers = transfers
            self.node = node
            self.name = name
            self.app = app
            self.schemaVersions = schemaVersions
            self.window = window
        }
    }

    /// All that a watch remembers: what a store loads when a watch starts.
    public struct State: Hashable, Sendable {
        /// The configuration: the last snapshot, and what the person has changed since.
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
        /// Registers, each in place of its value before.
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
        /// A record that was put out is durable.
        case persisted(Record)
        /// A record that was put out could not be made durable.
        case persistFailed(Record, reason: String)
        /// The person wants cells changed, all or none.
        case edit(RequestID, [CellChange])
        /// The person wants a conflict settled: the value that lost put back, with all of its edit, or put aside.
        case settle(RequestID, conflict: RandomID, restoring: Bool)
        /// Something happened to the transfers: a wish of the application, or what became of an output.
        case transfer(TransferInput)
        /// The person wants the link tried again now.
        case retry
        /// The process is about to end: say goodbye and write what waits.
        case farewell
        /// A deadline has come, or may have.
        case timeReached
    }

    /// What a watch wants done, in this order.
    public enum Output: Hashable, Sendable {
        /// Send a frame; if the transport has no room it may be dropped, time repairs it.
        case send(Frame)
        /// Give up the connection and make another one.
        case reconnect
        /// Make a record durable, then say so.
        case persist(Record)
        /// Do something for the transfers, and say what became of it.
        case transfer(TransferOutput)
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Tell the application what happened.
        case event(Event)
    }

    /// What became of a request.
    public enum Answer: Hashable, Sendable {
        /// The edit is durable and shown; the hub will get it.
        case accepted(Edit)
        /// Everything stands as it was wanted already.
        case unchanged
        /// It was declined, and nothing has changed.
        case refused(EditFault)
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// The state of the link changed.
        case linkChanged(Link)
        /// A newer snapshot is durable and shown.
        case snapshotChanged(Snapshot)
        /// Edits of this watch are confirmed, with the snapshot that shows what became of them.
        case editsConfirmed([ConfirmedEdit])
        /// A register has a newer value.
        case registerChanged(Register)
        /// The hub came back with a history that this watch has left before.
        case hubForked(Epoch)
        /// A message was dropped.
        case dropped(Drop)
        /// A record could not be stored; the watch tries again.
        case notStored(String)
    }

    /// What the watch knows of its link.
    public enum Link: Hashable, Sendable {
        /// The hub has not answered yet since the watch started.
        case waiting
        /// The hub answers.
        case linked
        /// The hub answered last at that moment.
        case lost(lastAnswer: Instant)
        /// The hub declined.
        case refused(Refusal)
    }

    /// Why a message was dropped.
    public enum Drop: Hashable, Sendable {
        /// It is no frame.
        case fault(FrameFault)
        /// It belongs to another session.
        case foreignSession
        /// Its kind does not go from a hub to a watch.
        case wrongDirection(FrameKind)
        /// It was seen before, or is older than what the watch holds.
        case old(FrameKind)
    }

    /// What the hub's wall clock showed when it was heard.
    public struct HubTime: Hashable, Sendable {
        /// The milliseconds since 1970 in UTC.
        public var milliseconds: Int64
        /// When the watch heard it.
        public var at: Instant

        /// What it shows later.
        ///
        /// It runs on the watch's monotonic clock, so a jump of the watch's own wall clock does not matter.
        public func milliseconds(at now: Instant) -> Int64 {
            milliseconds &+ at.duration(to: now).wholeNanoseconds / 1_000_000
        }
    }
}
