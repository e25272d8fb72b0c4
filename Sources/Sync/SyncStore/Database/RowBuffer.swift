internal import FoundationEssentials
internal import GRDB
internal import GRDBSQLite
internal import SyncCore

/// Rows on their way into a table, each with the checksum that goes into its last column, because a flipped bit inside a
/// value leaves SQLite's structures sound.
///
/// Unsigned 64-bit numbers and ids are stored as hexadecimal text, whose order is that of the numbers; the ids of a table
/// with many rows as bytes, which take half of it. Free text is
/// stored as the bytes of its UTF-8: as text it would end at its first NUL.
///
/// The values lie one behind the other in the form in which the checksum counts them: a tag, a length, the bytes.
/// SQLite takes them from there, so that a row costs one buffer, however many columns it has. What all rows begin with
/// lies there once. Rows of the same number of columns may be put in by one statement, which costs SQLite two thirds.
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
    /// What each row begins with: the end of its values, and their checksum.
    private var common = (byteCount: 0, placeCount: 0, crc: CRC32C())
    /// Where the row begins that is being put together, behind what it has in common with the others.
    private var start = 0
    /// The places of the rows that are complete.
    private var completePlaceCount = 0
    /// The number of rows that are complete.
    private(set) var rowCount = 0
    /// The sum of their checksums.
    private(set) var checksums: Int64 = 0

    /// Begins the first row, without values.
    init() {
        bytes.reserveCapacity(320)
        places.reserveCapacity(12)
    }

    /// The number of bytes that the rows take here.
    var byteCount: Int { bytes.count }

    /// Lets each row begin with the values that the first one has so far.
    mutating func keepAsCommon() {
        precondition(rowCount == 0 && common.placeCount == 0, "what rows have in common is said in the first one, once")
        var crc = CRC32C()
        crc.update(bytes.span)
        common = (bytes.count, places.count, crc)
        start = bytes.count
    }

    /// Completes a row by its checksum, and begins the next one.
    mutating func endRow() {
        let checksum = checksum
        places.append(Place(kind: .integer, start: bytes.count, count: 0, bits: UInt64(bitPattern: checksum)))
        checksums &+= checksum
        rowCount += 1
        completePlaceCount = places.count
        start = bytes.count
        for position in 0..<common.placeCount { places.append(places[position]) }
    }

    /// Begins anew behind what all rows have in common, in the same memory.
    mutating func removeRows() {
        bytes.removeSubrange(common.byteCount...)
        places.removeSubrange(common.placeCount...)
        start = common.byteCount
        (completePlaceCount, rowCount, checksums) = (0, 0, 0)
    }

    // MARK: - Values, in the order of the columns

    mutating func append(_ number: Int64) {
        append(.integer, bits: UInt64(bitPattern: number))
    }

    /// A number as sixteen hexadecimal digits.
    mutating func append(_ number: UInt64?) {
        guard let number else { return appendNull() }
        begin(.text, count: 16, bits: 0)
        let digits = Hexadecimal.words(number)
        append(asItIs: SIMD2(digits.0.littleEndian, digits.1.littleEndian))
    }

    /// An id as thirty-two hexadecimal digits.
    mutating func append(_ id: RandomID?) {
        guard let id else { return appendNull() }
        begin(.text, count: 32, bits: 0)
        let (high, low) = (Hexadecimal.words(id.high), Hexadecimal.words(id.low))
        append(
            asItIs: SIMD4(
                high.0.littleEndian, high.1.littleEndian, low.0.littleEndian, low.1.littleEndian))
    }

    /// An id as its sixteen bytes.
    mutating func append(bytesOf id: RandomID) {
        begin(.blob, count: 16, bits: 0)
        append(asItIs: SIMD2(id.high.bigEndian, id.low.bigEndian))
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
        append(asItIs: bits.bigEndian)
    }

    private mutating func append(_ kind: Kind, _ content: some Collection<UInt8>) {
        let count = content.count
        begin(kind, count: count, bits: 0)
        bytes.append(contentsOf: content)
    }

    private mutating func begin(_ kind: Kind, count: Int, bits: UInt64) {
        bytes.append(kind.rawValue)
        append(asItIs: UInt64(count).bigEndian)
        places.append(Place(kind: kind, start: bytes.count, count: count, bits: bits))
    }

    private mutating func append(asItIs value: some BitwiseCopyable) {
        // What is appended are numbers without padding, and any of them is bytes.
        unsafe withUnsafeBytes(of: value) { unsafe bytes.append(contentsOf: $0) }
    }

    // MARK: - Whole rows

    /// The checksum of the values of the row so far.
    var checksum: Int64 {
        var crc = common.crc
        crc.update(bytes.span.extracting(start...))
        return Int64(crc.value)
    }

    /// The checksum of the values of a row.
    static func checksum(_ values: [DatabaseValue]) -> Int64 {
        var row = RowBuffer()
        for value in values { row.append(value) }
        return row.checksum
    }

    /// Writes the rows that are complete, each in place of the one with its key.
    func write(into table: String, _ database: Database) throws {
        let columnCount = completePlaceCount / max(1, rowCount)
        var first = 0
        for count in Self.rowCounts {
            while rowCount - first >= count {
                let sql = "INSERT OR REPLACE INTO \(table) VALUES \(Self.values(columnCount, rowCount: count))"
                let places = places[first * columnCount..<(first + count) * columnCount]
                try write(places, by: try database.cachedStatement(sql: sql), database)
                first += count
            }
        }
    }

    /// The rows that a statement may put in; few numbers, since each is a statement to prepare.
    private static let rowCounts = [16, 4, 1]

    /// The places of a statement.
    private static func values(_ columnCount: Int, rowCount: Int) -> String {
        let row = columnTexts[columnCount]
        return rowCount == 1 ? row : row + String(repeating: ", \(row)", count: rowCount - 1)
    }

    /// The places of a row, by their number.
    private static let columnTexts = [""] + (0...24).map { "(?\(String(repeating: ", ?", count: $0)))" }

    private func write(_ places: ArraySlice<Place>, by statement: Statement, _ database: Database) throws {
        // The statement takes the values from the buffer, and forgets it before the buffer goes.
        let code = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Self.write(places, by: statement.sqliteStatement, from: buffer)
        }
        guard code == SQLITE_DONE else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: unsafe sqlite3_extended_errcode(database.sqliteConnection)),
                message: unsafe String(cString: sqlite3_errmsg(database.sqliteConnection)))
        }
    }

    private static func write(
        _ places: ArraySlice<Place>, by statement: OpaquePointer, from buffer: UnsafeRawBufferPointer
    ) -> Int32 {
        var number: Int32 = 0
        for place in places {
            number += 1
            // A value lies within the buffer, behind a tag and a length: so there always is an address.
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
        defer {
            unsafe sqlite3_reset(statement)
            unsafe sqlite3_clear_bindings(statement)
        }
        return unsafe sqlite3_step(statement)
    }
}
