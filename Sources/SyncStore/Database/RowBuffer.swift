internal import FoundationEssentials
internal import GRDB
internal import GRDBSQLite
internal import SyncCore

/// A row on its way into a table, with the checksum that goes into its last column, because a flipped bit inside a value
/// leaves SQLite's structures sound.
///
/// Unsigned 64-bit numbers and ids are stored as hexadecimal text, whose order is that of the numbers. Free text is
/// stored as the bytes of its UTF-8: as text it would end at its first NUL.
///
/// The values lie one behind the other in the form in which the checksum counts them: a tag, a length, the bytes.
/// SQLite takes them from there, so that a row costs one buffer, however many columns it has.
struct RowBuffer {
    /// The types of SQLite's values, by the tags that the checksum counts.
    private enum Kind: UInt8 {
        case null = 0
        case integer = 1
        case real = 2
        case text = 3
        case blob = 4
    }

    /// Where a value lies.
    private struct Place {
        var kind: Kind
        var start: Int
        var count: Int
        /// The integer, or the bits of the real number.
        var bits: UInt64
    }

    private var bytes: [UInt8] = []
    private var places: [Place] = []

    /// Begins a row without values.
    init() {
        bytes.reserveCapacity(320)
        places.reserveCapacity(12)
    }

    /// The number of the values.
    var count: Int { places.count }

    /// Begins anew, in the same memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
    }

    // MARK: - Values, in the order of the columns

    mutating func append(_ number: Int64) {
        append(.integer, bits: UInt64(bitPattern: number))
    }

    /// A number as sixteen hexadecimal digits.
    mutating func append(_ number: UInt64?) {
        guard let number else { return appendNull() }
        begin(.text, count: 16, bits: 0)
        appendDigits(number)
    }

    /// An id as thirty-two hexadecimal digits.
    mutating func append(_ id: RandomID?) {
        guard let id else { return appendNull() }
        begin(.text, count: 32, bits: 0)
        appendDigits(id.high)
        appendDigits(id.low)
    }

    mutating func append(text: String?) {
        guard let text else { return appendNull() }
        append(.text, text.utf8)
    }

    mutating func append(_ blob: [UInt8]) {
        append(.blob, blob)
    }

    mutating func appendNull() {
        append(.null, EmptyCollection())
    }

    mutating func append(_ value: DatabaseValue) {
        switch value.storage {
        case .null: appendNull()
        case .int64(let number): append(number)
        case .double(let number): append(.real, bits: number.bitPattern)
        case .string(let text): append(.text, text.utf8)
        case .blob(let blob): append(.blob, blob)
        }
    }

    private mutating func append(_ kind: Kind, bits: UInt64) {
        begin(kind, count: 8, bits: bits)
        appendNumber(bits)
    }

    private mutating func append(_ kind: Kind, _ content: some Collection<UInt8>) {
        let count = content.count
        begin(kind, count: count, bits: 0)
        bytes.append(contentsOf: content)
    }

    private mutating func begin(_ kind: Kind, count: Int, bits: UInt64) {
        bytes.append(kind.rawValue)
        appendNumber(UInt64(count))
        places.append(Place(kind: kind, start: bytes.count, count: count, bits: bits))
    }

    private mutating func appendNumber(_ number: UInt64) {
        // Any number is eight bytes.
        unsafe withUnsafeBytes(of: number.bigEndian) { unsafe bytes.append(contentsOf: $0) }
    }

    private mutating func appendDigits(_ number: UInt64) {
        for shift in stride(from: 60 as UInt64, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: number >> shift) & 15
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
        }
    }

    // MARK: - The whole row

    /// The checksum of the values so far.
    var checksum: Int64 { Int64(CRC32C.checksum(bytes)) }

    /// The checksum of the values of a row.
    static func checksum(_ values: [DatabaseValue]) -> Int64 {
        var row = RowBuffer()
        for value in values { row.append(value) }
        return row.checksum
    }

    /// The statement that puts a row of as many values, and its checksum, in place of the one with its key.
    func insertion(into table: String, _ database: Database) throws -> Statement {
        try database.cachedStatement(sql: "INSERT OR REPLACE INTO \(table) VALUES (?\(Self.places[count]))")
    }

    /// The places of a statement behind the first, by their number.
    private static let places = (0...24).map { String(repeating: ", ?", count: $0) }

    /// Writes the row by a statement that has a place for each value and one for the checksum; gives the checksum.
    func write(by statement: Statement, _ database: Database) throws -> Int64 {
        let checksum = checksum
        // The statement takes the values from the buffer, and forgets it before the buffer goes.
        let code = unsafe bytes.withUnsafeBytes { buffer in
            unsafe write(by: statement.sqliteStatement, from: buffer, checksum)
        }
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: unsafe sqlite3_extended_errcode(database.sqliteConnection)),
                message: unsafe String(cString: sqlite3_errmsg(database.sqliteConnection)))
        }
        return checksum
    }

    private func write(
        by statement: OpaquePointer, from buffer: UnsafeRawBufferPointer, _ checksum: Int64
    ) -> Int32 {
        for (index, place) in places.enumerated() {
            let number = Int32(index) + 1
            // A place lies within the buffer, behind a tag and a length: so there always is an address.
            let start = unsafe buffer.baseAddress.map { unsafe $0 + place.start }
            let count = UInt64(place.count)
            let code =
                switch place.kind {
                case .null: unsafe sqlite3_bind_null(statement, number)
                case .integer: unsafe sqlite3_bind_int64(statement, number, Int64(bitPattern: place.bits))
                case .real: unsafe sqlite3_bind_double(statement, number, Double(bitPattern: place.bits))
                case .text:
                    unsafe sqlite3_bind_text64(
                        statement, number, start?.assumingMemoryBound(to: CChar.self), count, nil, UInt8(SQLITE_UTF8))
                case .blob: unsafe sqlite3_bind_blob64(statement, number, start, count, nil)
                }
            guard code == SQLITE_OK else { return code }
        }
        let code = unsafe sqlite3_bind_int64(statement, Int32(places.count) + 1, checksum)
        guard code == SQLITE_OK else { return code }
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        return unsafe sqlite3_step(statement)
    }
}
