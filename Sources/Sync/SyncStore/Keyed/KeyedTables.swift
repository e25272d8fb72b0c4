internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// A small map from names to bytes.
    static var keyed: DatabaseKind {
        DatabaseKind(
            fileName: "keyed.sqlite", applicationID: 0x5053_574B, step: "2 records",
            tables: [KeyedTables.head, KeyedTables.values], earlier: earlierKeyed
        ) { database in
            // Written from the start, so that a missing row shows.
            try KeyedHead().put(into: database)
        }
    }

    private static let earlierKeyed = EarlierFormat(
        steps: EarlierRecords.keyedSteps, tables: EarlierRecords.keyedTables
    ) { database in
        let values = try EarlierRecords.keyed(database)
        return { database in
            var head = KeyedHead()
            for (key, value) in values { try head.change(key, to: value, database) }
            try head.put(into: database)
        }
    }
}

/// The tables of a small map.
enum KeyedTables {
    /// The one row of the ``KeyedHead``.
    static let head = RecordTable("head", .numbers)
    /// The values as they were given, by the bytes of their names.
    static let values = RecordTable("value", .bytes)
}

/// The one row that says what the other rows must add up to.
struct KeyedHead {
    /// The writes so far, by which one is known again whose end was in doubt.
    var writeCount: Int64 = 0
    /// The rows of the map.
    var sum = RowSum()

    init(writeCount: Int64 = 0, sum: RowSum = RowSum()) {
        self.writeCount = writeCount
        self.sum = sum
    }

    init(_ database: Database) throws {
        self = try KeyedTables.head.onlyRecord(database)
    }

    func put(into database: Database) throws {
        try KeyedTables.head.put(self, at: .number(1), database)
    }

    /// Puts a value in place of the one under its key, or takes that away.
    mutating func change(_ key: String, to value: [UInt8]?, _ database: Database) throws {
        let key = RowKey.bytes(Array(key.utf8))
        try KeyedTables.values.remove(RowRange(key), &sum, database)
        if let value { try KeyedTables.values.insert(value, at: key, &sum, database) }
    }
}

extension KeyedHead: RecordCodable {
    static func code(_ value: KeyedHead?, _ coder: inout RecordCoder) throws(CodecError) -> KeyedHead {
        KeyedHead(writeCount: try coder(value?.writeCount), sum: try coder(value?.sum))
    }
}
