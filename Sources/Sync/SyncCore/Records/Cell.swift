/// The identifier of a cell: the smallest part of the configuration that is written, versioned and merged as one.
public struct CellKey: Hashable, Comparable, Sendable {
    /// The kind of the record, such as `device`; 1…64 bytes.
    public var kind: String
    /// The record; its identifier is never used again after the record was deleted.
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
    /// The most bytes of a value that watches see; any single one fits into the conflict log.
    public static let valueByteCountMax = 16_384

    /// The value, a text that the engine does not interpret; nil marks a deleted cell.
    public var value: String?
    /// The identity of the write that produced the value; an edit refers to it as the value that its author saw.
    public var dot: RandomID
    /// The time and the node of the write.
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

    /// Whether it is a tombstone of a cell that was never in this history.
    var isOnlyTrace: Bool { value == nil && firstPlace == nil }

    /// Where the cell first appeared; nil if it was never in this history.
    var firstPlace: Place? { created.revision == 0 ? nil : created }
}

extension Cell.Place {
    /// The place of a cell that was never in this history: revision 0, because a history has no cells at its start.
    static func never(in epoch: Epoch) -> Self { Self(epoch: epoch, revision: 0) }
}

/// A request to give a cell a value, or to delete it.
public struct CellChange: Hashable, Sendable {
    /// The cell.
    public var key: CellKey
    /// The new value; nil deletes the cell.
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
