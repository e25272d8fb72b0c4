/// What one transaction takes in from one watch.
public struct UploadProgress: Hashable, Sendable {
    /// The watch.
    public var peer: PeerKey
    /// Its numbering.
    public var incarnation: RandomID
    /// The last number that it takes in.
    public var highest: UInt64
    /// The upload with that number.
    public var last: RandomID?
    /// The first number that the watch still keeps; it already knows the results of earlier ones.
    public var firstPending: UInt64
    /// The results of those that did not take effect as intended.
    public var outcomes: [UploadOutcome]
    /// The writes that were taken in.
    public var taken: [RandomID]
    /// The keys by which they are recognised when they arrive again, as in ``UploadMark/taken``.
    public var remembered: [RandomID]
    /// The writes that were rejected whatever their cells contained.
    public var rejected: [RejectedWrite]

    /// Creates the progress; by default, writes are recognised by their identifiers.
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
