/// Which cells a watch may see, and who may change them.
///
/// What the schema does not name stays at the hub.
public struct Schema: Hashable, Sendable {
    /// The kind and group of a cell.
    public struct Name: Hashable, Comparable, Sendable {
        /// The kind of the record.
        public var kind: String
        /// The group of fields.
        public var group: String

        /// Creates a name.
        public init(kind: String, group: String) {
            self.kind = kind
            self.group = group
        }

        /// Whether the left name sorts first.
        public static func < (left: Name, right: Name) -> Bool {
            (left.kind, left.group) < (right.kind, right.group)
        }
    }

    /// Who may change a cell.
    public enum Authority: Hashable, Sendable {
        /// The hub only; a watch's edit is rejected, and logged.
        case hub
        /// The hub and each watch; of two concurrent values the newest is shown, and the other one logged.
        case shared
        /// The hub and the one watch whose record it is (``Schema/record(of:)``); of two concurrent values the watch's
        /// is shown, and the other one logged.
        case owner
    }

    /// How cells of one name are treated.
    public struct Rule: Hashable, Sendable {
        /// Who may change the cell.
        public var authority: Authority
        /// The versions of the records that have the cell: watches of others do not see it.
        public var versions: ClosedRange<UInt32>
        /// The first version whose watches may change the cell; older ones would lose what they cannot express.
        public var editableSince: UInt32

        /// Creates a rule; by default for all versions.
        public init(
            _ authority: Authority, versions: ClosedRange<UInt32> = 0...UInt32.max, editableSince: UInt32 = 0
        ) {
            self.authority = authority
            self.versions = versions
            self.editableSince = editableSince
        }
    }

    /// The versions of the domain's records that this program reads.
    public var versions: ClosedRange<UInt32>
    /// How the cells are treated that watches see.
    public var rules: [Name: Rule]

    /// Creates a schema.
    public init(versions: ClosedRange<UInt32>, rules: [Name: Rule]) {
        self.versions = versions
        self.rules = rules
    }

    /// Creates a schema of cells that watches see and only the hub changes.
    public init(versions: ClosedRange<UInt32>, projected: Set<Name>) {
        self.init(versions: versions, rules: Dictionary(uniqueKeysWithValues: projected.map { ($0, Rule(.hub)) }))
    }

    /// The rule of a cell, nil if watches never see it.
    public func rule(of key: CellKey) -> Rule? {
        rules[Name(kind: key.kind, group: key.group)]
    }

    /// Whether a watch may see a cell, whatever the version of its records.
    public func projects(_ key: CellKey) -> Bool {
        rule(of: key) != nil
    }

    /// Whether a watch that reads a version of the records may see a cell.
    public func projects(_ key: CellKey, to version: UInt32) -> Bool {
        rule(of: key)?.versions.contains(version) ?? false
    }

    /// The record that belongs to one watch, in every kind: the first half of its key.
    public static func record(of watch: PeerKey) -> RandomID {
        let halves = stride(from: 0, to: 16, by: 8).map { start in
            watch.bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return RandomID(high: halves[0], low: halves[1])
    }
}
