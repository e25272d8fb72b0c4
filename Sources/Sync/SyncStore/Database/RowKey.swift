internal import GRDB
internal import SyncCore

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The key of a row in a ``RecordTable``.
enum RowKey: Hashable, Sendable {
    case number(Int64)
    /// Bytes, in SQLite's order: byte by byte.
    case bytes([UInt8])

    /// The encoded bytes of a value.
    init(of value: some RecordCodable) throws {
        self = .bytes(try RecordCoder.bytes(of: value))
    }

    /// The big-endian bytes of a number, so that they sort like the number.
    init(_ number: UInt64) {
        self.init([], number)
    }

    /// A prefix, followed by the big-endian bytes of a number.
    init(_ prefix: [UInt8], _ number: UInt64) {
        self = .bytes(prefix + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    /// The key in a column; nil if the column's value is not a key.
    init?(column: DatabaseValue) {
        switch column.storage {
        case .int64(let number): self = .number(number)
        case .blob(let bytes): self = .bytes(Array(bytes))
        case .null, .double, .string: return nil
        }
    }

    /// The bytes; empty if the key is a number.
    var bytes: [UInt8] {
        switch self {
        case .number: []
        case .bytes(let bytes): bytes
        }
    }

    /// The number, or the number at the end of the bytes.
    var number: UInt64 {
        switch self {
        case .number(let number): UInt64(bitPattern: number)
        case .bytes(let bytes): bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The value that the bytes encode.
    func value<Value: RecordCodable>() throws -> Value { try RecordCoder.value(of: bytes) }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .number(let number): number.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }
}

/// The rows from one key to another, both included.
struct RowRange {
    var first: RowKey
    var last: RowKey

    init(_ first: RowKey, _ last: RowKey) {
        self.first = first
        self.last = last
    }

    /// The row with one key.
    init(_ key: RowKey) {
        self.init(key, key)
    }

    /// The rows whose keys are a prefix followed by a number.
    init(under prefix: [UInt8]) {
        self.init(RowKey(prefix, 0), RowKey(prefix, .max))
    }

    /// The two ends, for `key BETWEEN ? AND ?`.
    var arguments: StatementArguments { [first.databaseValue, last.databaseValue] }
}
