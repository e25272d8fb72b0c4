internal import CPostgres
package import Primitives

/// The rows that a statement returned; they belong to the thread of the connection.
@safe
package final class Rows {
    private let result: OpaquePointer
    private let columns: [String: Int32]
    /// The number of rows.
    package let count: Int
    /// The number of rows that were changed or returned.
    package let affectedCount: Int

    init(owning result: OpaquePointer) {
        unsafe self.result = result
        count = Int(unsafe PQntuples(result))
        affectedCount = Int(unsafe String(cString: PQcmdTuples(result))) ?? 0
        var columns: [String: Int32] = [:]
        for number in 0..<(unsafe PQnfields(result)) {
            if let name = unsafe PQfname(result, number) { columns[unsafe String(cString: name)] = number }
        }
        self.columns = columns
    }

    deinit { unsafe PQclear(result) }

    /// What the server says that it did, such as `COMMIT`.
    var commandTag: String { unsafe String(cString: PQcmdStatus(result)) }

    /// The first row; nil if there are no rows.
    package var first: Row? { count == 0 ? nil : Row(rows: self, number: 0) }

    /// Makes a value of each row.
    package func map<Value>(_ body: (Row) throws -> Value) throws -> [Value] {
        try (0..<count).map { try body(Row(rows: self, number: $0)) }
    }

    fileprivate func cell(_ name: String, _ row: Int) throws(PostgresError) -> (type: UInt32, bytes: [UInt8]?) {
        guard let column = columns[name] else { throw .column(name, "is not in the result") }
        let type = unsafe PQftype(result, column)
        guard unsafe PQgetisnull(result, Int32(row), column) == 0 else { return (type, nil) }
        let length = Int(unsafe PQgetlength(result, Int32(row), column))
        guard let start = unsafe PQgetvalue(result, Int32(row), column) else { return (type, nil) }
        // The bytes are the result's, which lives as long as this object.
        return (type, unsafe UnsafeRawBufferPointer(start: start, count: length).map(\.self))
    }
}

/// A row of a result.
package struct Row {
    fileprivate let rows: Rows
    fileprivate let number: Int

    /// The value of a column; NULL is an error unless the value is optional.
    package subscript<Value: ColumnReadable>(_ name: String) -> Value {
        get throws(PostgresError) {
            let (type, bytes) = try rows.cell(name, number)
            do throws(ColumnProblem) {
                return try Value.read(bytes, type)
            } catch {
                throw .column(name, error.reason)
            }
        }
    }
}

/// Why the bytes of a column are no value of a type.
package struct ColumnProblem: Error, CustomStringConvertible {
    /// The reason, which follows the column's name in a sentence.
    package let reason: String
    /// The reason.
    package var description: String { reason }

    /// Notes a reason.
    package init(_ reason: String) { self.reason = reason }

    static func wrongType(_ type: UInt32) -> ColumnProblem {
        ColumnProblem("has the type \(type), which was not expected")
    }
}

/// What can be read from a column in PostgreSQL's binary format.
package protocol ColumnReadable {
    /// Reads the bytes of a column; nil for NULL.
    static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> Self
}

extension Optional: ColumnReadable where Wrapped: ColumnReadable {
    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> Wrapped? {
        guard let bytes else { return nil }
        return try Wrapped.read(bytes, type)
    }
}

extension ColumnReadable {
    /// The bytes, of one of these types.
    fileprivate static func required(
        _ bytes: [UInt8]?, _ type: UInt32, of types: Set<UInt32>
    ) throws(ColumnProblem) -> [UInt8] {
        guard types.contains(type) else { throw .wrongType(type) }
        guard let bytes else { throw ColumnProblem("is NULL, which was not expected") }
        return bytes
    }

    fileprivate static func bigEndian(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

extension Int: ColumnReadable {
    /// Reads `int2`, `int4`, `int8` and `xid8`.
    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> Int {
        let bytes = try required(bytes, type, of: [20, 21, 23, 5069])
        let number = bigEndian(bytes)
        switch bytes.count {
        case 2: return Int(Int16(truncatingIfNeeded: number))
        case 4: return Int(Int32(truncatingIfNeeded: number))
        default: return Int(Int64(bitPattern: number))
        }
    }
}

extension Bool: ColumnReadable {
    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> Bool {
        try required(bytes, type, of: [16]) == [1]
    }
}

extension Double: ColumnReadable {
    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> Double {
        Double(bitPattern: bigEndian(try required(bytes, type, of: [701])))
    }
}

extension String: ColumnReadable {
    /// Reads `text`, `varchar`, `bpchar`, `name` and `json`.
    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> String {
        String(decoding: try required(bytes, type, of: [25, 1043, 1042, 19, 114]), as: UTF8.self)
    }
}

extension Timestamp: ColumnReadable {
    /// Reads `timestamptz`, to the millisecond.
    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> Timestamp {
        let microseconds = Int64(bitPattern: bigEndian(try required(bytes, type, of: [1184])))
        guard microseconds != .max, microseconds != .min else { throw ColumnProblem("is infinite") }
        return Timestamp(milliseconds: (microseconds + Parameter.epochMicroseconds) / 1000)
    }
}

/// The bytes of a column of any type, such as the EWKB of PostGIS.
package struct RawBytes: ColumnReadable {
    /// The bytes.
    package let bytes: [UInt8]

    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> RawBytes {
        guard let bytes else { throw ColumnProblem("is NULL, which was not expected") }
        return RawBytes(bytes: bytes)
    }
}

/// A `NUMERIC` with at most two decimals, in hundredths.
package struct Hundredths: ColumnReadable, Hashable, Sendable {
    /// The hundredths.
    package let value: Int64

    /// Reads the digits to the base of 10,000.
    ///
    /// Source: numeric_send in PostgreSQL's numeric.c.
    package static func read(_ bytes: [UInt8]?, _ type: UInt32) throws(ColumnProblem) -> Hundredths {
        let bytes = try required(bytes, type, of: [1700])
        guard bytes.count >= 8, bytes.count.isMultiple(of: 2) else { throw ColumnProblem("is no number") }
        let words = stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        let (weight, sign, digits) = (Int(Int16(bitPattern: words[1])), words[2], words[4...].map { Int64($0) })
        switch sign {
        case 0, 0x4000: break
        case 0xC000: throw ColumnProblem("is NaN: expected a number")
        default: throw ColumnProblem("is infinite: expected a number")
        }
        var sum: Int64 = 0
        for (index, digit) in digits.enumerated() {
            let exponent = weight - index
            // The largest NUMERIC whose hundredths fit has a first digit of weight 4.
            guard exponent <= 3 || digit == 0 else { throw ColumnProblem("is too large") }
            switch exponent {
            case 0...: sum += digit * 100 * (0..<exponent).reduce(1) { product, _ in product * 10_000 }
            case -1 where digit.isMultiple(of: 100): sum += digit / 100
            case _ where digit == 0: break
            default: throw ColumnProblem("has more than two decimals")
            }
        }
        return Hundredths(value: sign == 0 ? sum : -sum)
    }
}
