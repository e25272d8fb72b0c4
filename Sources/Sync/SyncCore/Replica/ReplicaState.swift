/// Everything that a watch remembers of the configuration: the last snapshot, and the person's changes since then.
public struct ReplicaState: Hashable, Sendable {
    /// The last snapshot, nil before the first.
    public var snapshot: Snapshot?
    /// The epochs that the watch has seen.
    public var fence: EpochFence
    /// The numbering of the uploads; a new one starts when watch and hub no longer mean the same upload by a number.
    public var incarnation: RandomID
    /// The number of the next upload.
    public var nextSequence: UInt64
    /// The uploads that the hub has not confirmed yet, in the order of the numbers.
    public var pending: [NumberedUpload]
    /// The last edits that the hub confirmed, in case the hub loses them.
    public var journal: [Edit]
    /// The cells whose deletion the watch saw, oldest first, in case the hub loses these deletions.
    public var deletions: [SeenDeletion]

    /// Creates a state; by default that of a watch that has never run.
    public init(
        snapshot: Snapshot? = nil, fence: EpochFence = EpochFence(), incarnation: RandomID, nextSequence: UInt64 = 1,
        pending: [NumberedUpload] = [], journal: [Edit] = [], deletions: [SeenDeletion] = []
    ) {
        self.snapshot = snapshot
        self.fence = fence
        self.incarnation = incarnation
        self.nextSequence = nextSequence
        self.pending = pending
        self.journal = journal
        self.deletions = deletions
    }

    /// The most confirmed edits that are remembered.
    public static let journalCountMax = 256

    /// Applies a record.
    ///
    /// A store that keeps rows does the same to its rows; the store's tests compare the two.
    public mutating func apply(_ record: ReplicaRecord) {
        if let snapshot = record.snapshot { self.snapshot = snapshot }
        if let delta = record.delta { snapshot?.apply(delta) }
        fence = record.fence
        incarnation = record.incarnation
        nextSequence = record.nextSequence
        switch record.pending {
        case .unchanged: break
        case .added(let upload): pending.append(upload)
        case .confirmed(let highest): pending.removeAll { $0.sequence <= highest }
        case .replaced(let uploads): pending = uploads
        }
        journal = (journal + record.journaled).suffix(Self.journalCountMax)
        if let deletions = record.deletions { self.deletions = deletions }
    }
}

/// A step of a watch's copy of the configuration; it is durable as a whole or not at all.
public struct ReplicaRecord: Hashable, Sendable {
    /// The change of the uploads that wait for the hub.
    public enum PendingChange: Hashable, Sendable {
        /// No change.
        case unchanged
        /// One more upload, at the end.
        case added(NumberedUpload)
        /// The uploads up to this number are confirmed.
        case confirmed(UInt64)
        /// These uploads replace all others.
        case replaced([NumberedUpload])
    }

    /// The snapshot that replaces the one before; nil if that one stays or changes.
    public var snapshot: Snapshot?
    /// The change of the snapshot; nil if it stays or is replaced.
    public var delta: SnapshotDelta?
    /// The epochs that the watch has seen.
    public var fence: EpochFence
    /// The numbering of the uploads.
    public var incarnation: RandomID
    /// The number of the next upload.
    public var nextSequence: UInt64
    /// The change of the uploads that wait.
    public var pending: PendingChange
    /// The edits that are confirmed with it.
    public var journaled: [Edit]
    /// The deletions that replace those before; nil if those stay.
    public var deletions: [SeenDeletion]?

    /// Whether the snapshot is another one after it.
    package var movesSnapshot: Bool { snapshot != nil || delta != nil }

    /// Creates a record.
    public init(
        snapshot: Snapshot?, delta: SnapshotDelta? = nil, fence: EpochFence, incarnation: RandomID,
        nextSequence: UInt64, pending: PendingChange, journaled: [Edit], deletions: [SeenDeletion]? = nil
    ) {
        self.snapshot = snapshot
        self.delta = delta
        self.fence = fence
        self.incarnation = incarnation
        self.nextSequence = nextSequence
        self.pending = pending
        self.journaled = journaled
        self.deletions = deletions
    }
}
