extension WatchEngine {
    /// What a watch is told at its start and never changes.
    public struct Configuration: Hashable, Sendable {
        /// The name that the watch would like to be called; at most 256 bytes.
        public var name: String
        /// The versions of the records that the watch reads.
        public var schemaVersions: ClosedRange<UInt32>
        /// The live frames that the watch takes before the hub must wait for credit; 1…1024, 64 by default.
        public var window: UInt32

        /// Creates a configuration.
        public init(name: String, schemaVersions: ClosedRange<UInt32>, window: UInt32 = 64) {
            self.name = name
            self.schemaVersions = schemaVersions
            self.window = window
        }
    }

    /// All that a watch remembers: what a store loads when a watch starts.
    public struct State: Hashable, Sendable {
        /// The last snapshot, nil before the first.
        public var snapshot: Snapshot?
        /// The epochs it has seen.
        public var fence: EpochFence
        /// The registers by key.
        public var registers: SortedMap<String, HeldRegister>

        /// Creates the state of a store; by default that of a watch that never ran.
        public init(
            snapshot: Snapshot? = nil, fence: EpochFence = EpochFence(),
            registers: SortedMap<String, HeldRegister> = SortedMap()
        ) {
            self.snapshot = snapshot
            self.fence = fence
            self.registers = registers
        }
    }

    /// Something to make durable.
    public enum Record: Hashable, Sendable {
        /// The snapshot, in place of the one before.
        case snapshot(Snapshot, EpochFence)
        /// Registers, each in place of its value before.
        case registers([HeldRegister], EpochFence)
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
        /// Tell the application what happened.
        case event(Event)
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// The state of the link changed.
        case linkChanged(Link)
        /// A newer snapshot is durable and shown.
        case snapshotChanged(Snapshot)
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
        /// The hub has not answered yet in this life of the watch.
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
