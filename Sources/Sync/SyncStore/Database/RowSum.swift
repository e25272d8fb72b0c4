internal import GRDB

/// How many rows a head answers for, and the sum of their checksums: a row that is missing, or old, shows in it.
struct RowSum: Hashable {
    private(set) var count: Int64 = 0
    private(set) var checksums: Int64 = 0

    init() {}

    init(_ row: inout RowReader) throws {
        count = try row.integer()
        checksums = try row.integer()
    }

    /// The columns of the head.
    var columns: [(any DatabaseValueConvertible)?] { [count, checksums] }

    /// Writes a row that is not there yet.
    mutating func put(
        _ values: [(any DatabaseValueConvertible)?], into table: String, _ database: Database
    ) throws {
        checksums &+= try database.put(values, into: table)
        count += 1
    }

    /// Writes complete rows that are not there yet.
    mutating func put(_ rows: RowBuffer, into table: String, _ database: Database) throws {
        try rows.write(into: table, database)
        checksums &+= rows.checksums
        count += Int64(rows.rowCount)
    }

    /// Writes a complete row in place of the one of its key that had this checksum, nil if there was none.
    mutating func put(
        _ row: RowBuffer, into table: String, replacing checksum: Int64?, _ database: Database
    ) throws {
        try put(row, into: table, database)
        guard let checksum else { return }
        checksums &-= checksum
        count -= 1
    }

    /// Removes the rows that fit a condition; gives their number.
    @discardableResult
    mutating func remove(
        from table: String, where condition: String, _ arguments: StatementArguments, _ database: Database
    ) throws -> Int {
        let before = database.totalChangesCount
        checksums &-= try database.remove(from: table, where: condition, arguments)
        let removed = database.totalChangesCount - before
        count -= Int64(removed)
        return removed
    }
}
