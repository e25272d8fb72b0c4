/// How far the hub has taken in one watch's uploads.
public struct UploadMark: Hashable, Sendable {
    /// The watch's current numbering.
    public var incarnation: RandomID
    /// The last number that the hub has taken in; 0 if none.
    public var highest: UInt64
    /// The upload with that number.
    public var last: RandomID?
    /// The results of the last uploads that did not take effect as intended, in ascending order of the numbers.
    public var outcomes: [UploadOutcome]
    /// The keys by which the last uploads of this watch are recognised, whatever their numbering.
    ///
    /// For an edit they are the identifiers of its writes; for salvage, a digest of identifier, cell and value.
    public var taken: RecentIDs
    /// The last rejected writes of this watch, each with the write that it was based on: a later edit on top of a
    /// rejected write is not a conflict with that base.
    public var rejected: [RejectedWrite]

    /// Creates the mark of a watch that has uploaded nothing yet in this numbering.
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

    /// The most rejected writes that are remembered for a watch; an edit on top of an older one is logged as a
    /// conflict.
    public static let rejectedCountMax = 256
    /// The most results that are kept for a watch that does not say which of them it knows.
    public static let outcomeCountMax = 1024

    /// What the hub reports to the watch about it.
    public var receipt: UploadReceipt {
        UploadReceipt(incarnation: incarnation, highest: highest, last: last, outcomes: outcomes)
    }

    /// What a transaction changes in ``taken``.
    struct Difference {
        /// The keys that were not remembered before.
        var added: [RandomID] = []
        /// The keys that are no longer remembered.
        var forgotten: ArraySlice<RandomID> = []
    }

    /// Applies the progress of a transaction.
    mutating func advance(_ progress: UploadProgress) -> Difference {
        if incarnation != progress.incarnation { outcomes = [] }
        incarnation = progress.incarnation
        highest = progress.highest
        last = progress.last
        outcomes.removeAll { $0.sequence < progress.firstPending }
        outcomes = (outcomes + progress.outcomes).suffix(Self.outcomeCountMax)
        let (added, forgotten) = taken.adding(progress.remembered)
        rejected = (rejected + progress.rejected).suffix(Self.rejectedCountMax)
        return Difference(added: added, forgotten: forgotten)
    }
}
