public import SyncCore

/// A cell of the small world of scenarios, such as `kitchen.name`.
public struct CellName: Hashable, Comparable, Sendable {
    /// The record: 1…16 letters and digits; it stands for the same record forever.
    public var record: String
    /// The group, one of ``ScenarioSchema/groups``.
    public var group: String

    /// Creates a name.
    public init(record: String, group: String) {
        self.record = record
        self.group = group
    }

    /// Reads a text such as `kitchen.name`; nil unless both parts are fit.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, Self.isFit(record: parts[0]), ScenarioSchema.groups.contains(parts[1]) else {
            return nil
        }
        self.init(record: parts[0], group: parts[1])
    }

    /// Whether a text can name a record.
    public static func isFit(record: String) -> Bool {
        (1...16).contains(record.utf8.count)
            && record.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
    }

    /// The text, as it was read.
    public var text: String { "\(record).\(group)" }

    /// The cell's name in the engine.
    public var key: CellKey {
        CellKey(kind: ScenarioSchema.kind, record: Self.id(ofRecord: record), group: group)
    }

    /// The name of a cell of the engine; nil if it is not one of this world's.
    public init?(_ key: CellKey) {
        guard key.kind == ScenarioSchema.kind, let record = Self.record(of: key.record) else { return nil }
        self.init(record: record, group: key.group)
    }

    /// Whether the left name sorts first.
    public static func < (left: CellName, right: CellName) -> Bool {
        (left.record, left.group) < (right.record, right.group)
    }

    // A record's id is its name, so that it can be read back.
    private static func id(ofRecord record: String) -> RandomID {
        var bytes = Array(record.utf8.prefix(16))
        bytes += Array(repeating: 0, count: 16 - bytes.count)
        let words = [0, 8].map { start in bytes[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) } }
        return RandomID(high: words[0], low: words[1])
    }

    private static func record(of id: RandomID) -> String? {
        var bytes: [UInt8] = []
        for word in [id.high, id.low] {
            for shift in stride(from: UInt64(0), through: 56, by: 8) {
                let byte = UInt8(truncatingIfNeeded: word >> (56 - shift))
                if byte != 0 { bytes.append(byte) }
            }
        }
        let record = String(decoding: bytes, as: UTF8.self)
        return isFit(record: record) ? record : nil
    }
}

/// What the records of scenarios are made of.
public enum ScenarioSchema {
    /// The application of the hub, and of the watches that name no other one.
    public static let app: AppName = "scenarios"
    /// The kind of all records.
    public static let kind = "thing"
    /// The versions of the records that there are.
    public static let versions: ClosedRange<UInt32> = 1...2
    /// The groups of a record, and their purposes.
    public static let groups = ["name", "range", "note", "address", "password"]

    /// The schema of a device that reads some versions.
    ///
    /// Every device may change `name`; so it is with `range`, but version 1 only shows it; `note` came with version 2;
    /// only the hub changes `address`; `password` never leaves the hub.
    public static func schema(_ versions: ClosedRange<UInt32>) -> Schema {
        func name(_ group: String) -> Schema.Name { Schema.Name(kind: kind, group: group) }
        return Schema(
            versions: versions,
            rules: [
                name("name"): Schema.Rule(.shared), name("range"): Schema.Rule(.shared, editableSince: 2),
                name("note"): Schema.Rule(.shared, versions: 2...UInt32.max), name("address"): Schema.Rule(.hub),
            ])
    }

    /// Whether a watch that reads a version sees a cell.
    public static func projects(_ cell: CellName, to version: UInt32) -> Bool {
        schema(versions).projects(cell.key, to: version)
    }
}
