/// The changes that a person made on a watch at once: a few cells, all or none of them.
///
/// An edit is durable before the person gets a confirmation, and never changes afterwards. It reaches the hub once; a
/// watch's edits reach the hub in the order in which they were made.
public struct Edit: Hashable, Sendable {
    /// The most cells that one edit changes.
    public static let changeCountMax = 16
    /// The most bytes of a value that a watch may write, and of a cell that watches may change.
    ///
    /// With this limit, an empty conflict log has room for any edit.
    public static let valueByteCountMax = 2048

    /// The permanent identifier of the edit; also the dot of its first change.
    public var id: RandomID
    /// The changes.
    public var changes: [Change]
    /// When it was made, by the watch's clock.
    public var stamp: Stamp
    /// The record version in which the values are written.
    public var schema: UInt32
    /// The conflict that the edit settles; nil for none.
    public var resolves: RandomID?

    /// A cell's part of an edit.
    public struct Change: Hashable, Sendable {
        /// The cell.
        public var key: CellKey
        /// The new value; nil deletes the cell.
        public var value: String?
        /// The write whose value the person saw; nil if there was none, so that the edit creates the cell.
        public var base: RandomID?
        /// The value that the person saw.
        public var seen: String?

        /// Creates a change.
        public init(key: CellKey, value: String?, base: RandomID?, seen: String?) {
            self.key = key
            self.value = value
            self.base = base
            self.seen = seen
        }
    }

    /// Creates an edit.
    public init(id: RandomID, changes: [Change], stamp: Stamp, schema: UInt32, resolves: RandomID?) {
        self.id = id
        self.changes = changes
        self.stamp = stamp
        self.schema = schema
        self.resolves = resolves
    }

    /// The identity of the write that a change produces.
    public func dot(of index: Int) -> RandomID {
        RandomID(high: id.high, low: id.low &+ UInt64(index))
    }

    /// The identities of all its writes.
    var dots: [RandomID] { changes.indices.map(dot) }
}

/// What a watch uploads to its hub: an edit, or a write that the hub has lost.
public enum Upload: Hashable, Sendable {
    /// A person's change.
    case edit(Edit)
    /// A write of a history that the hub has lost; uploading it keeps it from being lost permanently.
    case salvage(Conflict)

    /// The identifier of the upload, by which the hub recognises it.
    public var id: RandomID {
        switch self {
        case .edit(let edit): edit.id
        case .salvage(let conflict): conflict.id
        }
    }

    /// Whether it is among the uploads that the hub remembers of this watch.
    func isRemembered(by taken: RecentIDs) -> Bool {
        if taken.contains(id) { return true }
        guard case .salvage(let lost) = self else { return false }
        return taken.contains(lost.mark)
    }
}

/// An upload with its number in the watch's queue.
public struct NumberedUpload: Hashable, Sendable {
    /// The number; the first of an incarnation is 1.
    public var sequence: UInt64
    /// The upload.
    public var upload: Upload

    /// Creates a numbered upload.
    public init(sequence: UInt64, upload: Upload) {
        self.sequence = sequence
        self.upload = upload
    }
}
