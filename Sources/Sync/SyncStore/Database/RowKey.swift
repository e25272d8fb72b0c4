internal import FoundationEssentials
internal import GRDB
internal import SyncCore

/// The key of a row of a ``RecordTable``.
enum RowKey: Hashable, Sendable {
    case number(Int64)
    /// Bytes, which SQLite compares one after the other.
    case bytes([UInt8])

    /// The bytes of a value.
    init(of value: some RecordCodable) throws {
        self = .bytes(try RecordCoder.bytes(of: value))
    }

    /// The bytes of a number, in the order of the numbers.
    init(_ number: UInt64) {
        self.init([], number)
    }

    /// The bytes of a number behind some others.
    init(_ prefix: [UInt8], _ number: UInt64) {
        self = .bytes(prefix + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) })
    }

    /// The key of a column, nil if the column holds no key.
    init?(column: DatabaseValue) {
        switch column.storage {
        case .int64(let number): self = .number(number)
        case .blob(let bytes): self = .bytes(Array(bytes))
        case .null, .double, .string: return nil
        }
    }

    /// The bytes, none of a number.
    var bytes: [UInt8] {
        switch self {
        case .number: []
        case .bytes(let bytes): bytes
        }
    }

    /// The number, or the one at the end of the bytes.
    var number: UInt64 {
        switch self {
        case .number(let number): UInt64(bitPattern: number)
        case .bytes(let bytes): bytes.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    /// The value whose bytes they are.
    func value<Value: RecordCodable>() throws -> Value { try RecordCoder.value(of: bytes) }

    fileprivate var databaseValue: DatabaseValue {
        switch self {
        case .number(let number): number.databaseValue
        case .bytes(let bytes): Data(bytes).databaseValue
        }
    }
}

/// The rows from one key to another one, both included.
struct RowRange {
    var first: RowKey
    var last: RowKey

    init(_ first: RowKey, _ last: RowKey) {
        self.first = first
        self.last = last
    }

    /// One row.
    init(_ key: RowKey) {
        self.init(key, key)
    }

    /// The rows of all numbers behind some bytes.
    init(under prefix: [UInt8]) {
        self.init(RowKey(prefix, 0), RowKey(prefix, .max))
    }

    /// Both ends, for `key BETWEEN ? AND ?`.
    var arguments: StatementArguments { [first.databaseValue, last.databaseValue] }
}
