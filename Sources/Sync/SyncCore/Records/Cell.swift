/// The name of a cell: the smallest part of the configuration that is written, versioned and merged as one.
public struct CellKey: Hashable, Comparable, Sendable {
    /// The kind of the record, such as `device`; 1…64 bytes.
    public var kind: String
    /// The record; never used again after the record was deleted.
    public var record: RandomID
    /// The group of fields that belong together, such as `name`; 1…64 bytes.
    public var group: String

    /// Creates a key.
    public init(kind: String, record: RandomID, group: String) {
        self.kind = kind
        self.record = record
        self.group = group
    }

    /// Whether the left key sorts first.
    public static func < (left: CellKey, right: CellKey) -> Bool {
        (left.kind, left.record, left.group) < (right.kind, right.record, right.group)
    }
}

/// A cell as the hub holds it.
public struct Cell: Hashable, Sendable {
    /// The most bytes of a value that watches see: any one of them fits into the log of conflicts.
    public static let valueByteCountMax = 16_384

    /// The value as text that the engine does not look into; nil marks a deleted cell.
    public var value: String?
    /// The identity of the write that produced the value; an edit names it as what its author saw.
    public var dot: RandomID
    /// When, and by which node, the value was written.
    public var stamp: Stamp
    /// The epoch and the revision in which the cell was written.
    public var written: Place
    /// The epoch and the revision in which the cell first appeared.
    public var created: Place

    /// A point of a history.
    public struct Place: Hashable, Sendable {
        /// The history.
        public var epoch: Epoch
        /// The revision in it.
        public var revision: UInt64

        /// Creates a point.
        public init(epoch: Epoch, revision: UInt64) {
            self.epoch = epoch
            self.revision = revision
        }
    }

    /// Creates a cell.
    public init(value: String?, dot: RandomID, stamp: Stamp, written: Place, created: Place) {
        self.value = value
        self.dot = dot
        self.stamp = stamp
        self.written = written
        self.created = created
    }

    /// Whether it is the trace of a deletion that came without its cell.
    var isOnlyTrace: Bool { value == nil && firstPlace == nil }

    /// Where the cell first appeared, nil if it never stood in this history.
    var firstPlace: Place? { created.revision == 0 ? nil : created }
}

extension Cell.Place {
    /// What stands for the place of a cell that never stood: a history begins with revision 0, which has no cells.
    static func never(in epoch: Epoch) -> Self { Self(epoch: epoch, revision: 0) }
}

/// A wish to give a cell a value, or to delete it.
public struct CellChange: Hashable, Sendable {
    /// The cell.
    public var key: CellKey
    /// The value it shall have; nil deletes it.
    public var value: String?

    /// Creates a change.
    public init(key: CellKey, value: String?) {
        self.key = key
        self.value = value
    }
}

extension DerivedName {
    mutating func feed(_ key: CellKey) {
        feed(key.kind)
        feed(key.record)
        feed(key.group)
    }
}
