/// The hub's report to a watch about its uploads, sent with the snapshot that shows their effect.
public struct UploadReceipt: Hashable, Sendable {
    /// The numbering that the report refers to.
    public var incarnation: RandomID
    /// The last number that the hub has taken in.
    public var highest: UInt64
    /// The upload with that number; it shows whether both sides mean the same upload.
    public var last: RandomID?
    /// The results of uploads that did not take effect as intended.
    ///
    /// A result with a number above the last one says why that upload waits.
    public var outcomes: [UploadOutcome]

    /// Why the hub has not taken in the next upload; nil if nothing blocks it.
    var obstacle: Conflict.Rule? { outcomes.first { $0.sequence > highest }?.rule }

    /// Creates a receipt.
    public init(incarnation: RandomID, highest: UInt64, last: RandomID?, outcomes: [UploadOutcome]) {
        self.incarnation = incarnation
        self.highest = highest
        self.last = last
        self.outcomes = outcomes
    }
}

/// The result of an upload that did not take effect as intended.
public struct UploadOutcome: Hashable, Sendable {
    /// Its number.
    public var sequence: UInt64
    /// The upload.
    public var id: RandomID
    /// The rule by which it lost and is in the conflict log.
    public var rule: Conflict.Rule

    /// Creates an outcome.
    public init(sequence: UInt64, id: RandomID, rule: Conflict.Rule) {
        self.sequence = sequence
        self.id = id
        self.rule = rule
    }
}
