/// Defines which cells watches see, and who may change them.
///
/// Cells that the schema does not name stay at the hub.
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
        /// Only the hub; an edit of a watch is rejected and logged.
        case hub
        /// The hub and every watch; of two concurrent values the newest is shown, and the other one is logged.
        case shared
        /// The hub and the one watch that owns the record (``Schema/record(of:)``); of two concurrent values the
        /// watch's is shown, and the other one is logged.
        case owner
    }

    /// The rule for cells with one name.
    public struct Rule: Hashable, Sendable {
        /// Who may change the cell.
        public var authority: Authority
        /// The record versions that have the cell: watches of other versions do not see it.
        public var versions: ClosedRange<UInt32>
        /// The first record version whose watches may change the cell; older ones would lose values that they cannot
        /// express.
        public var editableSince: UInt32

        /// Creates a rule; by default for all record versions.
        public init(
            _ authority: Authority, versions: ClosedRange<UInt32> = 0...UInt32.max, editableSince: UInt32 = 0
        ) {
            self.authority = authority
            self.versions = versions
            self.editableSince = editableSince
        }
    }

    /// The record versions that this program can read.
    public var versions: ClosedRange<UInt32>
    /// The rules for the cells that watches see.
    public var rules: [Name: Rule]

    /// Creates a schema.
    public init(versions: ClosedRange<UInt32>, rules: [Name: Rule]) {
        self.versions = versions
        self.rules = rules
    }

    /// Creates a schema of cells that watches see and only the hub may change.
    public init(versions: ClosedRange<UInt32>, projected: Set<Name>) {
        self.init(versions: versions, rules: Dictionary(uniqueKeysWithValues: projected.map { ($0, Rule(.hub)) }))
    }

    /// The rule of a cell, nil if watches never see it.
    public func rule(of key: CellKey) -> Rule? {
        rules[Name(kind: key.kind, group: key.group)]
    }

    /// Whether watches of any record version may see a cell.
    public func projects(_ key: CellKey) -> Bool {
        rule(of: key) != nil
    }

    /// Whether watches of a record version may see a cell.
    public func projects(_ key: CellKey, to version: UInt32) -> Bool {
        rule(of: key)?.versions.contains(version) ?? false
    }

    /// The record that belongs to one watch, in every kind; its identifier is the first half of the watch's key.
    public static func record(of watch: PeerKey) -> RandomID {
        let halves = stride(from: 0, to: 16, by: 8).map { start in
            watch.bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        return RandomID(high: halves[0], low: halves[1])
    }
}
