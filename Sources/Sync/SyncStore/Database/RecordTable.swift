internal import GRDB
internal import GRDBSQLite
internal import SyncCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A table of records.
///
/// Each row has a key, the bytes of a record, and a checksum of both: SQLite does not detect a flipped bit inside a
/// value.
struct RecordTable: Sendable {
    /// The type of the keys.
    enum Keys: Sendable {
        /// Numbers. SQLite appends a row with the highest key to the last page, and starts a new page when that one is
        /// full.
        case numbers
        /// Bytes, for keys that do not fit into a number.
        case bytes
    }

    let name: String
    private let keys: Keys
    /// Whether the table has an index of the ids with which its records begin.
    private let hasIDs: Bool
    /// The initial value of each checksum.
    ///
    /// It differs per table, so that a row of another table is rejected.
    private let seed: CRC32C
    private let insertion: String
    private let replacement: String

    /// The encoded size of an id in bytes.
    private static let idByteCount = 16

    init(_ name: String, _ keys: Keys, hasIDs: Bool = false) {
        self.name = name
        self.keys = keys
        self.hasIDs = hasIDs
        var seed = CRC32C()
        seed.update(name.utf8)
        self.seed = seed
        insertion = "INSERT INTO \(name) VALUES (?, ?, ?)"
        replacement = "INSERT OR REPLACE INTO \(name) VALUES (?, ?, ?)"
    }

    func create(in database: Database) throws {
        let columns = "record BLOB NOT NULL, checksum INTEGER NOT NULL"
        switch keys {
        case .numbers: try database.execute(sql: "CREATE TABLE \(name) (key INTEGER PRIMARY KEY, \(columns)) STRICT")
        case .bytes:
            try database.execute(sql: "CREATE TABLE \(name) (key BLOB PRIMARY KEY, \(columns)) STRICT, WITHOUT ROWID")
        }
        guard hasIDs else { return }
        try database.execute(sql: "CREATE INDEX \(name)ID ON \(name) (substr(record, 1, \(Self.idByteCount)))")
    }

    // MARK: - Writing

    /// Inserts a row; fails if there is a row with its key.
    func insert(_ record: some RecordCodable, at key: RowKey, _ sum: inout RowSum, _ database: Database) throws {
        try insert(RecordCoder.bytes(of: record), at: key, &sum, database)
    }

    func insert(_ record: [UInt8], at key: RowKey, _ sum: inout RowSum, _ database: Database) throws {
        let checksum = checksum(key, record)
        try write(record, at: key, checksum, by: insertion, database)
        sum.add(checksum)
    }

    /// Inserts a row, or replaces the one with its key.
    func replace(_ record: some RecordCodable, at key: RowKey, _ sum: inout RowSum, _ database: Database) throws {
        try remove(RowRange(key), &sum, database)
        try insert(record, at: key, &sum, database)
    }

    /// Replaces the row with the given key and checksum, or inserts one if the checksum is nil.
    ///
    /// Returns the new checksum.
    func replace(
        _ record: some RecordCodable, at key: RowKey, of checksum: Int64?, _ sum: inout RowSum, _ database: Database
    ) throws -> Int64 {
        if let checksum { sum.remove(checksum) }
        let new = try put(record, at: key, database)
        sum.add(new)
        return new
    }

    /// Inserts or replaces a row that is not part of the head's sum.
    ///
    /// Returns its checksum.
    @discardableResult
    func put(_ record: some RecordCodable, at key: RowKey, _ database: Database) throws -> Int64 {
        let bytes = try RecordCoder.bytes(of: record)
        let checksum = checksum(key, bytes)
        try write(bytes, at: key, checksum, by: replacement, database)
        return checksum
    }

    /// Removes the rows of a range, by default all rows.
    ///
    /// Returns how many were removed.
    @discardableResult
    func remove(_ range: RowRange? = nil, _ sum: inout RowSum, _ database: Database) throws -> Int {
        let condition = range == nil ? "" : "WHERE key BETWEEN ? AND ?"
        let statement = try database.cachedStatement(sql: "DELETE FROM \(name) \(condition) RETURNING checksum")
        let checksums = try Int64.fetchAll(statement, arguments: range?.arguments ?? [])
        for checksum in checksums { sum.remove(checksum) }
        return checksums.count
    }

    // MARK: - Reading

    /// The rows of a range, by default all rows, in the order of their keys.
    ///
    /// Their checksums are checked.
    func rows(_ range: RowRange? = nil, _ database: Database) throws -> [StoredRow] {
        let condition = range == nil ? "" : "WHERE key BETWEEN ? AND ?"
        let statement = try database.cachedStatement(sql: "SELECT * FROM \(name) \(condition) ORDER BY key")
        return try Row.fetchAll(statement, arguments: range?.arguments ?? []).map { try row($0) }
    }

    /// The row with a key; nil if there is none.
    func row(at key: RowKey, _ database: Database) throws -> StoredRow? {
        try rows(RowRange(key), database).first
    }

    /// The record of a table that must have exactly one row.
    func onlyRecord<Record: RecordCodable>(_ database: Database) throws -> Record {
        let rows = try rows(nil, database)
        guard let row = rows.first, rows.count == 1 else {
            throw CorruptionError(finding: "the table \(name) has no single row")
        }
        return try row.record()
    }

    /// The row at a position in a range, counted from 0; nil if the range has fewer rows.
    func row(_ position: Int, in range: RowRange, _ database: Database) throws -> StoredRow? {
        let statement = try database.cachedStatement(
            sql: "SELECT * FROM \(name) WHERE key BETWEEN ? AND ? ORDER BY key LIMIT 1 OFFSET ?")
        return try Row.fetchOne(statement, arguments: range.arguments + [position]).map { try row($0) }
    }

