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
