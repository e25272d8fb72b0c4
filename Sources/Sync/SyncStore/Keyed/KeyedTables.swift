internal import FoundationEssentials
internal import GRDB

extension DatabaseKind {
    /// A small map from names to bytes.
    static var keyed: DatabaseKind {
        DatabaseKind(
            fileName: "keyed.sqlite", applicationID: 0x5053_574B, steps: [Step(name: "1 values", sql: values)]
        ) { database in
            // Written from the start, so that a missing row shows.
            try KeyedHead().put(into: database)
        }
    }

    private static let values = """
        CREATE TABLE head (
            only INTEGER PRIMARY KEY CHECK (only = 1), writeCount INTEGER NOT NULL,
            count INTEGER NOT NULL, checksums INTEGER NOT NULL, checksum INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE value (
            key BLOB PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        """
}

/// The one row that says what the other rows must add up to.
struct KeyedHead {
    /// The writes so far, by which one is known again whose end was in doubt.
    var writeCount: Int64 = 0
    /// The rows of the map.
    var sum = RowSum()

    init() {}

    init(_ database: Database) throws {
        let rows = try database.rows(of: "head")
        guard var row = rows.first, rows.count == 1 else { throw Damage(finding: "the table head has no single row") }
        _ = try row.integer()
        writeCount = try row.integer()
        sum = try RowSum(&row)
    }

    func put(into database: Database) throws {
        try database.put([1, writeCount] + sum.columns, into: "head")
    }

    /// Puts a value in place of the one under its key, or takes that away.
    mutating func change(_ key: String, to value: [UInt8]?, _ database: Database) throws {
        try sum.remove(from: "value", where: "key = ?", [key.column], database)
        if let value { try sum.put([key.column, Data(value)], into: "value", database) }
    }
}
