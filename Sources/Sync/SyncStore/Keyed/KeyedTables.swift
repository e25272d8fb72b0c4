internal import GRDB
internal import SyncCore

extension DatabaseKind {
    /// A small map from strings to bytes.
    static var keyed: DatabaseKind {
        DatabaseKind(
            fileName: "keyed.sqlite", applicationID: 0x5053_574B, step: "2 records",
            tables: [KeyedTables.head, KeyedTables.values], earlierSteps: ["1 values"], overwrites: true
        ) { database in
            // Written from the start, so that a missing head is detected.
            try KeyedHead().put(into: database)
        }
    }
}

/// The tables of a keyed store.
enum KeyedTables {
    /// One row: the ``KeyedHead``.
    static let head = RecordTable("head", .numbers)
    /// The values, by the UTF-8 bytes of their keys.
    static let values = RecordTable("value", .bytes)
}

/// The row with the count and the checksum sum of the other rows.
struct KeyedHead {
    /// The number of writes so far.
    ///
    /// It shows whether a write that failed late took effect.
    var writeCount: Int64 = 0
    /// The sum of the rows of the map.
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

    /// Sets the value of a key; nil removes the key.
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
