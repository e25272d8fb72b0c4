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
    /// What they are known by when they come again, as ``UploadMark/taken`` keeps it.
    public var remembered: [RandomID]
    /// Those that were rejected, whatever stood there.
    public var rejected: [RejectedWrite]

    /// Creates the progress; without other words, writes are remembered by their names.
    public init(
        peer: PeerKey, incarnation: RandomID, highest: UInt64, last: RandomID?, firstPending: UInt64,
        outcomes: [UploadOutcome], taken: [RandomID], remembered: [RandomID]? = nil, rejected: [RejectedWrite] = []
    ) {
        self.peer = peer
        self.incarnation = incarnation
        self.highest = highest
        self.last = last
        self.firstPending = firstPending
        self.outcomes = outcomes
        self.taken = taken
        self.remembered = remembered ?? taken
        self.rejected = rejected
    }
}
