/// What a person changed on a watch: a few cells, all or none of them.
///
/// It is durable before the person is told, and never changes afterwards. It reaches the hub once, in the order in which
/// the watch's edits were made.
public struct Edit: Hashable, Sendable {
    /// The most cells that one edit changes.
    public static let changeCountMax = 16
    /// The most bytes of a value that a watch may write, or that a cell may have which watches may write.
    ///
    /// With it the log of conflicts, when it is empty, has room for any edit.
    public static let valueByteCountMax = 2048

    /// The name of the edit, forever; also the dot of its first change.
    public var id: RandomID
    /// What it changes.
    public var changes: [Change]
    /// When it was made, by the watch's clock.
    public var stamp: Stamp
    /// The version of the records in which the values are written.
    public var schema: UInt32
    /// The conflict that is settled with it, nil for none.
    public var resolves: RandomID?

    /// A cell's part of an edit.
    public struct Change: Hashable, Sendable {
        /// The cell.
        public var key: CellKey
        /// The value it shall have; nil deletes it.
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

    /// The identity of the write that a change makes.
    public func dot(of index: Int) -> RandomID {
        RandomID(high: id.high, low: id.low &+ UInt64(index))
    }

    /// The identities of all its writes.
    var dots: [RandomID] { changes.indices.map(dot) }
}

/// What a watch brings to its hub: an edit, or what the hub has lost.
public enum Upload: Hashable, Sendable {
    /// Something that a person changed.
    case edit(Edit)
    /// A write of a history that the hub has lost, so that it is not lost for good.
    case salvage(Conflict)

    /// The name of the upload, by which the hub knows it again.
    public var id: RandomID {
        switch self {
        case .edit(let edit): edit.id
        case .salvage(let conflict): conflict.id
        }
    }

    /// Whether it is one of what the hub remembers of the watch that brings it.
    func isRemembered(by taken: RecentIDs) -> Bool {
        if taken.contains(id) { return true }
        guard case .salvage(let lost) = self else { return false }
        return taken.contains(lost.mark)
    }
}

/// An upload with its place in the watch's queue.
public struct NumberedUpload: Hashable, Sendable {
    /// The place; the first of an incarnation is 1.
    public var sequence: UInt64
    /// The upload.
    public var upload: Upload

    /// Creates a numbered upload.
    public init(sequence: UInt64, upload: Upload) {
        self.sequence = sequence
        self.upload = upload
    }
}
