/// A part of the configuration that is stored, versioned and merged separately.
///
/// Fields that only make sense together are in one entry, so that merging two edits cannot create a combination that
/// nobody entered. Fields that a watch must not see are in separate entries, because a projection leaves out whole
/// entries.
///
/// The cells of servers, devices and pools stand in the tables `Server.cells`, `Device.cells` and `Pool.cells`; the others,
/// which are preferences of the hub and answers to alerts, in `EntryGroup`. Each says whether watches see and change it.
public struct ConfigurationEntry: Hashable, Sendable, Identified {
    /// The identifier of the record that an entry belongs to, whatever its kind.
    public typealias Record = Identifier<ConfigurationEntry>

    /// The key of an entry, which is unique in a configuration.
    public struct Key: Hashable, Comparable, Sendable {
        /// The kind of the record, such as `device`.
        public var kind: String
        /// The record: the 128 bits of a ``ServerID`` or ``DeviceID``.
        public var record: Record
        /// The group of fields, such as `name`.
        public var group: String

        /// Creates a key.
        public init(kind: String, record: Record, group: String) {
            self.kind = kind
            self.record = record
            self.group = group
        }

        /// Whether the left key sorts first: by kind, then record, then group.
        public static func < (left: Key, right: Key) -> Bool {
            (left.kind, left.record, left.group) < (right.kind, right.record, right.group)
        }
    }

    /// The key.
    public var key: Key
    /// The fields as canonical JSON: an object with sorted keys, in UTF-8.
    public var value: [UInt8]

    /// Creates an entry.
    public init(key: Key, value: [UInt8]) {
        self.key = key
        self.value = value
    }

    /// The only record of the selection.
    public static let selectionRecord = Record(high: 0, low: 1)

    /// Whether watches may see entries of this kind and group; those that are not in the table are not visible.
    public static func isVisibleToWatches(kind: String, group: String) -> Bool {
        EntryGroup(kind: kind, group: group)?.isVisibleToWatches ?? false
    }

    /// Whether watches may see this entry.
    public var isVisibleToWatches: Bool { Self.isVisibleToWatches(kind: key.kind, group: key.group) }
}

extension ConfigurationEntry.Key: CustomStringConvertible {
    /// The kind, the identity of the record and the group, with slashes between them.
    public var description: String { "\(kind)/\(record)/\(group)" }
}
