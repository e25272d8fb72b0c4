/// Some uploads of a watch, in order.
public struct UploadBatch: Hashable, Sendable {
    /// The most uploads in a batch.
    public static let countMax = 64

    /// The numbering.
    public var incarnation: RandomID
    /// The first number that the watch still keeps.
    public var firstPending: UInt64
    /// The uploads, in ascending order of their numbers without gaps.
    public var uploads: [NumberedUpload]

    /// Creates a batch.
    public init(incarnation: RandomID, firstPending: UInt64, uploads: [NumberedUpload]) {
        self.incarnation = incarnation
        self.firstPending = firstPending
        self.uploads = uploads
    }
}