    /// The first and the last key of a range; nil if the range is empty.
    func bounds(of range: RowRange, _ database: Database) throws -> (first: RowKey, last: RowKey)? {
        // Two subqueries: SQLite reads only the end of an index if a query has a single `min` or `max`.
        let statement = try database.cachedStatement(
            sql: """
                SELECT (SELECT min(key) FROM \(name) WHERE key BETWEEN ?1 AND ?2),
                    (SELECT max(key) FROM \(name) WHERE key BETWEEN ?1 AND ?2)
                """)
        guard let row = try Row.fetchOne(statement, arguments: range.arguments), let first = RowKey(column: row[0]),
            let last = RowKey(column: row[1])
        else { return nil }
        return (first, last)
    }

    /// The first key in a range whose record begins with an id; nil if there is none.
    func key(of id: RandomID, in range: RowRange, _ database: Database) throws -> RowKey? {
        let index = hasIDs ? "INDEXED BY \(name)ID" : ""
        let statement = try database.cachedStatement(
            sql: """
                SELECT min(key) FROM \(name) \(index)
                WHERE substr(record, 1, \(Self.idByteCount)) = ? AND key BETWEEN ? AND ?
                """)
        let bytes = Data(try RecordCoder.bytes(of: id))
        return try Row.fetchOne(statement, arguments: [bytes] + range.arguments).flatMap { RowKey(column: $0[0]) }
    }

    /// The number of rows in a range, by default in the table, and the sum of their checksums.
    func sum(_ range: RowRange? = nil, _ database: Database) throws -> RowSum {
        let condition = range == nil ? "" : "WHERE key BETWEEN ? AND ?"
        let statement = try database.cachedStatement(
            sql: "SELECT count(*), coalesce(sum(checksum), 0) FROM \(name) \(condition)")
        guard let row = try Row.fetchOne(statement, arguments: range?.arguments ?? []) else { return RowSum() }
        return RowSum(count: row[0], checksums: row[1])
    }

    /// The row that a query for all columns returned, if its checksum is correct.
    func row(_ row: Row) throws -> StoredRow {
        guard let key = RowKey(column: row[0]), let record = Data.fromDatabaseValue(row[1]) else { throw unfit }
        let bytes = Array(record)
        let checksum = checksum(key, bytes)
        guard row[2] == checksum.databaseValue else { throw unfit }
        return StoredRow(table: name, key: key, bytes: bytes, checksum: checksum)
    }

    private var unfit: CorruptionError {
        CorruptionError(finding: "a row of the table \(name) does not fit its checksum")
    }

    // MARK: - Binding rows

    private func checksum(_ key: RowKey, _ record: [UInt8]) -> Int64 {
        var crc = seed
        switch key {
        case .number(let number): crc.update(bigEndian: UInt64(bitPattern: number))
        case .bytes(let bytes):
            crc.update(bigEndian: UInt64(bytes.count))
            crc.update(bytes)
        }
        crc.update(record)
        return Int64(crc.value)
    }

    /// Runs a statement that writes a row; SQLite reads the bytes in place, without a copy.
    private func write(
        _ record: [UInt8], at key: RowKey, _ checksum: Int64, by sql: String, _ database: Database
    ) throws {
        let statement = unsafe try database.cachedStatement(sql: sql).sqliteStatement
        let code: Int32
        switch key {
        case .number(let number):
            unsafe sqlite3_bind_int64(statement, 1, number)
            code = unsafe Self.step(statement, record, checksum)
        case .bytes(let bytes):
            // `step` clears the bindings before the buffer is freed.
            code = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Self.bind(buffer, at: 1, of: statement)
                return unsafe Self.step(statement, record, checksum)
            }
        }
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: unsafe sqlite3_extended_errcode(database.sqliteConnection)),
                message: unsafe String(cString: sqlite3_errmsg(database.sqliteConnection)))
        }
    }

    private static func step(_ statement: OpaquePointer, _ record: [UInt8], _ checksum: Int64) -> Int32 {
        unsafe record.withUnsafeBytes { buffer in
            unsafe bind(buffer, at: 2, of: statement)
            unsafe sqlite3_bind_int64(statement, 3, checksum)
            defer {
                unsafe sqlite3_reset(statement)
                unsafe sqlite3_clear_bindings(statement)
            }
            return unsafe sqlite3_step(statement)
        }
    }

    private static func bind(_ buffer: UnsafeRawBufferPointer, at place: Int32, of statement: OpaquePointer) {
        // An empty buffer can have a nil address, which SQLite would bind as NULL.
        if unsafe buffer.isEmpty {
            unsafe sqlite3_bind_zeroblob(statement, place, 0)
        } else {
            unsafe sqlite3_bind_blob64(statement, place, buffer.baseAddress, UInt64(buffer.count), nil)
        }
    }
}

/// A row whose checksum was correct.
struct StoredRow {
    let table: String
    let key: RowKey
    let bytes: [UInt8]
    let checksum: Int64

    /// The decoded record of the row.
    func record<Record: RecordCodable>() throws -> Record {
        do throws(CodecError) {
            return try RecordCoder.value(of: bytes)
        } catch {
            throw CorruptionError(finding: "a row of the table \(table) is unfit: \(error)")
        }
    }
}

extension CRC32C {
    fileprivate mutating func update(bigEndian number: UInt64) {
        // An integer has no padding, so all of its memory is initialised.
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe update($0) }
    }
}
