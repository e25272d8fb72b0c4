/// Some uploads of a watch, in order.
public struct UploadBatch: Hashable, Sendable {
    /// The uploads of one batch at most.
    public static let countMax = 64

    /// The numbering.
    public var incarnation: RandomID
    /// The first number that the watch still keeps.
    public var firstPending: UInt64
    /// The uploads, by ascending numbers without a hole.
    public var uploads: [NumberedUpload]

    /// Creates a batch.
    public init(incarnation: RandomID, firstPending: UInt64, uploads: [NumberedUpload]) {
        self.incarnation = incarnation
        self.firstPending = firstPending
        self.uploads = uploads
    }
}
