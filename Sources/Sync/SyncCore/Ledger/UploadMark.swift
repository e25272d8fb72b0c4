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
    /// What the uploads of this watch that were taken in last are known by, whatever their numbering.
    ///
    /// An edit is known by the names of its writes, salvage by a digest of name, cell and value.
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
        taken.append(progress.remembered)
        rejected = (rejected + progress.rejected).suffix(Self.rejectedCountMax)
    }
}
