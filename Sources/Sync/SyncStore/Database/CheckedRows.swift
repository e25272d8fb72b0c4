internal import FoundationEssentials
internal import GRDB
internal import SyncCore

extension Database {
    /// Writes a row in place of the one with its key; gives its checksum.
    @discardableResult
    func put(_ values: [(any DatabaseValueConvertible)?], into table: String) throws -> Int64 {
        var row = RowBuffer()
        for value in values { row.append(value?.databaseValue ?? .null) }
        row.endRow()
        try row.write(into: table, self)
        return row.checksums
    }

    /// Removes the rows that fit a condition; gives the sum of their checksums.
    func remove(from table: String, where condition: String, _ arguments: StatementArguments) throws -> Int64 {
        let statement = try cachedStatement(sql: "DELETE FROM \(table) WHERE \(condition) RETURNING checksum")
        return try Int64.fetchAll(statement, arguments: arguments).reduce(0, &+)
    }

    /// The rows of a query for all columns of a table, without their checksums, which are checked.
    func rows(of table: String, sql rest: String = "", arguments: StatementArguments = []) throws -> [RowReader] {
        try Row.fetchAll(cachedStatement(sql: "SELECT * FROM \(table) \(rest)"), arguments: arguments).map {
            try RowReader(checking: $0, of: table)
        }
    }

    /// The sum of the checksums of all rows of some tables, by which a row that is missing, or old, shows.
    func sumOfChecksums(_ tables: [String]) throws -> Int64 {
        try tables.reduce(0) { sum, table in
            sum &+ (try Int64.fetchOne(self, sql: "SELECT coalesce(sum(checksum), 0) FROM \(table)") ?? 0)
        }
    }
}

/// Reads the columns of a row from left to right.
struct RowReader {
    let table: String
    let values: [DatabaseValue]
    /// The checksum of the row, 0 where nobody needs it.
    let checksum: Int64
    private var position = 0

    init(table: String, values: [DatabaseValue], checksum: Int64 = 0) {
        self.table = table
        self.values = values
        self.checksum = checksum
    }

    /// Takes all columns of a row but the last one, which must be their checksum.
    init(checking row: Row, of table: String) throws {
        var values = Array(row.databaseValues)
        let stored = values.popLast()
        let checksum = RowBuffer.checksum(values)
        guard stored == checksum.databaseValue else {
            throw Damage(finding: "a row of the table \(table) does not fit its checksum")
        }
        self.init(table: table, values: values, checksum: checksum)
    }

    mutating func integer() throws -> Int64 { try next { Int64.fromDatabaseValue($0) } }

    mutating func counter() throws -> UInt32 { try next { UInt32.fromDatabaseValue($0) } }

    mutating func number() throws -> UInt64 {
        try next { String.fromDatabaseValue($0).flatMap { JSONValue.string($0).hexadecimal } }
    }

    mutating func identifier() throws -> RandomID {
        try next { String.fromDatabaseValue($0).flatMap { RandomID(hexadecimal: $0) } }
    }

    /// An id that is stored as its sixteen bytes.
    mutating func identifierOfBytes() throws -> RandomID {
        try next { Data.fromDatabaseValue($0).flatMap { RandomID(column: $0) } }
    }

    mutating func peer() throws -> PeerKey {
        try next { String.fromDatabaseValue($0).flatMap { PeerKey(hexadecimal: $0) } }
    }

    mutating func word() throws -> String { try next { String.fromDatabaseValue($0) } }

    mutating func truth() throws -> Bool { try next { Bool.fromDatabaseValue($0) } }

    mutating func bytes() throws -> [UInt8] { try next { Data.fromDatabaseValue($0).map { Array($0) } } }

    mutating func text() throws -> String {
        let bytes = try bytes()
        guard let text = String(validating: bytes, as: UTF8.self) else { throw unfit }
        return text
    }

    /// What `read` reads, or nil where the column is NULL.
    mutating func optional<Value>(_ read: (inout RowReader) throws -> Value) throws -> Value? {
        if position < values.count, values[position].isNull {
            position += 1
            return nil
        }
        return try read(&self)
    }

    private mutating func next<Value>(_ read: (DatabaseValue) -> Value?) throws -> Value {
        guard position < values.count, let value = read(values[position]) else { throw unfit }
        position += 1
        return value
    }

    private var unfit: Damage { Damage(finding: "the column \(position) of a row of the table \(table) is unfit") }
}

extension UInt64 {
    /// The number as it is stored: sixteen hexadecimal digits.
    var column: String? { JSONValue.hexadecimal(self).string }
}

extension RandomID {
    /// Reads an id that is stored as its sixteen bytes, nil for any other number of bytes.
    init?(column: Data) {
        guard column.count == 16 else { return nil }
        func number(_ bytes: Data) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: number(column.prefix(8)), low: number(column.suffix(8)))
    }

    /// The id as it is stored as bytes.
    var column: Data {
        Data([high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } })
    }
}

extension String {
    /// The text as it is stored: the bytes of its UTF-8.
    var column: Data { Data(utf8) }
}
