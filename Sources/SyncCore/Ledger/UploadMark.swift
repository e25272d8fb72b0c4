/// How far the hub has taken in what one watch brings.
public struct UploadMark: Hashable, Sendable {
    /// The numbering that the watch uses now.
    public var incarnation: RandomID
    /// The last number that was taken in; 0 if none.
    public var highest: UInt64
    /// The upload of that number.
    public var last: RandomID?
    /// What became of the last uploads that did not take effect as they were meant, in ascending order of the numbers.
    public var outcomes: [UploadOutcome]
    /// The writes of this watch that were taken in last, whatever their numbering.
    public var taken: RecentIDs
    /// The writes of this watch that were rejected last, with what they were made on: what its author makes on top of one
    /// of them is no conflict with that.
    public var rejected: [RejectedWrite]

    /// Creates the mark of a watch that brought nothing yet in this numbering.
    public init(
        incarnation: RandomID, highest: UInt64 = 0, last: RandomID? = nil, outcomes: [UploadOutcome] = [],
        taken: RecentIDs = RecentIDs(), rejected: [RejectedWrite] = []
    ) {
        self.incarnation = incarnation
        self.highest = highest
        self.last = last
        self.outcomes = outcomes
        self.taken = taken
        self.rejected = rejected
    }

    /// The rejected writes that are remembered of a watch; what is made on top of an older one is logged as a conflict.
    public static let rejectedCountMax = 256
    /// The outcomes that are kept for a watch that does not say what it knows already.
    public static let outcomeCountMax = 1024

    /// What the watch is told of it.
    public var receipt: UploadReceipt {
        UploadReceipt(incarnation: incarnation, highest: highest, last: last, outcomes: outcomes)
    }

    /// Takes over the progress that a transaction made.
    mutating func advance(_ progress: UploadProgress) {
        if incarnation != progress.incarnation { outcomes = [] }
        incarnation = progress.incarnation
        highest = progress.highest
        last = progress.last
        outcomes.removeAll { $0.sequence < progress.firstPending }
        outcomes = (outcomes + progress.outcomes).suffix(Self.outcomeCountMax)
        taken.append(progress.taken)
        rejected = (rejected + progress.rejected).suffix(Self.rejectedCountMax)
    }
}

/// What one transaction takes in from one watch.
public struct UploadProgress: Hashable, Sendable {
    /// The watch.
    public var peer: PeerKey
    /// Its numbering.
    public var incarnation: RandomID
    /// The last number taken in.
    public var highest: UInt64
    /// The upload of that number.
    public var last: RandomID?
    /// The first number that the watch still keeps: what became of earlier ones, it knows.
    public var firstPending: UInt64
    /// What became of those that did not take effect as they were meant.
    public var outcomes: [UploadOutcome]
    /// The writes that were taken in.
    public var taken: [RandomID]
    /// Those that were rejected, whatever stood there.
    public var rejected: [RejectedWrite]

    /// Creates the progress.
    public init(
        peer: PeerKey, incarnation: RandomID, highest: UInt64, last: RandomID?, firstPending: UInt64,
        outcomes: [UploadOutcome], taken: [RandomID], rejected: [RejectedWrite] = []
    ) {
        self.peer = peer
        self.incarnation = incarnation
        self.highest = highest
        self.last = last
        self.firstPending = firstPending
        self.outcomes = outcomes
        self.taken = taken
        self.rejected = rejected
    }
}

/// A write that could not take effect whatever stood in its cell.
public struct RejectedWrite: Hashable, Sendable {
    /// The write.
    public var dot: RandomID
    /// The write whose value its author had seen, nil if there was none.
    public var base: RandomID?

    /// Creates a rejected write.
    public init(dot: RandomID, base: RandomID?) {
        self.dot = dot
        self.base = base
    }
}

/// What became of an upload that did not take effect as it was meant.
public struct UploadOutcome: Hashable, Sendable {
    /// Its number.
    public var sequence: UInt64
    /// The upload.
    public var id: RandomID
    /// Why it is not shown; it is in the log of conflicts.
    public var rule: Conflict.Rule

    /// Creates an outcome.
    public init(sequence: UInt64, id: RandomID, rule: Conflict.Rule) {
        self.sequence = sequence
        self.id = id
        self.rule = rule
    }
}

/// What a watch learns of its uploads, together with the snapshot that shows their effect.
public struct UploadReceipt: Hashable, Sendable {
    /// The numbering that the hub counts in.
    public var incarnation: RandomID
    /// The last number that the hub has taken in.
    public var highest: UInt64
    /// The upload of that number, which shows whether both mean the same.
    public var last: RandomID?
    /// What became of those that did not take effect as they were meant; one beyond the last number says why that upload
    /// waits.
    public var outcomes: [UploadOutcome]

    /// Why the uploads that the hub has not taken in wait, nil if nothing keeps them.
    var obstacle: Conflict.Rule? { outcomes.first { $0.sequence > highest }?.rule }

    /// Creates a receipt.
    public init(incarnation: RandomID, highest: UInt64, last: RandomID?, outcomes: [UploadOutcome]) {
        self.incarnation = incarnation
        self.highest = highest
        self.last = last
        self.outcomes = outcomes
    }
}

/// The last ids of a long row, for telling what was seen before.
public struct RecentIDs: Hashable, Sendable {
    /// How many are remembered at least.
    public static let countMax = 4096

    /// The ids, oldest first.
    public private(set) var ids: [RandomID] = []
    private var members: Set<RandomID> = []

    /// Creates a row of these ids, oldest first.
    public init(_ ids: [RandomID] = []) {
        append(ids)
    }

    /// Adds ids to the end of the row, each once; the oldest are forgotten.
    public mutating func append(_ new: [RandomID]) {
        for id in new where members.insert(id).inserted {
            ids.append(id)
        }
        // A quarter at a time, so that adding one stays cheap.
        guard ids.count > Self.countMax + Self.countMax / 4 else { return }
        for id in ids.prefix(ids.count - Self.countMax) {
            members.remove(id)
        }
        ids.removeFirst(ids.count - Self.countMax)
    }

    /// Whether an id is remembered.
    public func contains(_ id: RandomID) -> Bool {
        members.contains(id)
    }

    /// Whether both remember the same ids in the same order.
    public static func == (left: RecentIDs, right: RecentIDs) -> Bool { left.ids == right.ids }

    /// Feeds the ids in their order.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ids)
    }
}
