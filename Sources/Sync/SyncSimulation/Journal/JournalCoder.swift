import SyncCore

/// Why a journal of an engine cannot be read.
public enum JournalFault: Error, Equatable, Sendable {
    /// The file does not begin as a journal does.
    case notAJournal
    /// A record is not what was written, and that is no death's doing: its place among the records, from 1, and the
    /// byte of the file at which it begins.
    case damaged(record: Int, offset: Int)
    /// A whole record, by its place in the file, means nothing.
    case malformed(String)
    /// The driver told the engine something that no driver tells: a journal has no words for it.
    case unrecordable(String)
}

extension JournalFault: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .notAJournal: "it does not begin as a journal does"
        case .damaged(let record, let offset): "its record \(record), at byte \(offset), is not what was written"
        case .malformed(let words): "it holds what means nothing: \(words)"
        case .unrecordable(let words): "a journal has no words for this: \(words)"
        }
    }
}

/// Something that a journal holds: its fields are listed once, for writing and for reading.
protocol Journaled {
    /// Writes the value, or reads one if there is none.
    static func code(_ value: Self?, _ coder: inout JournalCoder) throws(JournalFault) -> Self
}

/// Writes values into bytes, or reads them back.
///
/// Small numbers take one byte: 7 bits of a number a byte, the lowest first, the upper bit says that more follow.
struct JournalCoder {
    /// The bytes that were written, or that are read.
    private(set) var bytes: [UInt8]
    let isReading: Bool
    private var position = 0

    init() {
        bytes = []
        isReading = false
    }

    init(reading bytes: [UInt8]) {
        self.bytes = bytes
        isReading = true
    }

    /// Whether all was read.
    var isAtEnd: Bool { position == bytes.count }

    /// Writes a value, or reads one if there is none.
    mutating func callAsFunction<Value: Journaled>(_ value: Value?) throws(JournalFault) -> Value {
        try Value.code(value, &self)
    }

    /// Writes a value that may be missing, or reads one.
    mutating func optional<Value: Journaled>(_ value: Value?) throws(JournalFault) -> Value? {
        guard try self(isReading ? nil : value != nil) else { return nil }
        return try self(value)
    }

    /// Reads a value.
    mutating func next<Value: Journaled>(_ type: Value.Type = Value.self) throws(JournalFault) -> Value {
        try Value.code(nil, &self)
    }

    mutating func byte(_ value: UInt8?) throws(JournalFault) -> UInt8 {
        if let value {
            bytes.append(value)
            return value
        }
        guard position < bytes.count else { throw .malformed("a record ends too soon") }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func bytes(_ value: [UInt8]?) throws(JournalFault) -> [UInt8] {
        let count = try self(value.map { UInt64($0.count) })
        if let value {
            bytes += value
            return value
        }
        guard count <= UInt64(bytes.count - position) else { throw .malformed("a record ends too soon") }
        defer { position += Int(count) }
        return Array(bytes[position..<position + Int(count)])
    }

    /// Writes or reads a number as eight bytes: most are random.
    mutating func word(_ value: UInt64?) throws(JournalFault) -> UInt64 {
        if let value {
            for shift in stride(from: UInt64(0), through: 56, by: 8) {
                bytes.append(UInt8(truncatingIfNeeded: value >> shift))
            }
            return value
        }
        guard bytes.count - position >= 8 else { throw .malformed("a record ends too soon") }
        defer { position += 8 }
        return bytes[position..<position + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension UInt64: Journaled {
    static func code(_ value: UInt64?, _ coder: inout JournalCoder) throws(JournalFault) -> UInt64 {
        if let value {
            var rest = value
            while rest > 0x7F {
                _ = try coder.byte(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            _ = try coder.byte(UInt8(rest))
            return value
        }
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), through: 63, by: 7) {
            let byte = try coder.byte(nil)
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .malformed("a number has more than ten bytes")
    }
}

extension Int64: Journaled {
    /// Numbers near zero are small on both sides of it.
    static func code(_ value: Int64?, _ coder: inout JournalCoder) throws(JournalFault) -> Int64 {
        let folded = try coder(value.map { UInt64(bitPattern: ($0 << 1) ^ ($0 >> 63)) })
        return Int64(bitPattern: folded >> 1) ^ -Int64(bitPattern: folded & 1)
    }
}

extension UInt32: Journaled {
    static func code(_ value: UInt32?, _ coder: inout JournalCoder) throws(JournalFault) -> UInt32 {
        guard let number = UInt32(exactly: try coder(value.map(UInt64.init))) else {
            throw .malformed("a number is too large")
        }
        return number
    }
}

extension Bool: Journaled {
    static func code(_ value: Bool?, _ coder: inout JournalCoder) throws(JournalFault) -> Bool {
        try coder.byte(value.map { $0 ? 1 : 0 }) != 0
    }
}

extension String: Journaled {
    static func code(_ value: String?, _ coder: inout JournalCoder) throws(JournalFault) -> String {
        String(decoding: try coder.bytes(value.map { Array($0.utf8) }), as: UTF8.self)
    }
}

extension Array: Journaled where Element: Journaled {
    static func code(_ value: [Element]?, _ coder: inout JournalCoder) throws(JournalFault) -> [Element] {
        let count = try coder(value.map { UInt64($0.count) })
        if let value {
            for element in value { _ = try coder(element) }
            return value
        }
        var elements: [Element] = []
        for _ in 0..<count { elements.append(try coder.next()) }
        return elements
    }
}

extension SortedMap: Journaled where Key: Journaled, Value: Journaled {
    static func code(
        _ value: SortedMap<Key, Value>?, _ coder: inout JournalCoder
    ) throws(JournalFault) -> SortedMap<Key, Value> {
        let count = try coder(value.map { UInt64($0.count) })
        if let value {
            for (key, element) in value.pairs {
                _ = try coder(key)
                _ = try coder(element)
            }
            return value
        }
        var map = SortedMap<Key, Value>()
        for _ in 0..<count {
            let key = try coder.next(Key.self)
            map[key] = try coder.next(Value.self)
        }
        return map
    }
}
